"""Faults of what is context and what is an instruction (SPEC 4.4 to 4.6; ROLL-2, 5 and 6)."""

# ruff: noqa: ARG002 - an overridden step keeps the arguments it does not need

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final, TypeVar

from zoo.faulty import life
from zoo.subject import ZooSubject
from zoo.turns import DEVELOPER_STARTS, EXTERNAL, USER_MARKS, WARNINGS, WHITE
from zoo.values import META, Object

_Make = TypeVar("_Make", bound=type[ZooSubject])

USERS: Final = ("ROLL-3", "ROLL-4", "ROLL-5")
DEVELOPERS: Final = ("ROLL-6", "REF-1")


def _user(name: str, *, why: str) -> Callable[[_Make], _Make]:
    return life(name, "ROLL-2", also=USERS, why=why)


def _developer(name: str, *, why: str) -> Callable[[_Make], _Make]:
    return life(name, "ROLL-5", also=DEVELOPERS, why=why)


@_user("marks-in-exact-case", why="letter case counts")
class _MarksInExactCase(ZooSubject):
    def _is_marked(self, text: str, mark: tuple[str, str]) -> bool:
        inner = self._trimmed(text)
        return inner.startswith(mark[0]) and inner.endswith(mark[1])


@_user("marks-in-any-letters-case", why="letters beyond ASCII are folded too")
class _MarksInAnyLettersCase(ZooSubject):
    def _folded(self, text: str) -> str:
        return text.casefold()


@_user("end-mark-not-needed", why="the start tells")
class _EndMarkNotNeeded(ZooSubject):
    def _is_marked(self, text: str, mark: tuple[str, str]) -> bool:
        return self._folded(self._trimmed(text)).startswith(self._folded(mark[0]))


@_user("start-mark-anywhere", why="a fragment may follow other text")
class _StartMarkAnywhere(ZooSubject):
    def _is_marked(self, text: str, mark: tuple[str, str]) -> bool:
        inner = self._folded(self._trimmed(text))
        return self._folded(mark[0]) in inner and inner.endswith(self._folded(mark[1]))


@_user("fragments-not-trimmed", why="white space around them is not expected")
class _FragmentsNotTrimmed(ZooSubject):
    def _trimmed(self, text: str) -> str:
        return text


@_user("trimmed-at-the-start-only", why="a final newline is not expected")
class _TrimmedAtTheStartOnly(ZooSubject):
    def _trimmed(self, text: str) -> str:
        return text.lstrip(WHITE)


@_user("ascii-white-space", why="trimming knows six characters")
class _AsciiWhiteSpace(ZooSubject):
    def _trimmed(self, text: str) -> str:
        return text.strip(" \t\n\r\v\f")


@_user("separators-are-white-space", why="Python's strip")
class _SeparatorsAreWhiteSpace(ZooSubject):
    def _trimmed(self, text: str) -> str:
        return text.strip()


@_user("byte-order-mark-is-white-space", why="JavaScript's trim")
class _ByteOrderMarkIsWhiteSpace(ZooSubject):
    def _trimmed(self, text: str) -> str:
        return text.strip(WHITE.replace("\x85", "") + "\ufeff")


class _Unknown(ZooSubject):
    """Does not know one pair of marks."""

    start: str

    def _is_marked(self, text: str, mark: tuple[str, str]) -> bool:
        return mark[0] != self.start and super()._is_marked(text, mark)


for _start, _ in USER_MARKS:
    _name = _start.strip("<># ").replace("_", "-").replace(" ", "-").replace(".", "-").lower()
    _user(f"{_name}-unknown", why="a fragment that is not on the list")(
        type(f"_{_name.title().replace('-', '')}Unknown", (_Unknown,), {"start": _start})
    )


@_user("external-unknown", why="external fragments are not known")
class _ExternalUnknown(ZooSubject):
    def _is_external(self, text: str) -> bool:
        return False


@_user("external-closed-by-any-tag", why="names are not compared")
class _ExternalClosedByAnyTag(ZooSubject):
    def _is_external(self, text: str) -> bool:
        opened = text.startswith(EXTERNAL) and ">" in text
        return opened and text.endswith(">") and f"</{EXTERNAL[1:]}" in text


