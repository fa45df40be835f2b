"""The faults, one module a part of SPEC."""
