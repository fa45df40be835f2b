"""Sends back every line; with the argument 1, every byte."""

# ruff: noqa: INP001 (a program, not part of the package)

import os
import sys

if sys.argv[1:] == ["1"]:
    while byte := os.read(0, 1):
        os.write(1, byte)
else:
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
