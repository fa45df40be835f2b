"""The world state last reported, and what to report next (SPEC 4.7)."""

from __future__ import annotations

from dataclasses import replace

from zoo.values import History, Json, Object


class World:
    """Reports states; every underscored method is a place where a fault may sit."""

    def _reported(self, history: History, state: Object) -> tuple[History, Json]:
        return self._with_baseline(history, state), self._report_of(history.baseline, state)

    def _with_baseline(self, history: History, state: Object) -> History:
        return replace(history, baseline=state)

    def _report_of(self, baseline: Json, state: Object) -> Json:
        if self._is_unknown(baseline):
            return {"full": True, "state": state}
        if self._same(baseline, state):
            return None
        return {"full": False, "patch": self._patch(baseline, state)}

    def _is_unknown(self, baseline: Json) -> bool:
        return baseline is None

    def _patch(self, old: Json, new: Json) -> Json:
        if not isinstance(old, dict) or not isinstance(new, dict):
            return new
        patch: Object = {}
        for key in old:
            if key not in new:
                patch.update(self._removed_key(key))
        for key in new:
            if key not in old:
                patch[key] = new[key]
            elif not self._same(old[key], new[key]):
                patch[key] = self._patch(old[key], new[key])
        return patch

    def _removed_key(self, key: str) -> Object:
        return {key: None}

    def _same(self, one: Json, other: Json) -> bool:
        if isinstance(one, dict) and isinstance(other, dict):
            return one.keys() == other.keys() and all(self._same(one[k], other[k]) for k in one)
        if isinstance(one, list) and isinstance(other, list):
            return len(one) == len(other) and all(map(self._same, one, other))
        return self._same_scalar(one, other)

    def _same_scalar(self, one: Json, other: Json) -> bool:
        return type(one) is type(other) and bool(one == other)
