"""Whether it is the adapter or the implementation that is at fault, and what to do about it.

`smoke` tells in a second, with a handful of scripts; `thorough` is a conformance test of the
adapter itself, with every trap that a transport or a decoder is known for.
"""

from contextcert.smoke.plain import smoke
from contextcert.smoke.steps import Culprit, SmokeReport, Step, Verdict
from contextcert.smoke.thorough import thorough

__all__ = ["Culprit", "SmokeReport", "Step", "Verdict", "smoke", "thorough"]
