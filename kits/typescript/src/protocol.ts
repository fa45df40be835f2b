/**
 * The adapter protocol, version 1: JSON-RPC, one message a line, over standard input and output.
 * It knows nothing of any history: copy it as it is, and write your calls into adapter.ts.
 */

import { Console } from "node:console";
import { readSync, writeSync } from "node:fs";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** Thrown for an operation that is refused, and so had no effect: `{"error"}`. */
export class Refusal extends Error {}

/** Thrown for an operation that is not known, or not possible here: `{"unsupported"}`. */
export class Unsupported extends Error {}

/** What you write. Whatever else `perform` throws is the panic that a debug build stops with. */
export interface Subject<Script> {
  /** The result of `initialize`: who you are, the mode of this build, claim and capabilities. */
  describe(params: JsonObject): JsonObject;
  /** Starts a script from nothing; `report` takes what is logged at error level, in order. */
  begin(report: (message: string) => void): Script;
  /** Performs one operation and gives its value, or a promise of it; undefined becomes null. */
  perform(script: Script, op: JsonObject): unknown;
}

/** Answers requests, one after the other, until `shutdown` or the end of the input. */
export async function serve<Script>(subject: Subject<Script>, write = writeLine): Promise<void> {
  // What the implementation prints must not stand between the answers.
  globalThis.console = new Console(process.stderr);
  for (const line of lines()) {
    const request = parsed(line);
    const answer = await reply(subject, request);
    write(JSON.stringify({ jsonrpc: "2.0", id: request["id"] ?? null, ...answer }));
    if (request["method"] === "shutdown") return;
  }
}

function parsed(line: string): JsonObject {
  try {
    return Object(JSON.parse(line)) as JsonObject;
  } catch {
    return {};
  }
}

async function reply<Script>(subject: Subject<Script>, { method, params }: JsonObject) {
  if (method === "initialize") return { result: subject.describe(params as JsonObject) };
  if (method === "run") return { result: { outcomes: await run(subject, params as JsonObject) } };
  if (method === "shutdown") return { result: null };
  if (method === undefined) return { error: { code: -32700, message: "this is no request" } };
  return { error: { code: -32601, message: `the method ${JSON.stringify(method)} is not known` } };
}

type Outcome = { [kind: string]: unknown };

async function run<Script>(subject: Subject<Script>, params: JsonObject): Promise<Outcome[]> {
  let diagnostics: string[] = [];
  const script = subject.begin((message) => void diagnostics.push(message));
  const outcomes: Outcome[] = [];
  for (const op of params["ops"] as JsonObject[]) {
    diagnostics = [];
    let outcome: Outcome;
    try {
      const value = subject.perform(script, op);
      outcome = { ok: (value instanceof Promise ? await value : value) ?? null };
      if (diagnostics.length > 0) outcome["diagnostics"] = diagnostics;
    } catch (error) {
      outcome = failure(error);
    }
    outcomes.push(outcome);
    if ("panic" in outcome && params["continue_after_panic"] !== true) break;
  }
  return outcomes;
}

function failure(error: unknown): Outcome {
  if (error instanceof Refusal) return { error: { message: error.message } };
  if (error instanceof Unsupported) return { unsupported: error.message };
  return { panic: error instanceof Error ? error.message : String(error) };
}

/** Bytes are split before they are decoded: a chunk may end within a character. */
function* lines(): Generator<string> {
  const room = Buffer.allocUnsafe(1 << 16);
  let parts: Buffer[] = [];
  for (let size = patient(() => readSync(0, room)); size > 0; size = patient(() => readSync(0, room))) {
    let start = 0;
    for (let end = 0; (end = room.subarray(0, size).indexOf(10, start)) >= 0; start = end + 1) {
      yield Buffer.concat([...parts, room.subarray(start, end)]).toString();
      parts = [];
    }
    parts.push(Buffer.from(room.subarray(start, size)));
  }
}

export function writeLine(line: string): void {
  const bytes = Buffer.from(line + "\n");
  for (let at = 0; at < bytes.length; ) at += patient(() => writeSync(1, bytes, at));
}

/** Blocking calls are the fastest here; on a pipe that does not block, try again after 1 ms. */
function patient(call: () => number): number {
  for (;;) {
    try {
      return call();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return 0; // the end of the input, on Windows
      if (code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
