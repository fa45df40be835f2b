"""The executable specification: what a context history is and what must come out of it."""
