"""Scripts by seed: exact counts, the same everywhere, and nothing left behind."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contextcert.strategies import GROUPS, Scope, Script, generate, groups_of, smallest_script
from contextcert.strategies.letters import alphabet_of

GROUP = pytest.mark.parametrize("group", GROUPS)
SCOPE = Scope.full()


def digest(values: object) -> str:
    """Give a digest of JSON values."""
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def has_two_items(script: Script) -> bool:
    """Say whether a script brings in two items at once."""
    return any(len(list(op.get("items") or ())) > 1 for op in script)


def everything() -> str:
    """Give a digest of scripts of every group and of a shrunk one each."""
    made = [generate(group, SCOPE, seed=7, count=60) for group in GROUPS]
    shrunk = [smallest_script(group, SCOPE, has_two_items, seed=7) for group in GROUPS]
    return digest([made, shrunk])


@GROUP
@pytest.mark.parametrize("count", [0, 1, 2, 137])
def test_count_is_exact(group: str, count: int) -> None:
    """As many scripts come as were asked for."""
    assert len(generate(group, SCOPE, seed=1, count=count)) == count


@GROUP
def test_script_depends_on_seed_and_index_alone(group: str) -> None:
    """Another count or start gives the same scripts at the same indexes."""
    whole = generate(group, SCOPE, seed=3, count=40)
    assert generate(group, SCOPE, seed=3, count=40) == whole
    assert generate(group, SCOPE, seed=3, count=10) == whole[:10]
    assert generate(group, SCOPE, seed=3, count=15, start=20) == whole[20:35]
    assert generate(group, SCOPE, seed=4, count=40) != whole


def test_unknown_group_is_refused() -> None:
    """The message lists the groups there are."""
    with pytest.raises(ValueError, match="no group 'nonsense'; there are programs, mixed"):
        generate("nonsense", SCOPE, seed=1, count=1)


def test_groups_without_anything_to_say_are_left_out() -> None:
    """A claim without `wire` and `media` leaves their groups out."""
    claim = SCOPE.claim.from_json({"profiles": ["projection"]})
    assert groups_of(Scope(claim)) == ("programs", "mixed", "pairs", "unicode")
    assert groups_of(SCOPE) == GROUPS


def test_a_user_may_generate_within_a_test_of_their_own() -> None:
    """Generating inside a test that Hypothesis runs changes nothing."""
    alone = generate("mixed", SCOPE, seed=5, count=20)

    @settings(
        max_examples=3,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.nested_given],
    )
    @given(st.integers())
    def inside(_: int) -> None:
        assert generate("mixed", SCOPE, seed=5, count=20) == alone

    inside()


FOREIGN_TEST = """
import sys
sys.path[:0] = ["TESTS", "."]
import strategies, constants
from hypothesis import given, settings, strategies as st
from test_strategies_generation import everything
print(everything())
from pathlib import Path
print(sorted(str(path) for path in Path(".").glob(".*")))
seen = set()
@settings(max_examples=1500, database=None, derandomize=True)
@given(st.text())
def mined(drawn):
    seen.add(drawn)
mined()
print(not seen.isdisjoint(constants.MINED))
"""


def test_a_foreign_repository_has_no_say(tmp_path: Path) -> None:
    """Modules full of constants beside us change no script, and no file is written.

    The last line shows that the constants are there to be found: Hypothesis alone draws them.
    """
    mined = [alphabet_of(length) for length in range(3, 20)] + ["\U00100000\U00100001"]
    mined += [f"mined {number}" for number in range(600)]  # Hypothesis takes up to 1,024
    numbers = list(range(100, 400))
    (tmp_path / "strategies").mkdir()
    (tmp_path / "strategies" / "__init__.py").write_text("OURS = 'no, ours'\n", encoding="utf-8")
    (tmp_path / "constants.py").write_text(
        f"MINED = {['mined', *mined]!r}\nNUMBERS = {numbers!r}\n", encoding="utf-8"
    )
    program = FOREIGN_TEST.replace("TESTS", str(Path(__file__).parent))
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout.splitlines() == [everything(), "[]", "True"]
