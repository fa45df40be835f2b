"""Subjects with one fault each, for the tests of the campaign: the model, and damage done to it."""

from __future__ import annotations

import json
import os
import time

from contextcert.adapters.model import ModelSubject
from contextcert.refmodel import Json, JsonObject, Mode


class Sound:
    """The model, asked as any other subject is."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Remember the mode, and say who answers."""
        self.mode = Mode(params["mode"])
        self._model = ModelSubject(self.mode)
        answer = self._model.initialize(params)
        answer["implementation"] = {"name": type(self).__name__, "version": "1", "language": "-"}
        return answer

    def run(self, params: JsonObject) -> JsonObject:
        """Run the script on the model, then do the damage."""
        ops = params["ops"]
        assert isinstance(ops, list)
        before = {**params, "ops": [self.asked(op) for op in ops]}
        outcomes = self._model.run(before)["outcomes"]
        assert isinstance(outcomes, list)
        pairs = zip(ops, outcomes, strict=False)
        return {"outcomes": [self.damaged(op, one) for op, one in pairs]}

    def asked(self, op: JsonObject) -> JsonObject:
        """Change what the model is asked."""
        return op

    def damaged(self, op: JsonObject, outcome: JsonObject) -> JsonObject:
        """Change what a prompt holds."""
        if not str(op["op"]).startswith("for_prompt") or not isinstance(outcome.get("ok"), list):
            return outcome
        return {**outcome, "ok": self.prompt(list(outcome["ok"]))}

    def prompt(self, items: list[Json]) -> list[Json]:
        """Change a prompt."""
        return items


class ForgetsCustom(Sound):
    """Never completes a custom call (PAIR-3)."""

    def prompt(self, items: list[Json]) -> list[Json]:
        """Take synthetic custom outputs away."""
        return [one for one in items if not _is_synthetic(one, "custom_tool_call_output")]


class OwnIds(Sound):
    """Gives every synthetic output one and the same id (SYN-1)."""

    def prompt(self, items: list[Json]) -> list[Json]:
        """Put another id in."""
        return [_with_id(one) for one in items]


class TakesImages(Sound):
    """Sends images to every model (IMG-2)."""

    def asked(self, op: JsonObject) -> JsonObject:
        """Add images to the modalities."""
        if "input_modalities" not in op:
            return op
        return {**op, "input_modalities": ["text", "image", *op["input_modalities"]]}


class SharesMetadata(Sound):
    """Gives every envelope the metadata of the first (PROJ-5)."""

    def prompt(self, items: list[Json]) -> list[Json]:
        """Spread the first metadata."""
        return [_with_metadata_of(items[0], one) for one in items]


class WritesUnknown(Sound):
    """Keeps the type of an item that nobody knows (ITEM-2)."""

    def prompt(self, items: list[Json]) -> list[Json]:
        """Write another type."""
        return [{"type": "unknown"} if one == {"type": "other"} else one for one in items]


class NeverPanics(Sound):
    """Ships the release build twice (MODE-3)."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Say debug, be release."""
        answer = super().initialize(params)
        self._model = ModelSubject(Mode.RELEASE)
        return answer


class LosesAfterPanic(Sound):
    """Shows a history without its last item once a projection panicked (MODE-8)."""

    def run(self, params: JsonObject) -> JsonObject:
        """Lose the item in whatever shows the items."""
        outcomes = super().run(params)["outcomes"]
        assert isinstance(outcomes, list)
        assert isinstance(params["ops"], list)
        panicked = False
        for op, outcome in zip(params["ops"], outcomes, strict=False):
            if panicked and op["op"] == "raw_items" and outcome["ok"]:
                outcome["ok"] = outcome["ok"][:-1]
            panicked = panicked or "panic" in outcome
        return {"outcomes": outcomes}


class PanicsOtherwise(Sound):
    """Gives every panic but the first of a script another message (MODE-8)."""

    def run(self, params: JsonObject) -> JsonObject:
        """Speak of the lock that the first panic left behind."""
        outcomes = super().run(params)["outcomes"]
        assert isinstance(outcomes, list)
        panics = [outcome for outcome in outcomes if "panic" in outcome]
        for later in panics[1:]:
            later["panic"] = "the lock is poisoned"
        return {"outcomes": outcomes}


class DiesAfterPanic(Sound):
    """Dies when it is asked for anything after a panic (MODE-8)."""

    def run(self, params: JsonObject) -> JsonObject:
        """Die where the process would."""
        outcomes = super().run(params)["outcomes"]
        assert isinstance(outcomes, list)
        if any("panic" in outcome for outcome in outcomes[:-1]):
            raise RuntimeError("the lock is poisoned")
        return {"outcomes": outcomes}


class StopsAtPanic(Sound):
    """Cannot go on after a panic, and says so."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Take the capability back."""
        answer = super().initialize(params)
        capabilities = answer["capabilities"]
        assert isinstance(capabilities, dict)
        return {**answer, "capabilities": {**capabilities, "continue_after_panic": False}}


class Wavers(Sound):
    """Loses the first item of every seventh prompt (PROJ-2)."""

    count = 0

    def prompt(self, items: list[Json]) -> list[Json]:
        """Lose an item now and then."""
        self.count += 1
        return items[1:] if self.count % 7 == 0 else items


