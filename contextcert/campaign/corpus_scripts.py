"""Scripts made of recorded sessions: whole ones, windows of them, and mutations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from attrs import define, evolve

from contextcert.campaign.scope import lies_within
from contextcert.corpus import Corpus, Recorded, Replaced, RolledBack, Session
from contextcert.corpus.values import Move
from contextcert.properties import is_settled
from contextcert.refmodel import (
    MODALITIES,
    ItemError,
    Json,
    JsonObject,
    read_item,
    write_item,
)
from contextcert.strategies import POLICY, Scope, Script, is_restorable
from contextcert.strategies.item_values import PNG, entries_of

CORPUS: Final = "corpus"
"""The name of the random group."""

MOST_WHOLE: Final = 2_000
WINDOWS: Final = (2, 6, 15, 40)
MOST_OUTPUT: Final = 40_000
"""Characters of an output that the usual policy leaves as it is, whatever the characters are."""

_MUTATIONS: Final = (0, 1, 1, 2, 3)


def scripts_of(corpus: Corpus, scope: Scope, *, seed: int, start: int, count: int) -> list[Script]:
    """Give the scripts of a corpus with these numbers.

    Script i of a corpus, a scope and a seed is always the same. The first ones are the sessions
    themselves, whole; there are none where the scope takes no item of any session.
    """
    sessions = fitted(corpus, scope)
    if not sessions:
        return []
    return [
        _Writer(scope, Random(f"{seed}/{corpus.sha256}/{place}")).script(sessions, place)  # noqa: S311
        for place in range(start, start + count)
    ]


@lru_cache(4)
def fitted(corpus: Corpus, scope: Scope) -> tuple[Session, ...]:
    """Give what of each session lies within a scope; sessions of which nothing does are dropped."""
    narrowed = (_narrowed(session, scope) for session in corpus.sessions)
    return tuple(session for session in narrowed if session.items)


def _narrowed(session: Session, scope: Scope) -> Session:
    moves: list[Move] = []
    for move in session.moves:
        match move:
            case Recorded():
                item = _within(move.item, scope)
                if item is not None:
                    moves.append(evolve(move, item=item))
            case Replaced(items):
                kept = (one for one in (_within(item, scope) for item in items) if one is not None)
                moves.append(Replaced(tuple(kept)))
            case RolledBack():
                moves.append(move)
    return Session(tuple(moves))


def _within(item: JsonObject, scope: Scope) -> JsonObject | None:
    """Give an item as the scope takes it, or None."""
    if not scope.takes(item):
        return None
    try:
        read = write_item(read_item(item, scope.edition))
    except ItemError:
        return None
    taken = _with_plain_media(read) if scope.mints_ids else read
    op = _recording([taken], None)
    if not (lies_within([op], scope) and is_settled([op], scope.edition)):
        return None
    if "recording" not in scope.claim.profiles and _output_length(taken) > MOST_OUTPUT:
        return None
    return taken


def _with_plain_media(item: JsonObject) -> JsonObject:
    """Keep to the media of which it is settled what recording makes of them (E11-5)."""
    if not any("image_url" in entry for entry in entries_of(item)):
        return item
    body = "content" if isinstance(item.get("content"), list) else "output"
    entries = item[body]
    assert isinstance(entries, list)
    return {**item, body: [_plain_entry(one) for one in entries]}


def _plain_entry(entry: Json) -> Json:
    if not isinstance(entry, dict) or "image_url" not in entry:
        return entry
    plain: JsonObject = {**entry, "image_url": PNG}
    if plain.get("detail") not in {None, "auto", "high"}:
        del plain["detail"]
    return plain


def _output_length(item: JsonObject) -> int:
    body = item.get("output")
    if isinstance(body, str):
        return len(body.encode())
    return sum(len(str(entry.get("text", ""))) + 4 for entry in entries_of(item)) if body else 0


def _recording(items: Sequence[Json], policy: JsonObject | None) -> JsonObject:
    return {"op": "record_items", "items": [*items], "policy": policy or POLICY}


@define
class _Writer:
    """Writes one script, every choice out of one generator."""

    scope: Scope
    random: Random

    def script(self, sessions: Sequence[Session], place: int) -> Script:
        """Give the script of this number."""
        if place < len(sessions):
            moves = list(sessions[place].moves[:MOST_WHOLE])
        else:
            moves = self._window(self.random.choice(sessions))
            for _ in range(self.random.choice(_MUTATIONS)):
                moves = self.random.choice(MUTATIONS)(moves, self.random)
        script = [*self._restored(moves), *self._looks()]
        # Only the later edition leaves anything open, and to find out is dear where texts are long.
        settled = not self.scope.mints_ids or is_settled(script, self.scope.edition)
        return script if settled else self._plain(moves)

    def _window(self, session: Session) -> list[Move]:
        size = self.random.choice(WINDOWS)
        start = self.random.randrange(max(1, len(session.moves) - size // 2))
        return list(session.moves[start : start + size])

    def _restored(self, moves: list[Move]) -> Script:
        """Read the session back as a stored one, now and then where that can be done (E11-2)."""
        items = [move.item for move in moves if isinstance(move, Recorded)]
        fits = len(items) == len(moves) and all(
            is_restorable(one) and _output_length(one) <= MOST_OUTPUT for one in items
        )
        if fits and self.scope.may("restore_items") and self._sometimes():
            return [{"op": "restore_items", "items": list[Json](items)}]
        return list(self._played(moves))

    def _played(self, moves: Sequence[Move]) -> Iterator[JsonObject]:
        waiting: list[Json] = []
        policy: JsonObject | None = None
        for move in moves:
            if isinstance(move, Recorded) and self._policy(move) == policy and not self._seldom():
                waiting.append(move.item)
                continue
            yield from self._stored(waiting, policy)
            waiting, policy = [], None
            match move:
                case Recorded():
                    waiting, policy = [move.item], self._policy(move)
                case Replaced(items):
                    yield from self._replacing(items)
                case RolledBack(turns):
                    yield from self._asking("drop_last_n_user_turns", num_turns=turns)
        yield from self._stored(waiting, policy)

    def _stored(self, items: list[Json], policy: JsonObject | None) -> Iterator[JsonObject]:
        if not items:
            return
        yield _recording(items, policy)
        if self._seldom():
            yield self._projection()
        elif self._seldom():
            yield from self._asking("remove_first_item")

    def _policy(self, move: Recorded) -> JsonObject | None:
        return move.policy if "recording" in self.scope.claim.profiles else None

    def _replacing(self, items: Sequence[JsonObject]) -> Iterator[JsonObject]:
        if self.scope.may("replace"):
            yield {"op": "replace", "items": [*items]}
        elif items:
            yield _recording(items, None)

    def _looks(self) -> Iterator[JsonObject]:
        yield self._projection()
        yield self._projection()
        for name in ("raw_items", "history_version", "remove_first_item"):
            if self._sometimes():
                yield from self._asking(name)
        if self._sometimes():
            turns = self.random.randint(0, 3)
            yield from self._asking("drop_last_n_user_turns", num_turns=turns)
            yield self._projection()

    def _plain(self, moves: Sequence[Move]) -> Script:
        """Record the items alone, each of which was found settled by itself."""
        items = [move.item for move in moves if isinstance(move, Recorded)]
        return [_recording(items, None), self._projection()]

    def _projection(self) -> JsonObject:
        claimed = [one for one in MODALITIES if self.scope.takes_modality(one)]
        taken: list[Json] = [one for one in claimed if self.random.random() < _TAKEN]
        return {"op": "for_prompt", "input_modalities": taken}

    def _asking(self, name: str, **arguments: Json) -> Iterator[JsonObject]:
        if self.scope.may(name):
            yield {"op": name, **arguments}

    def _sometimes(self) -> bool:
        return self.random.random() < _SOMETIMES

    def _seldom(self) -> bool:
        return self.random.random() < _SELDOM


_TAKEN: Final = 0.7
_SOMETIMES: Final = 0.3
_SELDOM: Final = 0.08

Mutation = Callable[["list[Move]", Random], "list[Move]"]


def _without_output(moves: list[Move], random: Random) -> list[Move]:
    return _without_one(moves, random, "output")


def _without_call(moves: list[Move], random: Random) -> list[Move]:
    return _without_one(moves, random, "call")


def _without_one(moves: list[Move], random: Random, ending: str) -> list[Move]:
    places = [
        place
        for place, move in enumerate(moves)
        if isinstance(move, Recorded) and str(move.item["type"]).endswith(ending)
    ]
    if not places:
        return moves
    place = random.choice(places)
    return [*moves[:place], *moves[place + 1 :]]


def _moved(moves: list[Move], random: Random) -> list[Move]:
    if not moves:
        return moves
    rest = [*moves]
    move = rest.pop(random.randrange(len(rest)))
    rest.insert(random.randint(0, len(rest)), move)
    return rest


def _neighbours_swapped(moves: list[Move], random: Random) -> list[Move]:
    if len(moves) < 2:  # noqa: PLR2004 -- one has no neighbour
        return moves
    place = random.randrange(len(moves) - 1)
    first, second = moves[place : place + 2]
    return [*moves[:place], second, first, *moves[place + 2 :]]


def _twice(moves: list[Move], random: Random) -> list[Move]:
    if not moves:
        return moves
    move = random.choice(moves)
    place = random.randint(0, len(moves))
    return [*moves[:place], move, *moves[place:]]


def _without_head(moves: list[Move], random: Random) -> list[Move]:
    return moves[random.randint(0, len(moves) // 2) :]


def _rolled_back(moves: list[Move], random: Random) -> list[Move]:
    place = random.randint(0, len(moves))
    return [*moves[:place], RolledBack(random.randint(0, 3)), *moves[place:]]


def _without_id(moves: list[Move], random: Random) -> list[Move]:
    """Take an item's id, as older releases recorded none (SYN-2)."""
    places = [
        place
        for place, move in enumerate(moves)
        if isinstance(move, Recorded) and "id" in move.item
    ]
    if not places:
        return moves
    place = random.choice(places)
    move = moves[place]
    assert isinstance(move, Recorded)
    item = {name: value for name, value in move.item.items() if name != "id"}
    return [*moves[:place], evolve(move, item=item), *moves[place + 1 :]]


MUTATIONS: Final[tuple[Mutation, ...]] = (
    _without_output,
    _without_call,
    _moved,
    _neighbours_swapped,
    _twice,
    _without_head,
    _rolled_back,
    _without_id,
)
"""What recorded sessions have not, and others will."""
