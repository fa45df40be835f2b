"""The OpenAI Agents SDK: the input its model gets from a session's stored items.

Only the public interface is used: a run with a session that holds the history and no new input,
and a model that keeps what it was sent. The SDK prunes and de-duplicates on the way.
"""

import asyncio
from typing import Any

from agents import Agent, ModelResponse, Runner, Usage, set_tracing_disabled
from agents.memory import SessionABC
from agents.models.interface import Model
from openai.types.responses import ResponseOutputMessage, ResponseOutputText
from peer import Item, Peer, serve

ITEM_TYPES = [
    "message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "tool_search_call",
    "tool_search_output",
]

DONE = ResponseOutputMessage(
    id="msg_done",
    role="assistant",
    status="completed",
    type="message",
    content=[ResponseOutputText(text="done", type="output_text", annotations=[])],
)


class Listener(Model):
    """A model that keeps its input and ends the run at once."""

    def __init__(self) -> None:
        self.heard: list[Item] = []

    async def get_response(self, *_: Any, **asked: Any) -> ModelResponse:
        self.heard = list(asked["input"])
        return ModelResponse(output=[DONE], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError("runs are not streamed here")


class Stored(SessionABC):
    """A session in memory that begins with the recorded items."""

    session_settings = None

    def __init__(self, items: list[Item]) -> None:
        self.session_id = "certified"
        self.items = items

    async def get_items(self, limit: int | None = None) -> Any:
        return self.items if limit is None else self.items[-limit:]

    async def add_items(self, items: Any) -> None:
        self.items = [*self.items, *items]

    async def pop_item(self) -> Any:
        return self.items.pop() if self.items else None

    async def clear_session(self) -> None:
        self.items = []


def main() -> None:
    """Serve the SDK as a subject."""
    set_tracing_disabled(True)
    listener = Listener()
    agent = Agent(name="certified", model=listener)
    loop = asyncio.new_event_loop()

    def sent(items: list[Item]) -> list[Item]:
        loop.run_until_complete(Runner.run(agent, [], session=Stored(items)))
        return listener.heard

    serve(Peer("openai-agents", ITEM_TYPES, sent))


if __name__ == "__main__":
    main()
