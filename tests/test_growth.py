"""What a projection costs as its history grows, on subjects whose clock is a count of steps."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from attrs import define, evolve, field, frozen
from rich.console import Console

from contextcert.adapters.specs import command_spec, model_spec
from contextcert.campaign import BUDGETS, Campaign, Evidence, open_subject, run_campaign
from contextcert.certificate import certificate_of
from contextcert.certificate.conclusion import exit_code
from contextcert.certificate.file import read_certificate, write_certificate
from contextcert.certificate.json_form import certificate_digest
from contextcert.certificate.values import Run
from contextcert.growth import Bounds, Curve, Growth, Point, measured
from contextcert.growth.fit import exponent
from contextcert.growth.shapes import SHAPES, NoShapeError
from contextcert.processes import peak_memory
from contextcert.refmodel import Claim, Edition, Json, JsonObject, Mode, run_script
from contextcert.report.growth_report import print_growth
from contextcert.strategies import Scope
from contextcert.subject import (
    Answer,
    Description,
    Fault,
    FaultKind,
    Opening,
    Script,
    SubjectSpec,
)

BOUNDS = Bounds(most_items=4_000, seconds=1e9)
UNHURRIED = Bounds(most_items=1_000, seconds=1e9, repetitions=3)
"""For subjects that take real time, on a machine that may have other work."""

TICK = 1e-6


@define
class Steps:
    """A clock that goes on by what is worked, and some noise that comes round."""

    now: float = 0.0
    turn: int = 0
    noise: float = 0.0

    def __call__(self) -> float:
        """Tell the time."""
        return self.now

    def work(self, steps: float) -> None:
        """Go on."""
        self.turn += 1
        self.now += steps * TICK * (1 + self.noise * ((self.turn * 7919) % 11 - 5) / 5)


Cost = Callable[[Sequence[Json]], float]


def linear(items: Sequence[Json]) -> float:
    """Take ten steps an item."""
    return 10.0 * len(items)


def quadratic_when_unanswered(items: Sequence[Json]) -> float:
    """Look through everything for each call, as who inserts into the middle of an array does."""
    outputs = sum("output" in one for one in items if isinstance(one, dict))
    missing = sum("arguments" in one for one in items if isinstance(one, dict)) - outputs
    return linear(items) + max(0, missing) * len(items) / 10


def leaping(items: Sequence[Json]) -> float:
    """Take thirty times as long from where a cache is full."""
    return linear(items) * (30 if len(items) > 900 else 1)


@define
class FakeSession:
    """A subject that answers at once, and makes the clock go on by what its projections cost."""

    clock: Steps
    cost: Cost
    panics: bool = False
    dies_from: int = 10**9
    process_group: int | None = 1
    description: Description = field(init=False)
    held: float = 0.0

    def run(self, ops: Script, *, continue_after_panic: bool = False) -> Answer:
        """Answer with nothing, for so many steps."""
        del continue_after_panic
        histories: dict[int, list[Json]] = {}
        for op in ops:
            on = int(str(op.get("on", 0)))
            if op["op"] == "record_items":
                items = op["items"]
                assert isinstance(items, list)
                histories[on] = items
                self.clock.work(50.0 * len(items) + 500)
                if len(items) >= self.dies_from:
                    return Answer(None, Fault(FaultKind.HANG, "It hangs."))
            else:
                self.clock.work(self.cost(histories.get(on, [])) + 100)
        self.held = max(self.held, *(len(one) for one in histories.values()))
        if self.panics:
            return Answer([{"ok": None}, {"panic": "Orphan function call output"}])
        return Answer([{"ok": []} for _ in ops])

    def run_batch(self, scripts: Sequence[Script]) -> list[Answer]:
        """Answer one by one."""
        return [self.run(script) for script in scripts]

    def close(self) -> None:
        """Do nothing."""


@frozen
class FakeWay:
    """Opens the one session."""

    session: FakeSession

    def open(self, opening: Opening) -> FakeSession:
        """Give it."""
        del opening
        return self.session


def growth_of(
    cost: Cost, *, noise: float = 0.0, bounds: Bounds = BOUNDS, **more: object
) -> dict[str, Curve]:
    """Measure a fake subject, and give its curves by shape."""
    session = FakeSession(Steps(noise=noise), cost, **more)  # type: ignore[arg-type]
    growth = measured(
        SubjectSpec("fake", {Mode.RELEASE: FakeWay(session)}),
        Mode.RELEASE,
        Edition.AUGUST_2026,
        Scope.full(),
        bounds,
        clock=session.clock,
        peak=lambda _: 10_000_000 + int(session.held) * 3_000,
    )
    return {curve.shape: curve for curve in growth.curves}


def shown(growth: Growth, width: int = 80) -> str:
    """Print a growth as a terminal of so many columns shows it."""
    console = Console(width=width, file=io.StringIO())
    print_growth(console, growth)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_linear_subject_gets_no_advisory() -> None:
    """Its exponent is 1, noise and all, over every shape."""
    for noise in (0.0, 0.05):
        for curve in growth_of(linear, noise=noise).values():
            assert curve.exponent == pytest.approx(1.0, abs=0.25)
            assert not curve.is_worse_than_linear


def test_a_quadratic_subject_gets_one_for_the_shape_it_is_quadratic_in() -> None:
    """Near 2 for unanswered calls, near 1 for the others."""
    curves = growth_of(quadratic_when_unanswered, noise=0.05)
    assert curves["unanswered-heavy"].exponent == pytest.approx(1.95, abs=0.2)
    assert [one.shape for one in curves.values() if one.is_worse_than_linear] == [
        "unanswered-heavy"
    ]


def test_one_leap_is_no_growth() -> None:
    """Where a cache ends a linear cost leaps once, and no advisory comes of it."""
    curve = growth_of(leaping)["clean"]
    assert curve.exponent is not None
    assert curve.exponent > 1.5
    assert not curve.is_worse_than_linear


@pytest.mark.parametrize(("seconds", "worse"), [(0.02, False), (0.5, True)])
def test_three_sizes_are_enough_only_where_the_last_takes_long(
    seconds: float, *, worse: bool
) -> None:
    """A few milliseconds over a few sizes may leap for any reason."""
    points = tuple(Point(size, seconds * (size / 1_000) ** 2) for size in (250, 500, 1_000))
    assert Curve("clean", points, 2.0).is_worse_than_linear is worse


def test_the_constant_part_is_taken_off() -> None:
    """What recording and the empty projection take is no cost of the projection."""
    for point in growth_of(linear)["clean"].points:
        assert point.seconds == pytest.approx(10 * point.items * TICK)


def test_memory_is_told_as_bytes_an_item() -> None:
    """The most that was held, less what was held before, over the items of the longest history."""
    curve = growth_of(linear)["clean"]
    assert curve.bytes_per_item == pytest.approx(3_000, rel=0.01)
    assert curve.memory_exponent == pytest.approx(1.0, abs=0.05)
    assert growth_of(linear, process_group=None)["clean"].bytes_per_item is None


def test_a_shape_ends_where_the_next_history_takes_too_long() -> None:
    """It is told where and why, and what was measured stays."""
    curve = growth_of(quadratic_when_unanswered, bounds=Bounds(most_items=16_000, seconds=0.2))[
        "unanswered-heavy"
    ]
    assert curve.points[-1].items < 2_000
    assert "twice as many would take" in curve.remarks[0]


def test_a_subject_that_fails_on_the_way_is_measured_as_far_as_it_came() -> None:
    """The fault is told, and is no verdict."""
    curve = growth_of(linear, dies_from=2_000)["clean"]
    assert curve.points[-1].items == 1_000
    assert curve.remarks == ("ended before 2,000 items: It hangs.",)
    assert curve.exponent == pytest.approx(1.0)


def test_a_build_that_panics_is_not_measured() -> None:
    """The reason is the panic."""
    curve = growth_of(linear, panics=True)["orphan-heavy"]
    assert curve.points == ()
    assert curve.exponent is None
    assert "gave a panic: Orphan function call output" in curve.remarks[0]


def test_what_drowns_in_noise_has_no_exponent() -> None:
    """A subject that answers from a table costs nothing that could be measured."""
    curve = growth_of(lambda _: 0.0)["clean"]
    assert curve.exponent is None
    assert "is noise" in curve.remarks[0]


@pytest.mark.parametrize(
    ("power", "low", "high"), [(1.0, 0.99, 1.01), (2.0, 1.99, 2.01), (1.5, 1.49, 1.51)]
)
def test_the_fit_gives_the_power(power: float, low: float, high: float) -> None:
    """Over sizes that grow by a factor, whatever the constant factor is."""
    costs = [(size, 3e-6 * size**power) for size in (250, 500, 1000, 2000)]
    found = exponent(costs)
    assert found is not None
    assert low < found < high


def test_the_fit_leaves_out_what_drowned() -> None:
    """Sizes that cost nothing do not bend the line; too few sizes give none."""
    costs = [(250, 7.0), (500, 0.5), (1000, 1.0), (2000, 2.0), (4000, 0.0), (8000, 8.0)]
    assert exponent(costs) == pytest.approx(1.0)
    assert exponent(costs[2:5]) is None


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("edition", Edition)
def test_shapes_project_in_release_to_what_their_names_say(shape: str, edition: Edition) -> None:
    """Clean histories stay, orphans go, unanswered calls gain an output each."""
    items = SHAPES[shape](Scope.full(edition))(101, 7)
    assert len(items) == 101
    ops: list[JsonObject] = [
        {"op": "record_items", "items": items, "policy": {"mode": "tokens", "limit": 10_000}},
        {"op": "for_prompt", "input_modalities": ["text"]},
    ]
    prompt = run_script(ops, mode=Mode.RELEASE, edition=edition)[-1]["ok"]
    assert isinstance(prompt, list)
    assert len(prompt) == {"clean": 102, "orphan-heavy": 51, "unanswered-heavy": 202}[shape]


def test_histories_of_two_turns_share_no_item() -> None:
    """A subject that remembers what it read gains nothing by it."""
    make = SHAPES["clean"](Scope.full())
    first, second = make(20, 1), make(20, 2)
    assert not [one for one in first if one in second]


def test_a_narrow_claim_is_measured_on_what_it_has() -> None:
    """Without calls there is nothing to leave unanswered, and messages are clean."""
    messages = Claim(frozenset({"projection"}), frozenset({"message"}), frozenset({"text"}))
    scope = Scope(messages)
    assert {str(one["type"]) for one in SHAPES["clean"](scope)(4, 0)} == {"message"}  # type: ignore[index,call-overload]
    with pytest.raises(NoShapeError, match="no call is claimed"):
        SHAPES["unanswered-heavy"](scope)


def test_the_model_is_measured_in_process() -> None:
    """Its memory is ours, which is told; nothing else is asked of a busy machine here."""
    growth = measured(model_spec(), Mode.RELEASE, Edition.AUGUST_2026, Scope.full(), UNHURRIED)
    assert [curve.shape for curve in growth.curves] == list(SHAPES)
    assert all(len(curve.points) == 3 for curve in growth.curves)
    assert "memory: not measured" in growth.remarks[0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process")
def test_a_program_is_measured_with_its_memory() -> None:
    """The processes of the adapter are looked at, not ours."""
    command = (sys.executable, "-m", "contextcert", "serve", "--mode", "release")
    growth = measured(
        command_spec({Mode.RELEASE: command}, name="served"),
        Mode.RELEASE,
        Edition.AUGUST_2026,
        Scope.full(),
        UNHURRIED,
    )
    for curve in growth.curves:
        assert [point.items for point in curve.points] == [250, 500, 1_000]
        assert all(point.peak_bytes and point.peak_bytes > 2**20 for point in curve.points)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process")
def test_peak_memory_counts_children_in_groups_of_their_own() -> None:
    """The child holds forty megabytes, which its parent's group does not."""
    held = "b = bytearray(b'x') * 40_000_000; print('held', flush=True); input()"
    starts = (
        "import subprocess, sys; "
        f"subprocess.run([sys.executable, '-c', {held!r}], start_new_session=True, check=True)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", starts],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdin is not None
        assert parent.stdout.readline() == b"held\n"
        told = peak_memory(parent.pid)
        parent.stdin.close()
    assert told is not None
    assert told > 40_000_000
    assert peak_memory(parent.pid) is None


