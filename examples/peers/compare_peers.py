"""Certifies each peer and writes where its policy differs from the specification, as Markdown.

    python compare_peers.py FOLDER     (certificates go to FOLDER, the table to standard output)

Run it with the Python that contextcert and the peers are installed in.
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

PEERS = ("openai_agents_peer.py", "pydantic_ai_peer.py")

HERE = Path(__file__).parent


def certificate(peer: str, folder: Path) -> dict[str, Any]:
    """Certify one peer and give the certificate; a violation is a finding, not a failure here."""
    command = shlex.join([sys.executable, str(HERE / peer)])
    out = folder / Path(peer).stem
    arguments = ["certify", "--release", command, "--out", str(out)]
    done = subprocess.run(  # noqa: S603  our own program
        [sys.executable, "-m", "contextcert", *arguments],
        stdout=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode not in (0, 1, 3):
        sys.exit(
            f"{peer} could not be certified; run it yourself: contextcert {shlex.join(arguments)}"
        )
    certified: dict[str, Any] = json.loads((out / "certificate.json").read_text("utf-8"))
    return certified


def shown(value: Any) -> str:
    """Write a JSON value for a table cell."""
    text = json.dumps(value, ensure_ascii=True).replace("|", "\\|").replace("`", "'")
    return f"`{text}`"


def smallest(violation: dict[str, Any]) -> str:
    """Say what was recorded, what the specification gives and what the peer gave."""
    recorded = [item for op in violation["script"] for item in op.get("items", ())]
    pairs = (("recorded", recorded), ("specified", violation["expected"]))
    given = (*pairs, ("given", violation["actual"]))
    return "<br>".join(f"{name}: {shown(value)}" for name, value in given)


def rows(certified: dict[str, Any]) -> list[str]:
    """Give a row for each clause that the peer's policy departs from."""
    found = []
    for clause in certified["clauses"]:
        violation = clause["modes"]["release"].get("violation")
        if violation is not None:
            cells = [clause["id"], clause["text"], violation["message"], smallest(violation)]
            found.append("| " + " | ".join(cells) + " |")
    return found


def conforming(certified: dict[str, Any]) -> str:
    """List the clauses that the peer keeps."""
    kept = [
        clause["id"]
        for clause in certified["clauses"]
        if clause["modes"]["release"]["verdict"] == "conforms"
    ]
    return ", ".join(kept)


def main() -> None:
    """Write the table of every peer."""
    if len(sys.argv) != 2:  # noqa: PLR2004  the program and one folder
        sys.exit(__doc__)
    for peer in PEERS:
        certified = certificate(peer, Path(sys.argv[1]))
        subject = certified["subject"]
        print(f"## {subject['name']} {subject['version']}\n")
        print(f"Judged: {certified['claim_in_words']}. Keeps {conforming(certified)}.\n")
        print("| clause | says | seen | smallest history |\n|---|---|---|---|")
        print("\n".join(rows(certified)) + "\n")


if __name__ == "__main__":
    main()
