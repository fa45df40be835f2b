"""Run the adapter program: `python -m contextcert.adapters.codex --codex PATH`."""

from contextcert.adapters.codex.program import main

main()
