"""Wires the contextcert plugin in for a checkout that is not installed."""

pytest_plugins = ["contextcert.pytest_plugin"]
