"""The command `contextcert`."""

from contextcert.cli.main import main

__all__ = ["main"]
