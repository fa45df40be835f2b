"""The zoo's correct implementation, as an in-process subject (DESIGN 3, edition 2026-08)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from zoo.changes import Changes
from zoo.projection import ORPHANS, Projection
from zoo.reading import Reading
from zoo.recording import Policy, Recording
from zoo.values import Envelope, History, Json, Object, PanicError, RefusalError
from zoo.wire import ITEMS
from zoo.world import World

MODALITIES: Final = frozenset({"text", "image", "audio"})
PROFILES: Final = (
    "projection",
    "media",
    "recording",
    "changes",
    "world",
    "cursor",
    "snapshots",
    "wire",
)
MOST_TURNS: Final = 2**32 - 1


class ZooSubject(Reading, Recording, Changes, World, Projection):
    """Runs scripts; one object a mode, which the handshake tells."""

    def __init__(self, mode: str | None = None) -> None:
        """Make a build of one mode, or of the mode `initialize` asks for."""
        super().__init__()
        self._own_mode = mode
        self.mode = mode or "release"
        self._histories: dict[int, History] = {}
        self._holds: dict[str, Json] = {}

    def initialize(self, params: Object) -> Object:
        """Answer the handshake."""
        self.mode = self._own_mode or params["mode"]
        return {
            "protocol": 1,
            "implementation": {"name": "zoo", "version": "1", "language": "Python"},
            "mode": self.mode,
            "editions": ["2026-08"],
            "claim": {
                "profiles": list(PROFILES),
                "item_types": list(ITEMS),
                "modalities": ["text", "image", "audio"],
            },
            "capabilities": {
                "diagnostics": True,
                "continue_after_panic": True,
                "exact_numbers": True,
                "success_flag": True,
            },
        }

    def run(self, params: Object) -> Object:
        """Run one script on fresh histories."""
        self._start()
        outcomes: list[Object] = []
        for op in params["ops"]:
            outcomes.append(self._outcome(op))
            if "panic" in outcomes[-1] and not params.get("continue_after_panic"):
                break
        return {"outcomes": outcomes}

    def _start(self) -> None:
        self._histories, self._holds = {}, {}

    def _outcome(self, op: Object) -> Object:
        act: Callable[[Object], Object] | None = getattr(self, f"_do_{op['op']}", None)
        if act is None:
            return {"unsupported": f"{op['op']} is not implemented"}
        try:
            return act(op)
        except RefusalError as refusal:
            return {"error": {"message": str(refusal)}}
        except PanicError as panic:
            return {"panic": str(panic)}

    def _history(self, op: Object) -> History:
        return self._histories.get(op.get("on", 0), History())

    def _store(self, op: Object, history: History) -> Object:
        self._histories[op.get("on", 0)] = history
        return {"ok": None}

    # Recording and rewriting

    def _do_record_items(self, op: Object) -> Object:
        given = (Envelope(self._read_item(item)) for item in self._list(op.get("items"), "items"))
        return self._append(op, given)

    def _do_record_annotated_items(self, op: Object) -> Object:
        envelopes = self._list(op.get("envelopes"), "envelopes")
        return self._append(op, (self._read_envelope(one) for one in envelopes))

    def _append(self, op: Object, given: Iterable[Envelope]) -> Object:
        policy = self._policy(op.get("policy"))
        recorded = self._record(self._read_all(given), policy)
        history = self._history(op)
        return self._store(op, replace(history, envelopes=history.envelopes + recorded))

    def _read_all(self, given: Iterable[Envelope]) -> list[Envelope]:
        return list(given)

    def _read_envelope(self, value: Object) -> Envelope:
        metadata = value.get("metadata")
        if metadata is not None and not isinstance(metadata, dict):
            raise RefusalError("metadata is no object")
        item = self._read_item(value.get("item"))
        success = value.get("success") if item["type"] in ORPHANS else None
        return Envelope(item, metadata, success)

    def _policy(self, value: Json) -> Policy:
        if not isinstance(value, dict) or value.get("mode") not in {"bytes", "tokens"}:
            raise RefusalError("a policy's mode is bytes or tokens")
        return Policy(value["mode"] == "tokens", self._read_count(value.get("limit"), "limit"))

    def _do_replace(self, op: Object) -> Object:
        items = [self._read_item(item) for item in self._list(op.get("items"), "items")]
        installed = self._installed(items)
        return self._store(op, self._after_replace(self._history(op), installed))

    def _installed(self, items: list[Object]) -> tuple[Envelope, ...]:
        return tuple(Envelope(item) for item in items)

    def _after_replace(self, history: History, installed: tuple[Envelope, ...]) -> History:
        version = history.version + 1
        return replace(history, envelopes=installed, version=version, baseline=None)

    def _do_remove_first_item(self, op: Object) -> Object:
        return self._store(op, self._without_first(self._history(op)))

    def _do_drop_last_n_user_turns(self, op: Object) -> Object:
        count = self._read_turns(op.get("num_turns"))
        return self._store(op, self._rolled_back(self._history(op), count))

    def _read_turns(self, value: Json) -> int:
        count = self._read_count(value, "num_turns")
        if count > MOST_TURNS:
            raise RefusalError("num_turns is too great")
        return count

    def _do_clone(self, op: Object) -> Object:
        self._histories[self._read_count(op.get("to"), "to")] = self._cloned(self._history(op))
        return {"ok": None}

    def _cloned(self, history: History) -> History:
        return history

    # Reading

    def _do_for_prompt(self, op: Object) -> Object:
        return self._prompt(op, self._write_item_of)

    def _do_for_prompt_annotated(self, op: Object) -> Object:
        return self._prompt(op, self._write_envelope)

    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        entries = self._project(list(self._history(op).envelopes), self._modalities(op))
        return self._with_diagnostics({"ok": [write(entry) for entry in entries]})

    def _with_diagnostics(self, shown: Object) -> Object:
        return {**shown, "diagnostics": self.diagnostics} if self.diagnostics else shown

    def _modalities(self, op: Object) -> frozenset[str]:
        given = self._read_strings(op.get("input_modalities"), "input_modalities")
        if not MODALITIES.issuperset(given):
            raise RefusalError("an input modality is text, image or audio")
        return frozenset(given)

    def _do_raw_items(self, op: Object) -> Object:
        return {"ok": [self._write_item_of(one) for one in self._history(op).envelopes]}

    def _do_raw_envelopes(self, op: Object) -> Object:
        return {"ok": [self._write_envelope(one) for one in self._history(op).envelopes]}

    def _do_hold(self, op: Object) -> Object:
        if op.get("what") not in {"raw_items", "for_prompt"}:
            raise RefusalError("raw_items or for_prompt can be held")
        handed_out = self._outcome({**op, "op": op["what"]})
        if "ok" not in handed_out:
            return handed_out
        self._holds[op["name"]] = handed_out["ok"]
        return {**handed_out, "ok": None}

    def _do_held(self, op: Object) -> Object:
        if op.get("name") not in self._holds:
            raise RefusalError("nothing of this name is held")
        return {"ok": self._held(self._holds[op["name"]])}

    def _held(self, handed_out: Json) -> Json:
        return handed_out

    def _do_read_transcript(self, op: Object) -> Object:
        return {"ok": self._transcript(self._history(op), op.get("cursor"))}

    # State beside the items

    def _do_history_version(self, op: Object) -> Object:
        return {"ok": self._history(op).version}

    def _do_set_reference_context_item(self, op: Object) -> Object:
        return self._store(op, replace(self._history(op), reference=op["value"]))

    def _do_reference_context_item(self, op: Object) -> Object:
        return {"ok": self._history(op).reference}

    def _do_update_world_state(self, op: Object) -> Object:
        state = op.get("state")
        if not isinstance(state, dict):
            raise RefusalError("a world state is an object")
        history, report = self._reported(self._history(op), state)
        self._store(op, history)
        return {"ok": report}

    def _do_set_world_state_baseline(self, op: Object) -> Object:
        return self._store(op, replace(self._history(op), baseline=op["state"]))

    def _do_world_state_baseline(self, op: Object) -> Object:
        return {"ok": self._history(op).baseline}

    def _do_set_token_info(self, op: Object) -> Object:
        return self._store(op, replace(self._history(op), token_info=op["value"]))

    def _do_token_info(self, op: Object) -> Object:
        return {"ok": self._history(op).token_info}
