"""What a projection costs as its history grows: told beside a verdict, never part of it."""

from contextcert.growth.bounds import Bounds
from contextcert.growth.measuring import measured
from contextcert.growth.values import Curve, Growth, Point

__all__ = ["Bounds", "Curve", "Growth", "Point", "measured"]
