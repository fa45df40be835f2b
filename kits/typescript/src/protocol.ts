/**
 * The adapter protocol, version 1: JSON-RPC, one message a line, over standard input and output.
 * It knows nothing of any history: copy it as it is, and write your calls into adapter.ts.
 */

import { Console } from "node:console";
import { writeSync } from "node:fs";

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
  for await (const line of lines()) {
    let [request, code]: [JsonObject, number] = [{}, -32700];
    const written = (answer: object) =>
      JSON.stringify({ jsonrpc: "2.0", id: request["id"] ?? null, ...answer });
    let answer: string;
    try {
      [request, code] = [parsed(line), -32603];
      answer = written(await reply(subject, request)); // nesting or a BigInt may have no JSON text
    } catch (error) {
      answer = written({ error: { code, message: `there is no answer: ${error}` } });
    }
    write(answer);
    if (request["method"] === "shutdown") return;
  }
}

/** Refuses what is no Unicode, which would come out as U+FFFD or could not be written, and an endless id. */
function parsed(bytes: Buffer): JsonObject {
  const line = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const request = Object(JSON.parse(line)) as JsonObject;
  const half = /\\u[dD][89a-fA-F]/;
  const whole = /\\(?:[^u]|u[dD][89abAB]..\\u[dD][c-fC-F]..)/g;
  if (half.test(line) && half.test(line.replace(whole, "")))
    throw new Error("a string holds half a surrogate pair");
  if (typeof (request["id"] ?? 0) === "object") throw new Error("the id must be a number or a string");
  return request;
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
  if (!Array.isArray(params?.["ops"])) throw new TypeError("params.ops must be an array");
  let diagnostics: string[] = [];
  const script = subject.begin((message) => void diagnostics.push(message));
  const outcomes: Outcome[] = [];
  for (const op of params["ops"] as JsonObject[]) {
    diagnostics = [];
    let outcome: Outcome;
    try {
      outcome = { ok: (await subject.perform(script, op)) ?? null };
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
async function* lines(): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = 0; (end = chunk.indexOf("\n", start)) >= 0; start = end + 1) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]);
      parts = [];
    }
    parts.push(chunk.subarray(start));
  }
}

/** Returns when all is written, which `process.stdout.write` does not. */
export function writeLine(line: string): void {
  const bytes = Buffer.from(line + "\n");
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // the pipe is full: 1 ms
    }
  }
}
