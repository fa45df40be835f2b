"""The binary's home folder: a configuration that adds nothing of its own to a prompt."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final, TypeAlias

import orjson

from contextcert.adapters.codex.models import catalogue, model_name
from contextcert.refmodel import TruncationPolicy

Settings: TypeAlias = "Mapping[str, bool | int | str]"
"""Configuration by dotted key, `features.hooks` being `hooks` of the table `[features]`."""

PROVIDER: Final = "contextcert"
_CERTIFICATES: Final = "no-certificates.pem"
_PROGRAMS: Final = "no-programs"
_FEATURES_OFF: Final = (
    "plugins",
    "apps",
    "shell_snapshot",
    "hooks",
    "goals",
    "multi_agent",
    "tool_suggest",
    "remote_plugin",
    "skill_search",
    "unified_exec",
    "shell_tool",
    "view_image",
    "image_generation",
    "in_app_updates",
    "enable_request_compression",
)


def settings(home: Path, port: int, features: Iterable[tuple[str, bool]]) -> Settings:
    """Give the configuration for a home folder and the mock server's port on loopback."""
    return {
        "model": model_name(("text",)),
        "model_provider": PROVIDER,
        "model_catalog_json": str(home / "catalogue.json"),
        "approval_policy": "never",
        "sandbox_mode": "read-only",
        "check_for_update_on_startup": False,
        "include_permissions_instructions": False,
        "include_apps_instructions": False,
        "include_environment_context": False,
        "include_collaboration_mode_instructions": False,
        "project_doc_max_bytes": 0,
        "web_search": "disabled",
        "cli_auth_credentials_store": "file",
        "history.persistence": "none",
        "analytics.enabled": False,
        "feedback.enabled": False,
        "otel.exporter": "none",
        "skills.include_instructions": False,
        "skills.bundled.enabled": False,
        **{f"features.{name}": False for name in _FEATURES_OFF},
        **{f"features.{name}": value for name, value in features},
        f"model_providers.{PROVIDER}.name": PROVIDER,
        f"model_providers.{PROVIDER}.base_url": f"http://127.0.0.1:{port}/v1",
        f"model_providers.{PROVIDER}.wire_api": "responses",
        f"model_providers.{PROVIDER}.request_max_retries": 0,
        f"model_providers.{PROVIDER}.stream_max_retries": 0,
    }


def to_toml(configuration: Settings) -> str:
    """Write a configuration as TOML, the keys without a table first."""
    lines: list[str] = []
    for table, entries in groupby(sorted(configuration.items(), key=_table), key=_table):
        if table:
            lines.append(f"[{table}]")
        lines.extend(f"{key.rpartition('.')[2]} = {_value(value)}" for key, value in entries)
    return "\n".join(lines) + "\n"


def write_home(
    home: Path,
    configuration: Settings,
    modalities: Iterable[str],
    policies: Iterable[TruncationPolicy] = (),
) -> None:
    """Fill a home folder with the configuration and the model catalogue."""
    home.mkdir(parents=True, exist_ok=True)
    (home / "catalogue.json").write_bytes(orjson.dumps(catalogue(modalities, policies)))
    (home / "config.toml").write_text(to_toml(configuration), encoding="utf-8")
    (home / _CERTIFICATES).touch()
    (home / _PROGRAMS).mkdir(exist_ok=True)


def environment(home: Path) -> dict[str, str]:
    """Give the environment variables of a binary that lives in the home folder."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {
        **kept,
        # Releases before 0.160.0 ask `lsb_release` and other programs of the system each turn,
        # which takes most of a turn's time. None of them is to be found.
        "PATH": str(home / _PROGRAMS),
        "HOME": str(home),
        "CODEX_HOME": str(home),
        "RUST_LOG": "error",
        # The binary reads all certificates anew each turn, two thirds of a turn's time. There is
        # no TLS on loopback, and nobody else is to be trusted.
        "SSL_CERT_FILE": str(home / _CERTIFICATES),
    }


def _table(entry: tuple[str, object]) -> str:
    return entry[0].rpartition(".")[0]


def _value(value: bool | int | str) -> str:  # noqa: FBT001 -- TOML's own kinds of value
    # JSON's strings, numbers and booleans are written the same way in TOML.
    return orjson.dumps(value).decode().replace("\x7f", "\\u007f")
