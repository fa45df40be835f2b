"""Hunts the zoo's faults with each kind of evidence, and writes what was found as a matrix.

`python tests/kill_matrix --help` says how to run it.
"""
