"""Where instruction turns begin, and which messages lead up to one (SPEC 4.3 to 4.6)."""

from history.fragments import is_contextual_developer_text, is_contextual_user_text
from history.instructions import is_instruction
from history.items import Item


def is_boundary(item: Item) -> bool:
    """Say whether an instruction turn begins here (ROLL-2)."""
    if item["type"] == "agent_message":
        return True
    if item["type"] != "message":
        return False
    if item["role"] == "user":
        return not is_contextual_user_message(item)
    return item["role"] == "assistant" and _instructs(item)


def is_contextual_user_message(item: Item) -> bool:
    """Say whether any text of a user message is a fragment (4.4)."""
    return _is_message(item, "user") and any(
        entry["type"] == "input_text" and is_contextual_user_text(entry["text"])
        for entry in item["content"]
    )


def is_developer_message(item: Item) -> bool:
    """Say whether this is a message of role exactly `developer`."""
    return _is_message(item, "developer")


def contextual_entries(item: Item) -> int:
    """Count the contextual entries of a developer message (4.5)."""
    return sum(
        entry["type"] == "input_text" and is_contextual_developer_text(entry["text"])
        for entry in item["content"]
    )


def _is_message(item: Item, role: str) -> bool:
    return item["type"] == "message" and bool(item["role"] == role)


def _instructs(item: Item) -> bool:
    texts = [entry.get("text") for entry in item["content"]]
    return len(texts) == 1 and texts[0] is not None and is_instruction(texts[0])