def test_an_advisory_names_the_curve() -> None:
    """Every size with its time, on a narrow terminal and on a wide one."""
    points = tuple(Point(size, 1e-7 * size**2, 1_000 * size) for size in (250, 500, 1000, 2000))
    curve = Curve("unanswered-heavy", points, 2.0, 1_000.0, 1.0)
    for width, memory in ((40, "memory an item 1.0 kB"), (120, "items^2.00 1.0 kB")):
        text = " ".join(shown(Growth(Mode.RELEASE, (curve,), 0.01), width).split())
        assert "advisory: projecting an unanswered-heavy history costs more than linearly" in text
        assert "as items^2.0: 250 items 6.2 ms, 500 items 25.0 ms, 1,000 items 100.0 ms" in text
        assert memory in text


def test_growth_stands_outside_the_digest_and_the_verdict() -> None:
    """With an advisory or without: the digest, the exit code and every verdict are the same."""
    budget = evolve(BUDGETS["quick"], exhaustive_length=1, operations_length=0)
    with open_subject(model_spec()) as opened:
        result = run_campaign(opened, Campaign(budget, evidence=(Evidence.VECTORS,)), workers=1)
    points = tuple(Point(size, float(size**2)) for size in (1, 2, 4, 8))
    bad = Growth(Mode.RELEASE, (Curve("clean", points, 2.0),), 0.1)
    assert bad.curves[0].is_worse_than_linear
    run = Run("2026-01-01T00:00:00", 1.0, 1, ("contextcert",))
    plain, advised = (certificate_of(result, evolve(run, growth=growth)) for growth in (None, bad))
    assert certificate_digest(plain) == certificate_digest(advised)
    assert exit_code(plain) == exit_code(advised)
    assert plain.clauses == advised.clauses


