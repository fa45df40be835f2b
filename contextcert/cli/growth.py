"""`contextcert growth`: what a projection costs as its history grows."""

from __future__ import annotations

import json
from typing import Any

import cattrs
import click

from contextcert.campaign import BUDGETS, Campaign, open_subject, setting_of
from contextcert.campaign.setting import Setting
from contextcert.cli.lists import WholeNumber
from contextcert.cli.options import gathered, subject_argument, subject_options
from contextcert.growth import Bounds, Growth, measured
from contextcert.growth.bounds import FIRST_ITEMS
from contextcert.refmodel import Mode
from contextcert.report.console import notes, output
from contextcert.report.growth_report import print_growth
from contextcert.subject import SubjectSpec

NOTHING_RED = 0


@click.command("growth", short_help="What a projection costs as its history grows.")
@subject_argument
@subject_options
@click.option(
    "--items",
    type=WholeNumber(min=8 * FIRST_ITEMS),
    default=Bounds().most_items,
    show_default=True,
    help="The longest history to try.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0.01),
    default=Bounds().seconds,
    show_default=True,
    help="A shape of history ends where one takes longer.",
)
@click.option("--json", "as_json", is_flag=True, help="Write everything as JSON.")
def command(*, items: int, seconds: float, as_json: bool, **values: Any) -> int:  # noqa: ANN401
    """Measure what projecting costs SUBJECT: clean, orphan-heavy and unanswered-heavy histories.

    Times are medians less what recording and the round trip take. An advisory tells a cost that
    grows worse than the number of items; nothing here is a verdict. Exit codes: 0 measured; 2 wrong
    usage, or an adapter that cannot be used.
    """
    subject = gathered(values)
    spec = subject.spec()
    with open_subject(spec, subject.chosen_edition) as opened:
        setting = setting_of(opened, Campaign(BUDGETS["quick"]))
    growth = growth_of(spec, setting, Bounds(most_items=items, seconds=seconds))
    if as_json:
        click.echo(json.dumps(cattrs.Converter().unstructure(growth)))
    else:
        print_growth(output(), growth)
    return NOTHING_RED


def growth_of(spec: SubjectSpec, setting: Setting, bounds: Bounds | None = None) -> Growth:
    """Measure the build that projects every history: release, where there is one (MODE-4)."""
    mode = Mode.RELEASE if Mode.RELEASE in setting.modes else setting.modes[0]
    with notes().status("measuring what projections cost"):
        return measured(spec, mode, setting.edition, setting.scope, bounds)