@_user("external-needs-a-name", why="one letter at least")
class _ExternalNeedsAName(ZooSubject):
    def _is_external(self, text: str) -> bool:
        return super()._is_external(text) and not text.startswith(f"{EXTERNAL}>")


@_user("external-in-any-case", why="folded like marks")
class _ExternalInAnyCase(ZooSubject):
    def _is_external(self, text: str) -> bool:
        return super()._is_external(self._folded(text))


@_user("external-name-is-a-word", why="letters, digits and underscores")
class _ExternalNameIsAWord(ZooSubject):
    def _is_external(self, text: str) -> bool:
        name = text.removeprefix(EXTERNAL).partition(">")[0]
        return super()._is_external(text) and (name.replace("_", "a").isalnum() or not name)


@_user("internal-unknown", why="internal context is not known")
class _InternalUnknown(ZooSubject):
    def _is_internal(self, text: str) -> bool:
        return text.startswith("<goal_context>") and super()._is_internal(text)


@_user("goal-context-unknown", why="it is not on the list")
class _GoalContextUnknown(ZooSubject):
    def _is_internal(self, text: str) -> bool:
        return not text.startswith("<goal_context>") and super()._is_internal(text)


@_user("internal-source-is-anything", why="attributes are not read")
class _InternalSourceIsAnything(ZooSubject):
    def _is_internal(self, text: str) -> bool:
        opened = text.startswith('<codex_internal_context source="')
        closed = opened and text.endswith("</codex_internal_context>")
        return closed or super()._is_internal(text)


@_user("internal-in-any-case", why="folded like marks")
class _InternalInAnyCase(ZooSubject):
    def _is_internal(self, text: str) -> bool:
        return super()._is_internal(self._folded(text))


class _LessWarned(ZooSubject):
    """Does not know one of the warnings."""

    place: int

    def _is_warning(self, text: str) -> bool:
        start, end = WARNINGS[self.place]
        known = text.startswith(start) and text.endswith(end)
        return not known and super()._is_warning(text)


@_user("exec-warning-unknown", why="an older warning is forgotten")
class _ExecWarningUnknown(_LessWarned):
    place = 0


@_user("patch-warning-unknown", why="an older warning is forgotten")
class _PatchWarningUnknown(_LessWarned):
    place = 1


@_user("account-warning-unknown", why="an older warning is forgotten")
class _AccountWarningUnknown(_LessWarned):
    place = 2


@_user("patch-warning-ends-anyhow", why="the start tells")
class _PatchWarningEndsAnyhow(ZooSubject):
    def _is_warning(self, text: str) -> bool:
        return any(text.startswith(start) for start, _ in WARNINGS)


@_user("every-warning-is-context", why="whatever starts with Warning:")
class _EveryWarningIsContext(ZooSubject):
    def _is_warning(self, text: str) -> bool:
        return text.startswith("Warning: ")


@_user("hook-prompt-unknown", why="hooks are not known")
class _HookPromptUnknown(ZooSubject):
    def _is_hook_prompt(self, text: str) -> bool:
        return False


@_user("hook-prompt-by-its-name", why="the element's name is compared")
class _HookPromptByItsName(ZooSubject):
    def _is_hook_prompt(self, text: str) -> bool:
        return text.startswith("<hook_prompt") and super()._is_hook_prompt(text)


@_user("hook-prompt-with-blank-id", why="having the attribute is enough")
class _HookPromptWithBlankId(ZooSubject):
    def _is_hook_element(self, attributes: dict[str, str], said: str) -> bool:
        return "hook_run_id" in attributes and bool(said.strip())


@_user("hook-prompt-by-search", why="the text is searched for, not parsed")
class _HookPromptBySearch(ZooSubject):
    def _is_hook_prompt(self, text: str) -> bool:
        return text.startswith("<") and "hook_run_id=" in text and text.endswith(">")


