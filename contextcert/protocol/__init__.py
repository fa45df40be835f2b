"""The adapter protocol (DESIGN 3): messages, their JSON Schemas, and their JSON text."""
