/** The fault switch: CONTEXTCERT_FAULT=name breaks this subject in one known place, to try a suite. */

import { writeSync } from "node:fs";

import { writeLine } from "./protocol.js";
import type { Item } from "./history/items.js";

const NAMES = [
  // wrong answers
  "adjacent-pairing",
  "call-id-in-synthetic-id",
  "families-share-ids",
  "orphan-kept",
  "image-removed",
  "marker-counts-removed",
  "head-removes-all-matches",
  "baseline-kept-by-rollback",
  "version-bumped-by-recording",
  "mixed-bundle-keeps-reference",
  "clone-shares-state",
  "delta-after-replace",
  "repair-written-back",
  "empty-call-id-is-absent",
  // wrong mode
  "no-panic-in-debug",
  "another-panic-message",
  "release-panics",
  "wrong-mode",
  // transport
  "crash",
  "hang",
  "garbage",
  "wrong-id",
  "half-line",
  "unknown-operation-crashes",
] as const;

type Name = (typeof NAMES)[number];

const active = chosen(process.env["CONTEXTCERT_FAULT"] ?? "");

export function fault(name: Name): boolean {
  return active === name;
}

function chosen(name: string): Name | null {
  if (name === "") return null;
  const known = NAMES.find((each) => each === name);
  if (known !== undefined) return known;
  console.error(`CONTEXTCERT_FAULT=${name} is no fault of this subject: choose one of ${NAMES.join(", ")}.`);
  process.exit(2);
}

export function dieOf(reason: string): never {
  console.error(`dying of ${reason}, as CONTEXTCERT_FAULT asks`);
  process.exit(3);
}

let sabotaged = false;

/** The faults of the transport wait for a projection that meets an agent message. */
export function beforeProjection(history: { items(): Item[] }): void {
  if (active === null || !history.items().some(({ type }) => type === "agent_message")) return;
  if (fault("crash")) dieOf("an agent message");
  if (fault("hang")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  sabotaged = true;
}

/** Writes an answer, or what a broken transport makes of it. */
export function write(line: string): void {
  const broken = sabotaged;
  sabotaged = false;
  if (broken && fault("half-line")) {
    writeSync(1, line.slice(0, line.length / 2));
    process.exit(0);
  }
  if (broken && fault("garbage")) return writeLine(`this line is no JSON\n${line}`);
  writeLine(broken && fault("wrong-id") ? renumbered(line) : line);
}

function renumbered(line: string): string {
  const answer = JSON.parse(line);
  return JSON.stringify({ ...answer, id: answer.id + 1 });
}
