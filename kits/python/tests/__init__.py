"""Tests of the kit, for `python3 -m unittest` in its folder."""
