"""Hunts the zoo's faults with each kind of evidence, and writes what was found as a matrix.

`python -m kill_matrix --help`, in this folder, says how to run it.
"""
