/** The adapter as contextcert meets it: a process, asked over its standard input. */

import { deepEqual, equal, match } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import type { Json, JsonObject } from "../protocol.js";

const MAIN = fileURLToPath(new URL("../main.js", import.meta.url));
const POLICY = { mode: "tokens", limit: 10_000 };
const ORPHAN = { type: "function_call_output", call_id: "c", output: "x" };
const PROJECT = { op: "for_prompt", input_modalities: [] };

function started(input: string | Buffer, env: NodeJS.ProcessEnv = {}) {
  const { NODE_ENV: _, ...inherited } = process.env;
  const ended = spawnSync(process.execPath, [MAIN], { input, env: { ...inherited, ...env } });
  const lines = ended.stdout.toString().split("\n").slice(0, -1);
  return { status: ended.status, stderr: ended.stderr.toString(), answers: lines.map(parsed) };
}

function parsed(line: string): JsonObject {
  return JSON.parse(line) as JsonObject;
}

function request(method: string, params: Json = {}): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id: 7, method, params })}\n`;
}

function outcomes(ops: Json[], params: JsonObject = {}, env: NodeJS.ProcessEnv = {}): Json | undefined {
  const [answer] = started(request("run", { ...params, ops }), env).answers;
  return (answer?.["result"] as JsonObject)["outcomes"];
}

test("the environment decides the mode", () => {
  for (const [name, mode] of [["production", "release"], ["development", "debug"]] as const) {
    const [answer] = started(request("initialize", { edition: "2026-08" }), { NODE_ENV: name }).answers;
    equal((answer?.["result"] as JsonObject)["mode"], mode);
  }
});

test("requests that are none are answered, and the adapter goes on until shutdown", () => {
  const end = request("shutdown").replace("\n", "\r\n");
  const lines = ["nonsense\n", request("sing"), request("run"), end, request("sing")];
  const { answers, status } = started(lines.join(""));
  deepEqual(
    answers.map(({ id, error }) => [id, (error as JsonObject)?.["code"]]),
    [[null, -32700], [7, -32601], [7, -32603], [7, undefined]],
  );
  equal(status, 0);
});

test("what is not Unicode is refused, and escapes that are stay what they are", () => {
  const read = (value: string) => {
    const ops = `[{"op":"set_token_info","value":"${value}"},{"op":"token_info"}]`;
    return Buffer.from(`{"id":7,"method":"run","params":{"ops":${ops}}}\n`, "latin1");
  };
  const odd = ["\\ud800", "\\uDC00\\ud800", "\\ud83d\\\\ude00", "\\ud83d\\ud83d\\ude00", "\xff"];
  const { answers } = started(Buffer.concat([...odd, "\\ud83d\\uDE00\\\\ud800"].map(read)));
  const codes = answers.map(({ error }) => (error as JsonObject)?.["code"]);
  deepEqual(codes, [...odd.map(() => -32700), undefined]);
  match(JSON.stringify(answers[0]), /half a surrogate pair/);
  match(JSON.stringify(answers[4]), /not valid/);
  deepEqual((answers[5]?.["result"] as JsonObject)["outcomes"], [{ ok: null }, { ok: "😀\\ud800" }]);
});

test("an answer that has no JSON text is an error, and the adapter goes on", () => {
  const deep = "[".repeat(20_000) + "]".repeat(20_000);
  const ops = `[{"op":"set_token_info","value":${deep}},{"op":"token_info"}]`;
  const lines = [
    `{"id":1,"method":"run","params":{"ops":${ops}}}`,
    `{"id":${deep},"method":"shutdown"}`,
    `{"id":3,"method":"shutdown"}`,
  ];
  const { answers, status } = started(lines.join("\n") + "\n");
  deepEqual(
    answers.map(({ id, error }) => [id, (error as JsonObject)?.["code"]]),
    [[1, -32603], [null, -32700], [3, undefined]],
  );
  match(JSON.stringify(answers[0]), /call stack/);
  equal(status, 0);
});

test("a BigInt is named", () => {
  const protocol = JSON.stringify(new URL("../protocol.js", import.meta.url));
  const script = `import { serve } from ${protocol};
    await serve({ describe: () => ({}), begin: () => null, perform: () => 1n });`;
  const input = request("run", { ops: [{}] }) + request("initialize");
  const ended = spawnSync(process.execPath, ["--input-type=module", "-e", script], { input });
  const [first, second] = ended.stdout.toString().split("\n");
  match(first ?? "", /"code":-32603.*BigInt/);
  equal(second, '{"jsonrpc":"2.0","id":7,"result":{}}');
});

test("a script ends with its panic unless it is to go on", () => {
  const ops = [{ op: "record_items", items: [ORPHAN], policy: POLICY }, PROJECT, { op: "raw_items" }];
  const panic = { panic: "Orphan function call output for call id: c" };
  deepEqual(outcomes(ops), [{ ok: null }, panic]);
  deepEqual(outcomes(ops, { continue_after_panic: true }), [{ ok: null }, panic, { ok: [ORPHAN] }]);
  const reported = { ok: [], diagnostics: [panic.panic] };
  deepEqual(outcomes(ops, {}, { NODE_ENV: "production" }), [{ ok: null }, reported, { ok: [ORPHAN] }]);
});

test("what is refused or unknown leaves the script to go on", () => {
  const kinds = (outcomes([
    { op: "drop_last_n_user_turns", num_turns: 1.5 },
    { op: "for_prompt", input_modalities: ["smell"] },
    { op: "sing" },
    { op: "history_version" },
  ]) as JsonObject[]).map((outcome) => Object.keys(outcome)[0]);
  deepEqual(kinds, ["error", "error", "unsupported", "ok"]);
});

test("long lines arrive whole, wherever their chunks end", () => {
  const content = [{ type: "input_text", text: "a€😀".repeat(99_999) }];
  const message = { type: "message", role: "user", content };
  const ops = [{ op: "record_items", items: [message], policy: POLICY }, { op: "raw_items" }];
  deepEqual(outcomes(ops), [{ ok: null }, { ok: [message] }]);
});

test("an unknown fault is refused at the start", () => {
  const { status, stderr } = started("", { CONTEXTCERT_FAULT: "no-such-fault" });
  equal(status, 2);
  match(stderr, /no-such-fault/);
});
