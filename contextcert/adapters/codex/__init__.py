"""The released Codex binary as a subject, driven over its app-server with loopback alone."""

from contextcert.adapters.codex.features import Features, features_from_text
from contextcert.adapters.codex.install import InstallError, install, newest_installed
from contextcert.adapters.codex.session import CodexSession, CodexWay, codex_subject

__all__ = [
    "CodexSession",
    "CodexWay",
    "Features",
    "InstallError",
    "codex_subject",
    "features_from_text",
    "install",
    "newest_installed",
]