class _UnknownStart(ZooSubject):
    """Does not know one of the developer's fragments."""

    start: str

    def _starts_developer_context(self, text: str) -> bool:
        known = self._folded(text.lstrip(WHITE)).startswith(self._folded(self.start))
        return not known and super()._starts_developer_context(text)


for _start in DEVELOPER_STARTS:
    _name = _start.strip("<>:").replace("_", "-").replace(" ", "-").lower()
    _developer(f"developer-{_name}-unknown", why="a fragment that is not on the list")(
        type(
            f"_Developer{_name.title().replace('-', '')}Unknown",
            (_UnknownStart,),
            {"start": _start},
        )
    )


@_developer("developer-context-in-exact-case", why="letter case counts")
class _DeveloperContextInExactCase(ZooSubject):
    def _starts_developer_context(self, text: str) -> bool:
        return text.lstrip(WHITE).startswith(DEVELOPER_STARTS)


@_developer("developer-context-not-trimmed", why="white space before it is not expected")
class _DeveloperContextNotTrimmed(ZooSubject):
    def _starts_developer_context(self, text: str) -> bool:
        return text == text.lstrip(WHITE) and super()._starts_developer_context(text)


@_developer("developer-context-needs-its-end", why="the end tag is asked for")
class _DeveloperContextNeedsItsEnd(ZooSubject):
    def _starts_developer_context(self, text: str) -> bool:
        closed = self._trimmed(text).endswith(">") or not text.lstrip(WHITE).startswith("<")
        return closed and super()._starts_developer_context(text)


@_developer("developer-output-is-context", why="text is text")
class _DeveloperOutputIsContext(ZooSubject):
    def _is_developer_fragment(self, part: Object) -> bool:
        return "text" in part and self._starts_developer_context(part["text"])


@_developer("developer-first-entry-decides", why="only the first entry is looked at")
class _DeveloperFirstEntryDecides(ZooSubject):
    def _is_contextual_developer(self, item: Object) -> bool:
        content = item.get("content") or []
        return super()._is_contextual_developer({**item, "content": content[:1]})


@_developer("developer-in-any-case", why="roles fold letter case")
class _DeveloperInAnyCase(ZooSubject):
    def _is_message_of(self, role: str, item: Object) -> bool:
        return bool(item["type"] == "message" and item["role"].lower() == role)


@_developer("silent-developer-is-context", why="all of nothing")
class _SilentDeveloperIsContext(ZooSubject):
    def _is_contextual_developer(self, item: Object) -> bool:
        silent = self._is_message_of("developer", item) and not item["content"]
        return silent or super()._is_contextual_developer(item)


def _instruction(name: str, *, why: str) -> Callable[[_Make], _Make]:
    return life(name, "ROLL-2", also=("ROLL-3", "ROLL-4"), why=why)


@_instruction("instruction-among-others", why="any entry may be one")
class _InstructionAmongOthers(ZooSubject):
    def _is_instruction(self, content: list[Object]) -> bool:
        return any(super(_InstructionAmongOthers, self)._is_instruction([one]) for one in content)


@_instruction("instruction-as-input-alone", why="output_text is the model's own")
class _InstructionAsInputAlone(ZooSubject):
    def _is_instruction(self, content: list[Object]) -> bool:
        said = all(part["type"] != "output_text" for part in content)
        return said and super()._is_instruction(content)


@_instruction("instruction-as-output-alone", why="an assistant's text is output_text")
class _InstructionAsOutputAlone(ZooSubject):
    def _is_instruction(self, content: list[Object]) -> bool:
        said = all(part["type"] != "input_text" for part in content)
        return said and super()._is_instruction(content)


@_instruction("instruction-with-more-after-it", why="the parser stops at the closing brace")
class _InstructionWithMoreAfterIt(ZooSubject):
    def _read_instruction(self, text: str) -> None:
        begun = text.lstrip(" \t\n\r")
        end = json.JSONDecoder().raw_decode(begun)[1]
        super()._read_instruction(begun[:end])


@_instruction("instruction-keys-repeat", why="the last one counts")
class _InstructionKeysRepeat(ZooSubject):
    def _demand_unrepeated(self, known: list[str]) -> None:
        pass


