"""Pydantic AI: `pydantic_ai.messages.repair_messages` over a history of calls and outputs.

Pydantic AI keeps messages made of parts, not items. Each recorded item becomes one part that is
remembered; after the repair, each part that is still there stands for its item, and each part
that the repair made is written as an item. So the policy is judged (what is completed, what is
removed, in which order), not how fields are mapped, and the merging of neighbouring messages into
one does not show.
"""

from peer import Item, Peer, serve
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
    repair_messages,
)

ITEM_TYPES = ["message", "function_call", "function_call_output"]


def message_of(item: Item, place: str) -> ModelMessage:
    """Give the message of one part for an item; `place` finds the item again afterwards."""
    if item["type"] == "function_call":
        call = ToolCallPart(item["name"], item["arguments"], item["call_id"], id=place)
        return ModelResponse([call])
    if item["type"] == "function_call_output":
        return ModelRequest([ToolReturnPart("tool", place, item["call_id"])])
    if item["role"] == "assistant":
        return ModelResponse([TextPart(place)])
    return ModelRequest([UserPromptPart(place)])


def place_of(part: object) -> object:
    """Give what finds a part's item again, or something else where the repair made the part."""
    return part.id if isinstance(part, ToolCallPart) else getattr(part, "content", None)


def made_by_repair(part: object) -> Item:
    """Write a part that the repair made as an item."""
    if isinstance(part, ToolReturnPart):
        return {
            "type": "function_call_output",
            "call_id": part.tool_call_id,
            "output": part.model_response_str(),
        }
    return {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": str(getattr(part, "content", part))}],
    }


def repaired(items: list[Item]) -> list[Item]:
    """Send the items through the package's repair and read them back."""
    items_at = {f"item {place}": item for place, item in enumerate(items)}
    messages = repair_messages([message_of(item, place) for place, item in items_at.items()])
    return [
        items_at.get(str(place_of(part))) or made_by_repair(part)
        for message in messages
        for part in message.parts
    ]


if __name__ == "__main__":
    serve(Peer("pydantic-ai-slim", ITEM_TYPES, repaired))
