"""Certify implementations of a coding agent's context history."""

__version__ = "0.1.0"