class _LaxMember(ZooSubject):
    """Does without a member."""

    key: str

    def _may_lack(self, given: Object, key: str) -> bool:
        return (key == self.key and given.get(key) is None) or super()._may_lack(given, key)


@_instruction("trigger-turn-may-lack", why="false when absent")
class _TriggerTurnMayLack(_LaxMember):
    key = "trigger_turn"


@_instruction("instruction-content-may-lack", why="empty when absent")
class _InstructionContentMayLack(_LaxMember):
    key = "content"


@_instruction("recipient-may-lack", why="everybody when absent")
class _RecipientMayLack(_LaxMember):
    key = "recipient"


@_instruction("other-recipients-may-be-null", why="null is absent")
class _OtherRecipientsMayBeNull(_LaxMember):
    key = "other_recipients"


@_instruction("instruction-id-must-be-there", why="an id is always written")
class _InstructionIdMustBeThere(ZooSubject):
    def _may_lack(self, given: Object, key: str) -> bool:
        return key != "id" and super()._may_lack(given, key)


@_instruction("instruction-id-never-null", why="null is no string")
class _InstructionIdNeverNull(ZooSubject):
    def _may_lack(self, given: Object, key: str) -> bool:
        null = key in {"id", "encrypted_content", META} and key in given
        return not null and super()._may_lack(given, key)


@_instruction("trigger-turn-is-anything", why="truth, not a boolean")
class _TriggerTurnIsAnything(ZooSubject):
    def _demand_member(self, given: Object, key: str, kind: str) -> None:
        if key != "trigger_turn" or key not in given:
            super()._demand_member(given, key, kind)


@_instruction("other-recipients-are-strings", why="their paths are not checked")
class _OtherRecipientsAreStrings(ZooSubject):
    def _demand_member(self, given: Object, key: str, kind: str) -> None:
        paths = given.get(key)
        if key == "other_recipients" and isinstance(paths, list):
            self._demand(all(isinstance(one, str) for one in paths))
        else:
            super()._demand_member(given, key, kind)


@_instruction("unknown-keys-refused", why="a closed schema")
class _UnknownKeysRefused(ZooSubject):
    def _demand_unrepeated(self, known: list[str]) -> None:
        super()._demand_unrepeated(known)
        self._known_keys = len(known)

    def _read_instruction(self, text: str) -> None:
        super()._read_instruction(text)
        self._demand(len(json.loads(text)) == self._known_keys)


class _OtherPaths(ZooSubject):
    """Takes other texts for agent paths."""

    def _read_as(self, text: str) -> str:
        raise NotImplementedError

    def _is_agent_path(self, text: str) -> bool:
        return super()._is_agent_path(self._read_as(text))


@_instruction("any-rooted-path", why="whatever starts with a slash")
class _AnyRootedPath(_OtherPaths):
    def _read_as(self, text: str) -> str:
        return "/root" if text.startswith("/") else text


@_instruction("root-below-root", why="a segment may be root")
class _RootBelowRoot(_OtherPaths):
    def _read_as(self, text: str) -> str:
        return text[:5] + text[5:].replace("/root", "/rooted")


@_instruction("capitals-in-paths", why="letter case is folded")
class _CapitalsInPaths(_OtherPaths):
    def _read_as(self, text: str) -> str:
        return text.lower()


@_instruction("slash-at-the-end-of-a-path", why="a trailing slash is ignored")
class _SlashAtTheEndOfAPath(_OtherPaths):
    def _read_as(self, text: str) -> str:
        return text.removesuffix("/")


@_instruction("morpheus-unknown", why="paths begin with /root")
class _MorpheusUnknown(_OtherPaths):
    def _read_as(self, text: str) -> str:
        return text.removesuffix("/morpheus")


@_instruction("hyphens-in-paths", why="names of agents have hyphens")
class _HyphensInPaths(_OtherPaths):
    def _read_as(self, text: str) -> str:
        return text.replace("-", "_")


@_instruction("newline-ends-a-path", why="$ matches before a final newline")
class _NewlineEndsAPath(_OtherPaths):
    def _read_as(self, text: str) -> str:
        return text.removesuffix("\n")
