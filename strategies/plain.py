"""Plain strategies of items and histories, to read, to compose and to narrow.

Every one is a function whose parameters are strategies with defaults, so that one dimension can be
pinned while the others stay free:

    histories(function_calls(call_ids=st.just("c1")) | messages())

All values are in wire form (SPEC 1.1), can be read, and are recorded as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from contextcert.refmodel import Json, JsonObject
from contextcert.strategies.enumeration import modality_sets
from contextcert.strategies.item_values import META, PNG, audio, image, item
from contextcert.strategies.scope import Scope
from contextcert.strategies.unicode_text import texts as unicode_texts

Texts: TypeAlias = SearchStrategy[str]
OptionalTexts: TypeAlias = "SearchStrategy[str | None] | SearchStrategy[str]"
Values: TypeAlias = SearchStrategy[Json]
Items: TypeAlias = SearchStrategy[JsonObject]

_DEEP: Final = 60


def call_ids() -> Texts:
    """Give the strategy of call ids from a tiny pool, so that calls and outputs meet."""
    return st.sampled_from(("c1", "c2", ""))


def item_ids() -> Texts:
    """Give the strategy of item ids of the form `prefix_suffix`, often shared ones."""
    return st.sampled_from(("x_1", "x_2", "x_3"))


def executions() -> Texts:
    """Give the strategy of who executes a tool search: letter case counts (ORPH-5)."""
    return st.sampled_from(("client", "server", "Server", "other"))


def modalities(scope: Scope) -> SearchStrategy[tuple[str, ...]]:
    """Give the strategy of what a model can take in, everything claimed first."""
    return st.sampled_from(modality_sets(scope))


def json_values(texts: Texts | None = None, *, exact_numbers: bool = True) -> Values:
    """Give the strategy of JSON values, nested up to sixty deep, with keys that trip decoders."""
    words = _or_unicode(texts)
    numbers: tuple[Json, ...] = (0, 1, -1, 2**31, 0.5)
    exact: tuple[Json, ...] = (1.0, 2**53 + 1, -(2**63), 2**64 - 1, 1e300)
    leaves: Values = st.one_of(
        st.sampled_from((None, False, True)),
        st.sampled_from((*numbers, *exact) if exact_numbers else numbers),
        words,
    )
    keys = st.one_of(words, st.sampled_from(("__proto__", "constructor", "type", "id", "")))
    return st.one_of(
        leaves,
        st.lists(leaves, max_size=3),
        st.dictionaries(keys, leaves, max_size=3),
        st.builds(_nested, leaves, st.sampled_from((1, 2, _DEEP))),
    )


def _nested(value: Json, depth: int) -> Json:
    for level in range(depth):
        value = [value] if level % 2 else {"in": value}
    return value


def entries(texts: Texts | None = None, *, images: bool = True, audios: bool = True) -> Items:
    """Give the strategy of content entries that messages and outputs may both hold."""
    kinds: list[Items] = [_written("input_text", "text", texts)]
    if images:
        kinds.append(st.sampled_from((image(), image(detail="auto"), image(detail="high"))))
    if audios:
        kinds.append(st.builds(audio))
    return st.one_of(*kinds)


def _written(entry_type: str, name: str, texts: Texts | None) -> Items:
    return _or_unicode(texts).map(lambda value: {"type": entry_type, name: value})


def bodies(texts: Texts | None = None, content: Items | None = None) -> Values:
    """Give the strategy of output bodies: a text, a data URL as text, or entries."""
    secrets = _written("encrypted_content", "encrypted_content", texts)
    listed = _listed(st.one_of(_or_entries(content), secrets))
    return st.one_of(_or_unicode(texts), st.just(PNG), listed)


def _listed(of: Items) -> Values:
    return st.lists(of, max_size=4).map(lambda drawn: [*drawn])


def metas(turn_ids: Texts | None = None) -> Items:
    """Give the strategy of passthrough metadata (`meta` in SPEC 1.1)."""
    return st.fixed_dictionaries({}, optional={"turn_id": _or_unicode(turn_ids)})


def messages(
    roles: Texts | None = None, content: Items | None = None, item_ids: Texts | None = None
) -> Items:
    """Give the strategy of messages that are recorded, whatever their role."""
    spoken = _written("output_text", "text", None)
    named = st.sampled_from(("user", "assistant", "developer", "tool", "System"))
    listed: Values = _listed(st.one_of(_or_entries(content), spoken))
    return _items(
        "message",
        item_ids,
        {"role": named if roles is None else roles, "content": listed},
        {"phase": st.sampled_from(("commentary", "final_answer")), META: metas()},
    )


def function_calls(
    call_ids: Texts | None = None, item_ids: Texts | None = None, texts: Texts | None = None
) -> Items:
    """Give the strategy of function calls."""
    words = _or_unicode(texts)
    return _items(
        "function_call",
        item_ids,
        {"call_id": _or_call_ids(call_ids), "name": words, "arguments": words},
        {"namespace": words, META: metas(words)},
    )


def function_call_outputs(
    call_ids: Texts | None = None, item_ids: Texts | None = None, output: Values | None = None
) -> Items:
    """Give the strategy of function outputs, which answer function and local shell calls."""
    return _items(
        "function_call_output",
        item_ids,
        {"call_id": _or_call_ids(call_ids), "output": bodies() if output is None else output},
        {META: metas()},
    )


def custom_tool_calls(
    call_ids: Texts | None = None, item_ids: Texts | None = None, texts: Texts | None = None
) -> Items:
    """Give the strategy of custom tool calls."""
    words = _or_unicode(texts)
    return _items(
        "custom_tool_call",
        item_ids,
        {"call_id": _or_call_ids(call_ids), "name": words, "input": words},
        {"status": words, "namespace": words, META: metas(words)},
    )


def custom_tool_call_outputs(
    call_ids: Texts | None = None, item_ids: Texts | None = None, output: Values | None = None
) -> Items:
    """Give the strategy of custom tool outputs."""
    return _items(
        "custom_tool_call_output",
        item_ids,
        {"call_id": _or_call_ids(call_ids), "output": bodies() if output is None else output},
        {"name": unicode_texts(), META: metas()},
    )


def tool_search_calls(
    call_ids: OptionalTexts | None = None,
    item_ids: Texts | None = None,
    arguments: Values | None = None,
) -> Items:
    """Give the strategy of tool search calls, some without call id."""
    return _items(
        "tool_search_call",
        item_ids,
        {
            "call_id": _or_optional_call_ids(call_ids),
            "execution": executions(),
            "arguments": json_values() if arguments is None else arguments,
        },
        {"status": unicode_texts(), META: metas()},
    )


def tool_search_outputs(
    call_ids: OptionalTexts | None = None,
    item_ids: Texts | None = None,
    tools: Values | None = None,
) -> Items:
    """Give the strategy of tool search outputs, some without call id, some of the server."""
    return _items(
        "tool_search_output",
        item_ids,
        {
            "call_id": _or_optional_call_ids(call_ids),
            "status": st.sampled_from(("completed", "failed")),
            "execution": executions(),
            "tools": st.lists(json_values() if tools is None else tools, max_size=2),
        },
        {META: metas()},
    )


def local_shell_calls(
    call_ids: OptionalTexts | None = None, item_ids: Texts | None = None
) -> Items:
    """Give the strategy of local shell calls, some without call id."""
    return _items(
        "local_shell_call",
        item_ids,
        {
            "call_id": _or_optional_call_ids(call_ids),
            "status": st.sampled_from(("completed", "in_progress", "incomplete")),
        },
        {META: metas()},
    )


def image_generation_calls(item_ids: Texts | None = None, texts: Texts | None = None) -> Items:
    """Give the strategy of image generation calls."""
    words = _or_unicode(texts)
    return _items(
        "image_generation_call",
        item_ids,
        {"status": words, "result": words},
        {"revised_prompt": words, META: metas(words)},
    )


def compactions(item_ids: Texts | None = None, texts: Texts | None = None) -> Items:
    """Give the strategy of compactions."""
    words = _or_unicode(texts)
    return _items("compaction", item_ids, {"encrypted_content": words}, {META: metas(words)})


def items(
    scope: Scope | None = None,
    call_ids: Texts | None = None,
    item_ids: Texts | None = None,
    texts: Texts | None = None,
) -> Items:
    """Give the strategy of items of all the types above, within the scope if there is one."""
    within = Scope.full() if scope is None else scope
    content = entries(
        texts, images=within.takes_modality("image"), audios=within.takes_modality("audio")
    )
    output = bodies(texts, content)
    values = json_values(texts, exact_numbers=within.exact_numbers)
    optional_call_ids = st.one_of(_or_call_ids(call_ids), st.none())
    kinds: dict[str, Items] = {
        "message": messages(None, content, item_ids),
        "function_call": function_calls(call_ids, item_ids, texts),
        "function_call_output": function_call_outputs(call_ids, item_ids, output),
        "custom_tool_call": custom_tool_calls(call_ids, item_ids, texts),
        "custom_tool_call_output": custom_tool_call_outputs(call_ids, item_ids, output),
        "tool_search_call": tool_search_calls(optional_call_ids, item_ids, values),
        "tool_search_output": tool_search_outputs(optional_call_ids, item_ids, values),
        "local_shell_call": local_shell_calls(optional_call_ids, item_ids),
        "image_generation_call": image_generation_calls(item_ids, texts),
        "compaction": compactions(item_ids, texts),
    }
    return st.one_of([kind for item_type, kind in kinds.items() if within.takes_type(item_type)])


def histories(
    of: Items | None = None, lengths: Sequence[int] = (0, 1, 2, 4, 8)
) -> SearchStrategy[list[JsonObject]]:
    """Give the strategy of histories: a length is drawn first, then exactly that many items."""
    values = items() if of is None else of
    listed = {length: st.lists(values, min_size=length, max_size=length) for length in lengths}
    return st.sampled_from(tuple(lengths)).flatmap(lambda length: listed[length])


def _items(
    item_type: str,
    ids: Texts | None,
    required: Mapping[str, Values],
    optional: Mapping[str, Values],
) -> Items:
    """Put items together: an optional field is there or not, and so is the id."""
    chosen = {**optional, "id": item_ids() if ids is None else ids}
    fields = st.fixed_dictionaries(dict(required), optional=chosen)
    return fields.map(lambda drawn: item(item_type, **drawn))


def _or_call_ids(chosen: Texts | None) -> Texts:
    return call_ids() if chosen is None else chosen


def _or_optional_call_ids(chosen: OptionalTexts | None) -> OptionalTexts:
    return st.one_of(call_ids(), st.none()) if chosen is None else chosen


def _or_unicode(chosen: Texts | None) -> Texts:
    return unicode_texts() if chosen is None else chosen


def _or_entries(chosen: Items | None) -> Items:
    return entries() if chosen is None else chosen
