"""The mock Responses server."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from contextcert.adapters.codex.mock_server import MockServer


@pytest.fixture
def mock() -> Iterator[MockServer]:
    """Give a server that listens."""
    with closing(MockServer()) as server:
        yield server


def post(mock: MockServer, body: object, headers: dict[str, str]) -> str:
    """Send a request for a response."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{mock.port}/v1/responses", json.dumps(body).encode(), headers
    )
    with urllib.request.urlopen(request, timeout=5) as response:  # noqa: S310 -- loopback
        return str(response.read().decode())


def test_a_prompt_is_kept_and_answered_with_nothing(mock: MockServer) -> None:
    """The answer is complete and holds no output item, so that a turn records nothing."""
    answer = post(mock, {"input": [1]}, {"thread-id": "t1"})
    assert "response.completed" in answer
    assert "output_item" not in answer
    (kept,) = mock.take("t1")
    assert (kept.thread, kept.kind, kept.prompt) == ("t1", "turn", [1])
    assert mock.take("t1") == []


def test_the_kind_of_a_request_comes_from_its_metadata(mock: MockServer) -> None:
    """A compaction must not be taken for a turn."""
    metadata = json.dumps({"request_kind": "compaction"})
    post(mock, {"input": []}, {"thread-id": "t1", "x-codex-turn-metadata": metadata})
    assert [request.kind for request in mock.take("t1")] == ["compaction"]


def test_older_releases_name_the_thread_in_the_body(mock: MockServer) -> None:
    """Without the header the cache key tells the thread."""
    post(mock, {"input": [], "prompt_cache_key": "t2"}, {})
    assert len(mock.take("t2")) == 1


def test_other_threads_are_not_handed_out(mock: MockServer) -> None:
    """A late request of an earlier thread is forgotten."""
    post(mock, {"input": []}, {"thread-id": "t1"})
    assert mock.take("t2") == []
    assert mock.take("t1") == []


def test_nothing_else_is_served(mock: MockServer) -> None:
    """A request for the list of models finds nothing."""
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(f"http://127.0.0.1:{mock.port}/v1/models", timeout=5)


def test_a_compaction_fails_as_too_long_as_often_as_was_asked_for(mock: MockServer) -> None:
    """Then, or once nothing is left to remove, it fails in a way that ends it."""
    about = {"thread-id": "t1", "x-codex-turn-metadata": '{"request_kind": "compaction"}'}
    mock.ask_for_removals("t1", 2)
    answers = [post(mock, {"input": ["a", "compact"]}, about) for _ in range(4)]
    assert ["context_length_exceeded" in one for one in answers] == [True, True, False, False]
    mock.ask_for_removals("t1", 2)
    assert "context_length_exceeded" not in post(mock, {"input": ["compact"]}, about)


def test_a_request_tells_how_long_the_log_was(mock: MockServer, tmp_path: Path) -> None:
    """What was logged before it belongs to its prompt."""
    log = tmp_path / "log"
    log.write_bytes(b"12345")
    mock.watch_log(log)
    post(mock, {"input": []}, {"thread-id": "t1"})
    assert [request.log_size for request in mock.take("t1")] == [5]
