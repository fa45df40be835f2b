"""What a projection costs as its history grows, in a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from contextcert.growth import Curve, Growth, Point
from contextcert.report.escape import line
from contextcert.report.layout import Hanging

ADVISORY: Final = "bold yellow"
UNKNOWN: Final = "-"
HEADINGS: Final = ("items", "time", "grows as", "memory an item")
WIDE_ENOUGH: Final = 68


def print_growth(console: Console, growth: Growth) -> None:
    """Print a row a shape, and below the table what is to be said of them in words."""
    console.print()
    title = f"what a projection costs as its history grows, in {growth.mode.value}"
    console.print(Text(title, "bold"))
    wide = console.width >= WIDE_ENOUGH
    console.print(_table(growth) if wide else Hanging(_listed(growth)))
    console.print(Hanging(_remarks(growth)))


def _table(growth: Growth) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("history", no_wrap=True)
    for heading in HEADINGS:
        table.add_column(heading, justify="right", no_wrap=True)
    for curve in growth.curves:
        table.add_row(curve.shape, *_cells(curve))
    return table


def _listed(growth: Growth) -> Iterator[Text]:
    """Give a line a shape, for a terminal that has no room for the table."""
    for curve in growth.curves:
        parts = zip(HEADINGS, _cells(curve), strict=True)
        told = [Text.assemble((f"{heading} ", "dim"), cell) for heading, cell in parts]
        yield Text.assemble((f"{curve.shape}: ", "bold"), Text(", ").join(told))


def _cells(curve: Curve) -> tuple[Text, ...]:
    last = curve.points[-1] if curve.points else None
    memory = curve.bytes_per_item
    return (
        Text(UNKNOWN if last is None else f"{last.items:,}"),
        Text(UNKNOWN if last is None else seconds_in_words(last.seconds)),
        _grows(curve.exponent, ADVISORY if curve.is_worse_than_linear else ""),
        Text(UNKNOWN if memory is None else f"{memory / 1000:,.1f} kB"),
    )


def _grows(exponent: float | None, style: str) -> Text:
    return Text(UNKNOWN if exponent is None else f"items^{exponent:.2f}", style)


def _remarks(growth: Growth) -> Iterator[Text]:
    for curve in growth.curves:
        if curve.is_worse_than_linear:
            yield Text.assemble(("advisory: ", ADVISORY), advisory(curve))
    for curve in growth.curves:
        yield from (line(f"{curve.shape}: {one}", "dim") for one in curve.remarks)
    for remark in growth.remarks:
        yield line(remark, "dim")
    taken = seconds_in_words(growth.constant_seconds)
    yield line(f"taken off: up to {taken} for recording and the round trip", "dim")


def advisory(curve: Curve) -> str:
    """Say that a cost grows worse than linear, with its curve."""
    told = ", ".join(map(_told, curve.points))
    article = "an" if curve.shape[0] in "aeiou" else "a"
    return (
        f"projecting {article} {curve.shape} history costs more than linearly, "
        f"as items^{curve.exponent:.1f}: {told}"
    )


def _told(point: Point) -> str:
    return f"{point.items:,} items {seconds_in_words(point.seconds)}"


def seconds_in_words(seconds: float) -> str:
    """Write a time in seconds, or in milliseconds where it is short."""
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"