def test_a_certificate_keeps_the_growth(tmp_path: Path) -> None:
    """Written and read again it is the same; one without it is read as before."""
    budget = evolve(BUDGETS["quick"], exhaustive_length=1, operations_length=0)
    with open_subject(model_spec()) as opened:
        result = run_campaign(opened, Campaign(budget, evidence=(Evidence.VECTORS,)), workers=1)
    point = Point(250, 0.5, 2_000)
    growth = Growth(Mode.RELEASE, (Curve("clean", (point,), None, 8.0, None, ("short",)),), 0.1)
    run = Run("2026-01-01T00:00:00", 1.0, 1, ("contextcert",), growth=growth)
    certificate = certificate_of(result, run)
    file = tmp_path / "certificate.json"
    write_certificate(certificate, file)
    assert read_certificate(file).run == run
    written = json.loads(file.read_text(encoding="utf-8"))
    del written["run"]["growth"]
    file.write_text(json.dumps(written), encoding="utf-8")
    assert read_certificate(file).run == evolve(run, growth=None)


def test_the_command_measures_and_never_fails_for_it() -> None:
    """As JSON, with exit code 0."""
    asked = subprocess.run(
        [sys.executable, "-m", "contextcert", "growth", "--items", "2000", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(asked.stdout)
    assert told["mode"] == "release"
    assert [curve["shape"] for curve in told["curves"]] == list(SHAPES)
