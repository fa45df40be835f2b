"""Switches on every fault of a kit, and requires that it is reported as kits/faults.json says.

usage: kit_faults.py CONTEXTCERT LANG [FAULT...]      the kit is built
"""

# ruff: noqa: INP001, T201 (a program, which tells what it found)

import json
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

KITS = Path(__file__).parent.parent / "kits"
UNUSABLE = 2

REFUSALS = {"certify": "build, asked for", "smoke": "exited with code"}
"""By what a refusal is known, so that no other trouble passes for it."""

# Pinned examples exercise every clause in every mode, in a second or two.
EVIDENCE = "vectors"
TIME_OUT_FACTOR = {"hang": 0.1}
"""A hang costs half a second a try; starting then has one."""


def ask(program: str, language: str, fault: str, folder: Path) -> tuple[int, str, dict[str, Any]]:
    """Certify the faulty kit, and give the exit code, what was said and the certificate."""
    config = folder / "contextcert.toml"
    plain = (KITS / language / "contextcert.toml").read_text("utf-8")
    factor = TIME_OUT_FACTOR.get(fault, 1.0)
    # Keys at the end of the file belong to its one table, the subject's.
    added = f"\ncwd = {json.dumps(str(KITS / language))}\ntime_out_factor = {factor}\n"
    config.write_text(plain + added, "utf-8")
    asked = [language, "--config", str(config)]
    ran = run([program, "certify", *asked, "--evidence", EVIDENCE, "--workers", "1"], fault, folder)
    certificate = folder / "certificate.json"
    found = json.loads(certificate.read_text("utf-8")) if certificate.exists() else {}
    if ran.returncode == 0:
        ran = run([program, "smoke", *asked], fault, folder)
    return ran.returncode, ran.stdout + ran.stderr, found


def run(command: list[str], fault: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command with the fault switched on."""
    out = ["--out", str(folder)] if "certify" in command else []
    environment = os.environ | {"CONTEXTCERT_FAULT": fault}
    return subprocess.run(  # noqa: S603 (the program that is being tried)
        command + out, env=environment, capture_output=True, text=True, check=False
    )


def reported(certificate: dict[str, Any], mode: str) -> set[str]:
    """List the clauses that are violated in a mode."""
    return {
        clause["id"]
        for clause in certificate.get("clauses", ())
        if clause["modes"].get(mode, {}).get("verdict") == "violates"
    }


def refusal(
    fault: dict[str, Any], code: int, said: str, certificate: dict[str, Any]
) -> tuple[str, str]:
    """Say what is missing in a refusal, and what was said instead."""
    words = REFUSALS[fault["refused_by"]]
    by_smoke = bool(certificate)
    if code == UNUSABLE and by_smoke == (fault["refused_by"] == "smoke") and words in said:
        return "", f"refused: …{said[-90:]}"
    return f"a refusal that says {words!r}", f"exit {code}: …{said[-300:]}"


def report(
    fault: dict[str, Any], code: int, said: str, certificate: dict[str, Any]
) -> tuple[str, str]:
    """Say what is missing in a certificate, and what is reported there."""
    missing = [] if code == 1 else [f"exit 1 (it was {code}: …{said[-200:]})"]
    told = []
    for mode in fault["modes"]:
        clauses = reported(certificate, mode)
        kinds = {one["kind"] for one in certificate.get("faults", ()) if one["mode"] == mode}
        told.append(f"{mode}: {', '.join([*sorted(kinds), *sorted(clauses)]) or 'nothing'}")
        if "clauses" in fault and not clauses.intersection(fault["clauses"]):
            missing.append(f"{' or '.join(fault['clauses'])} in {mode}")
        if "faults" in fault and not kinds.intersection(fault["faults"]):
            missing.append(f"{' or '.join(fault['faults'])} in {mode}")
    return ", ".join(missing), "; ".join(told)


def tried(program: str, language: str, fault: dict[str, Any]) -> bool:
    """Try one fault, say how it went, and whether it was caught."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        code, said, certificate = ask(program, language, fault["name"], Path(folder))
    judge = refusal if "refused_by" in fault else report
    missing, told = judge(fault, code, " ".join(said.split()), certificate)
    verdict = f"NOT CAUGHT, missing {missing}" if missing else "caught"
    seconds = time.monotonic() - begun
    print(f"  {fault['name']:<28} {seconds:5.1f} s  {verdict}  ({told})", flush=True)
    return not missing


def main() -> None:
    """Try all faults, two at a time."""
    program, language, *only = sys.argv[1:]
    faults = json.loads((KITS / "faults.json").read_text("utf-8"))["faults"]
    asked = [fault for fault in faults if not only or fault["name"] in only]
    with ThreadPoolExecutor(max_workers=2) as pool:
        caught = list(pool.map(lambda fault: tried(program, language, fault), asked))
    print(f"  {language}: {sum(caught)} of {len(caught)} faults caught")
    sys.exit(0 if all(caught) else 1)


main()
