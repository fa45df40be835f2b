"""The zoo's correct implementation, as an in-process subject (DESIGN 3, edition 2026-08)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final

from zoo.projection import ORPHANS, Projection
from zoo.recording import Policy, Recording
from zoo.values import Envelope, Json, Object, PanicError, RefusalError
from zoo.wire import ITEMS, Wire

MODALITIES: Final = frozenset({"text", "image", "audio"})
PROFILES: Final = ("projection", "media", "recording", "wire")


@dataclass(frozen=True)
class History:
    """One handle's state; operations make a new one."""

    envelopes: tuple[Envelope, ...] = ()
    version: int = 0
    baseline: Json = None
    reference: Json = None
    token_info: Json = None


class ZooSubject(Wire, Recording, Projection):
    """Runs scripts; one object a mode, which the handshake tells."""

    def __init__(self, mode: str | None = None) -> None:
        """Make a build of one mode, or of the mode `initialize` asks for."""
        super().__init__()
        self._own_mode = mode
        self.mode = mode or "release"
        self._histories: dict[int, History] = {}

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
        self._histories = {}
        outcomes: list[Object] = []
        for op in params["ops"]:
            outcomes.append(self._outcome(op))
            if "panic" in outcomes[-1] and not params.get("continue_after_panic"):
                break
        return {"outcomes": outcomes}

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
        history = self._history(op)
        installed = tuple(Envelope(item) for item in items)
        version = history.version + 1
        return self._store(
            op, replace(history, envelopes=installed, version=version, baseline=None)
        )

    def _do_clone(self, op: Object) -> Object:
        self._histories[op["to"]] = self._history(op)
        return {"ok": None}

    # Reading

    def _do_for_prompt(self, op: Object) -> Object:
        return self._prompt(op, self._write_item_of)

    def _do_for_prompt_annotated(self, op: Object) -> Object:
        return self._prompt(op, self._write_envelope)

    def _prompt(self, op: Object, write: Callable[[Envelope], Object]) -> Object:
        entries = self._project(list(self._history(op).envelopes), self._modalities(op))
        shown = {"ok": [write(entry) for entry in entries]}
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

    def _write_item_of(self, envelope: Envelope) -> Object:
        return self._write_item(envelope.item)

    def _write_envelope(self, envelope: Envelope) -> Object:
        item = self._write_item_of(envelope)
        written: Object = {"item": item, "metadata": envelope.metadata}
        if envelope.success is not None:
            written["success"] = envelope.success
        return written

    # State beside the items

    def _do_history_version(self, op: Object) -> Object:
        return {"ok": self._history(op).version}

    def _do_set_reference_context_item(self, op: Object) -> Object:
        return self._store(op, replace(self._history(op), reference=op["value"]))

    def _do_reference_context_item(self, op: Object) -> Object:
        return {"ok": self._history(op).reference}

    def _do_set_world_state_baseline(self, op: Object) -> Object:
        return self._store(op, replace(self._history(op), baseline=op["state"]))

    def _do_world_state_baseline(self, op: Object) -> Object:
        return {"ok": self._history(op).baseline}

    def _do_set_token_info(self, op: Object) -> Object:
        return self._store(op, replace(self._history(op), token_info=op["value"]))

    def _do_token_info(self, op: Object) -> Object:
        return {"ok": self._history(op).token_info}
