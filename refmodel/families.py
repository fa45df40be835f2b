"""The four families of calls and outputs (SPEC 1.2) and the messages of anomalies (MODE-1)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import frozen

from contextcert.refmodel.items import (
    Call,
    CustomToolCall,
    CustomToolCallOutput,
    FunctionCall,
    FunctionCallOutput,
    LocalShellCall,
    Output,
    ToolSearchCall,
    ToolSearchOutput,
)

ABORTED: Final = "aborted"


@frozen(eq=False)
class Family:
    """How the calls of one family are answered."""

    output: type[Output]
    output_prefix: str
    synthetic: Callable[[str | None, str], Output]
    """Makes an output that nobody gave, from its item id and its call_id (PAIR-1 to PAIR-4)."""
    missing: str | None
    """What to say about an unanswered call, its call_id following; None if that is no anomaly."""


def _aborted_function_output(item_id: str | None, call_id: str) -> Output:
    return FunctionCallOutput(id=item_id, call_id=call_id, output=ABORTED)


def _aborted_custom_output(item_id: str | None, call_id: str) -> Output:
    return CustomToolCallOutput(id=item_id, call_id=call_id, output=ABORTED)


def _empty_search_output(item_id: str | None, call_id: str) -> Output:
    return ToolSearchOutput(
        id=item_id, call_id=call_id, status="completed", execution="client", tools=[]
    )


FAMILIES: Final[Mapping[type[Call], Family]] = {
    FunctionCall: Family(
        FunctionCallOutput,
        "fco",
        _aborted_function_output,
        missing=None,
    ),
    LocalShellCall: Family(
        FunctionCallOutput,
        "fco",
        _aborted_function_output,
        missing="Local shell call output is missing for call id: ",
    ),
    CustomToolCall: Family(
        CustomToolCallOutput,
        "ctco",
        _aborted_custom_output,
        missing="Custom tool call output is missing for call id: ",
    ),
    ToolSearchCall: Family(
        ToolSearchOutput,
        "tso",
        _empty_search_output,
        missing=None,
    ),
}
"""The family of each type of call."""

ORPHANS: Final[Mapping[type[Output], str]] = {
    FunctionCallOutput: "Orphan function call output for call id: ",
    CustomToolCallOutput: "Orphan custom tool call output for call id: ",
    ToolSearchOutput: "Orphan tool search output for call id: ",
}
"""What to say about an orphan of each type of output, its call_id following."""
