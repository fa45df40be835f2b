"""Faults of synthetic ids (SYN)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

import uuid

from zoo.faulty import RELEASE, fault
from zoo.projection import FAMILIES, NAMESPACE, Entries, Keys
from zoo.subject import ZooSubject
from zoo.values import Object


@fault(
    "random-id",
    "SYN-3",
    also=("SYN-1", "PROJ-2"),
    why="a fresh random id every time, which spoils every prompt cache",
)
class _RandomId(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, _call: Object) -> str:
        return f"{prefix}_{uuid.uuid4()}"


@fault("call-prefix-kept", "SYN-1", why="fc_ instead of fco_")
class _CallPrefixKept(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix.removesuffix("o"), item_id, call)


@fault("function-prefix-for-all", "SYN-1", why="every synthetic output is named fco_")
class _FunctionPrefixForAll(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id("fco", item_id, call)


@fault("shell-prefix-of-its-own", "SYN-1", modes=RELEASE, why="shell outputs are named lsho_")
class _ShellPrefixOfItsOwn(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        own = "lsho" if call["type"] == "local_shell_call" else prefix
        return super()._derived_id(own, item_id, call)


@fault("well-known-namespace", "SYN-1", why="the object identifier namespace of RFC 9562")
class _WellKnownNamespace(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, _call: Object) -> str:
        return f"{prefix}_{uuid.uuid5(uuid.NAMESPACE_OID, f'{prefix}:{item_id}')}"


@fault("prefix-not-hashed", "SYN-1", why="the item id alone is hashed")
class _PrefixNotHashed(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, _call: Object) -> str:
        return f"{prefix}_{uuid.uuid5(NAMESPACE, item_id)}"


@fault("joined-by-underscore", "SYN-1", why="P_I is hashed instead of P:I")
class _JoinedByUnderscore(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, _call: Object) -> str:
        return f"{prefix}_{uuid.uuid5(NAMESPACE, f'{prefix}_{item_id}')}"


@fault("version-three", "SYN-1", why="MD5 instead of SHA-1")
class _VersionThree(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, _call: Object) -> str:
        return f"{prefix}_{uuid.uuid3(NAMESPACE, f'{prefix}:{item_id}')}"


@fault("upper-case-id", "SYN-1", why="hexadecimal digits in upper case")
class _UpperCaseId(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        derived = super()._derived_id(prefix, item_id, call)
        return prefix + derived.removeprefix(prefix).upper()


@fault("id-without-hyphens", "SYN-1", why="the simple form of a UUID")
class _IdWithoutHyphens(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix, item_id, call).replace("-", "")


@fault("hashed-as-utf-16", "SYN-1", why="the bytes of UTF-16 are hashed")
class _HashedAsUtf16(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, _call: Object) -> str:
        widened = f"{prefix}:{item_id}".encode("utf-16-le").decode("latin-1")
        return f"{prefix}_{uuid.uuid5(NAMESPACE, widened)}"


@fault("synthetic-without-id", "SYN-1", why="outputs are completed without id")
class _SyntheticWithoutId(ZooSubject):
    def _synthetic_id(self, call: Object) -> Object:
        return {}


@fault("no-id-hashes-call-id", "SYN-2", why="without item id the call id is hashed")
class _NoIdHashesCallId(ZooSubject):
    def _synthetic_id(self, call: Object) -> Object:
        return super()._synthetic_id({**call, "id": call.get("id") or call["call_id"]})


@fault("empty-id-hashed", "SYN-2", why="an empty item id is treated as one")
class _EmptyIdHashed(ZooSubject):
    def _synthetic_id(self, call: Object) -> Object:
        if call.get("id") == "":
            return {"id": self._derived_id(FAMILIES[call["type"]].prefix, "", call)}
        return super()._synthetic_id(call)


@fault("empty-id-copied", "SYN-2", why="a call without id gets an output with an empty one")
class _EmptyIdCopied(ZooSubject):
    def _synthetic_id(self, call: Object) -> Object:
        return super()._synthetic_id(call) or {"id": ""}


@fault("id-from-call-id", "SYN-3", also=("SYN-1",), why="the call id is hashed")
class _IdFromCallId(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix, call["call_id"], call)


@fault("call-id-hashed-too", "SYN-3", also=("SYN-1",), why="item id and call id are hashed")
class _CallIdHashedToo(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix, f"{item_id}:{call['call_id']}", call)


@fault("id-from-position", "SYN-3", also=("SYN-1",), why="the call's position is hashed")
class _IdFromPosition(ZooSubject):
    position = 0

    def _lacks_output(self, entries: Entries, position: int, answered: Keys) -> bool:
        self.position = position
        return super()._lacks_output(entries, position, answered)

    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix, f"{item_id}:{self.position}", call)


@fault(
    "position-hashed-after-the-first",
    "SYN-3",
    also=("SYN-1",),
    minimum=2,
    why="the first item is position zero and adds nothing, so short tests pass",
)
class _PositionHashedAfterTheFirst(_IdFromPosition):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        suffix = str(self.position) if self.position else ""
        return ZooSubject._derived_id(self, prefix, f"{item_id}{suffix}", call)


@fault(
    "ids-made-unique",
    "SYN-3",
    also=("SYN-1",),
    minimum=2,
    why="the second output of one item id gets a number",
)
class _IdsMadeUnique(ZooSubject):
    def _complete(self, entries: Entries) -> Entries:
        self._given: dict[str, int] = {}
        return super()._complete(entries)

    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        derived = super()._derived_id(prefix, item_id, call)
        before = self._given.get(derived, 0)
        self._given[derived] = before + 1
        return f"{derived}-{before}" if before else derived


@fault("mode-in-id", "SYN-3", also=("SYN-1",), modes=("debug",), why="debug builds salt the hash")
class _ModeInId(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        salted = f"debug:{item_id}" if self.mode == "debug" else item_id
        return super()._derived_id(prefix, salted, call)


@fault("odd-item-id-ignored", "SYN-4", also=("SYN-1",), why="only prefix_suffix counts as an id")
class _OddItemIdIgnored(ZooSubject):
    def _synthetic_id(self, call: Object) -> Object:
        return super()._synthetic_id(call) if "_" in call.get("id", "") else {}


@fault("foreign-item-id-ignored", "SYN-4", also=("SYN-1",), why="only the type's own prefix counts")
class _ForeignItemIdIgnored(ZooSubject):
    own = ("fc_", "ctc_", "tsc_", "lsh_")

    def _synthetic_id(self, call: Object) -> Object:
        return super()._synthetic_id(call) if call.get("id", "").startswith(self.own) else {}


@fault(
    "item-id-trimmed",
    "SYN-4",
    also=("SYN-1",),
    why="the item id is trimmed before hashing",
)
class _ItemIdTrimmed(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix, item_id.strip(), call)


@fault(
    "item-id-lower-cased",
    "SYN-4",
    also=("SYN-1",),
    why="the item id is lower-cased before hashing",
)
class _ItemIdLowerCased(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix, item_id.lower(), call)


@fault("item-id-without-prefix", "SYN-4", also=("SYN-1",), why="only what follows _ is hashed")
class _ItemIdWithoutPrefix(ZooSubject):
    def _derived_id(self, prefix: str, item_id: str, call: Object) -> str:
        return super()._derived_id(prefix, item_id.rpartition("_")[2], call)
