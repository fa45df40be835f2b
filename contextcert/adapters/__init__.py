"""How a subject is reached: in this process, over pipes, or as the built-in model."""
