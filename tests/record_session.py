"""Has a Codex binary record a session, with loopback alone: BINARY ITEMS OUT; prints the prompt."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from contextlib import closing
from pathlib import Path

from contextcert.adapters.codex.launch import Launcher
from contextcert.adapters.codex.mock_server import MockServer
from contextcert.adapters.codex.models import model_name
from contextcert.adapters.codex.network import NotIsolatedError, keep_to_loopback

SECONDS = 60.0


def main(binary: str, items: str, out: str) -> None:
    """Record the items, project them for a model of text and images, and keep the file."""
    try:
        keep_to_loopback()
    except NotIsolatedError as reason:
        sys.stderr.write(f"not isolated: {reason}\n")
    with tempfile.TemporaryDirectory() as folder, closing(MockServer()) as mock:
        server = Launcher(Path(binary), (), Path(folder), mock, SECONDS).start()
        with closing(server):
            thread = server.start_thread(kept=True)
            server.inject(thread, json.loads(items))
            prompt = server.project(thread, model_name(("text", "image"))).prompt
        shutil.copy(str(thread.session_file), out)
    sys.stdout.write(json.dumps(prompt))


if __name__ == "__main__":
    main(*sys.argv[1:])