class Dies(Sound):
    """Dies when it projects a local shell call (MODE-3, MODE-4)."""

    def run(self, params: JsonObject) -> JsonObject:
        """Die where the process would."""
        ops = params["ops"]
        assert isinstance(ops, list)
        names = {op["op"] for op in ops}
        if "for_prompt" in names and "local_shell_call" in str(ops):
            raise RuntimeError("index out of bounds \x1b[31m[bold]")
        return super().run(params)


class DiesRecording(Sound):
    """Dies when it is given a custom tool call, whatever is done with it later."""

    def run(self, params: JsonObject) -> JsonObject:
        """Die where the process would."""
        if '"custom_tool_call"' in json.dumps(params):
            raise RuntimeError("no such type")
        return super().run(params)


class DiesAtLength(Sound):
    """Dies when it is given a script of some length."""

    def run(self, params: JsonObject) -> JsonObject:
        """Die where the process would."""
        if len(json.dumps(params)) > 1_000:
            raise RuntimeError("buffer overrun")
        return super().run(params)


class Sleeps(Sound):
    """Takes its time, so that it can be interrupted."""

    def run(self, params: JsonObject) -> JsonObject:
        """Wait, then answer."""
        time.sleep(0.05)
        return super().run(params)


class OtherProtocol(Sound):
    """Speaks a protocol that nobody knows."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Name another protocol."""
        return {**super().initialize(params), "protocol": 7}


class Exits(Sound):
    """Ends the whole process, as a worker killed by the system would."""

    def run(self, params: JsonObject) -> JsonObject:
        """End."""
        del params
        os._exit(3)


def _is_synthetic(given: Json, kind: str) -> bool:
    item = given.get("item", given) if isinstance(given, dict) else given
    return isinstance(item, dict) and item["type"] == kind and item.get("output") == "aborted"


def _with_metadata_of(first: Json, given: Json) -> Json:
    if not isinstance(first, dict) or not isinstance(given, dict) or "item" not in given:
        return given
    return {**given, "metadata": first["metadata"]}


def _with_id(given: Json) -> Json:
    if not isinstance(given, dict):
        return given
    if "item" in given:
        return {**given, "item": _with_id(given["item"])}
    if given.get("output") == "aborted" and "id" in given:
        return {**given, "id": "fco_constant"}
    return given


class LosesWhenAskedAgain(Sound):
    """Leaves the last item out of every second prompt of a history (PROJ-2)."""

    def run(self, params: JsonObject) -> JsonObject:
        """Count the prompts of each history."""
        outcomes = super().run(params)["outcomes"]
        assert isinstance(outcomes, list)
        assert isinstance(params["ops"], list)
        asked: dict[Json, int] = {}
        for op, outcome in zip(params["ops"], outcomes, strict=False):
            if op["op"].startswith("for_prompt") and outcome.get("ok"):
                asked[op.get("on", 0)] = asked.get(op.get("on", 0), 0) + 1
                if asked[op.get("on", 0)] % 2 == 0:
                    outcome["ok"] = outcome["ok"][:-1]
        return {"outcomes": outcomes}


class ForgetsAndLoses(LosesWhenAskedAgain, ForgetsCustom):
    """Has both faults (PAIR-3, PROJ-2)."""


class TakesCustomForAnswered(Sound):
    """Completes no custom call, says nothing of it, and so does not panic either (PAIR-3)."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Ask the build that does not panic, and be silent."""
        answer = super().initialize(params)
        self._model = ModelSubject(Mode.RELEASE)
        answer["capabilities"]["diagnostics"] = False  # type: ignore[index,call-overload]
        return answer

    def damaged(self, op: JsonObject, outcome: JsonObject) -> JsonObject:
        """Panic where anything but a custom call is amiss."""
        wrong = [str(one) for one in outcome.get("diagnostics", [])]  # type: ignore[union-attr]
        others = [one for one in wrong if not one.startswith("Custom tool call output is missing")]
        if others and self.mode is Mode.DEBUG:
            return {"panic": others[0]}
        outcome.pop("diagnostics", None)
        return super().damaged(op, outcome)

    def prompt(self, items: list[Json]) -> list[Json]:
        """Take synthetic custom outputs away."""
        return [one for one in items if not _is_synthetic(one, "custom_tool_call_output")]


class Blind(Sound):
    """Claims neither images nor audio."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Narrow the claim."""
        answer = super().initialize(params)
        answer["claim"]["modalities"] = ["text"]  # type: ignore[index,call-overload]
        return answer


class LongName(Sound):
    """Calls itself by a name of a megabyte."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Say the name."""
        answer = super().initialize(params)
        answer["implementation"]["name"] = "n" * 1_000_000  # type: ignore[index,call-overload]
        return answer


class HidesNothing(Sound):
    """Hides a field of an item type that there is not."""

    def initialize(self, params: JsonObject) -> JsonObject:
        """Misspell the type."""
        answer = super().initialize(params)
        hidden = {"function_cal": ["/namespace"]}
        answer["capabilities"]["hidden_fields"] = hidden  # type: ignore[index,call-overload]
        return answer


class MalformedLater(ForgetsCustom):
    """Gives no list where envelopes are asked for, after prompts that are wrong (PAIR-3)."""

    def damaged(self, op: JsonObject, outcome: JsonObject) -> JsonObject:
        """Give a number."""
        if op["op"] == "for_prompt_annotated" and "ok" in outcome:
            return {"ok": 1}
        return super().damaged(op, outcome)
