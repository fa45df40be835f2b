/** The vectors that SPEC prints, and what JavaScript gets wrong by itself. */

import { deepEqual, equal, match, throws } from "node:assert/strict";
import { test } from "node:test";

import { bare, History, type Mode, Panic } from "../history/history.js";
import { isContextualUser } from "../history/fragments.js";
import { isInstruction } from "../history/instruction.js";
import type { Edition, Item } from "../history/items.js";
import type { Json, JsonObject } from "../history/json.js";
import { syntheticId } from "../history/synthetic.js";
import { type Policy, truncatedBody, truncatedText } from "../history/truncation.js";
import { readItem, Unreadable } from "../history/wire.js";
import { mergePatch } from "../history/world.js";

const ROOMY: Policy = { mode: "tokens", limit: 10_000 };
const EVERYTHING = new Set(["text", "image", "audio"] as const);

function recorded(mode: Mode, items: Json[], edition: Edition = "2026-08") {
  const reported: string[] = [];
  const history = new History({ mode, edition, report: (message) => reported.push(message) });
  history.record(items.map((item) => bare(readItem(item, edition))), ROOMY);
  return { history, reported };
}

function message(role: string, text: string): JsonObject {
  return { type: "message", role, content: [{ type: "input_text", text }] };
}

test("synthetic ids are the vectors of SYN-1", () => {
  equal(syntheticId("fco", "fc_1"), "fco_d08ee114-ed5d-5706-8dbd-16ccacd40aa4");
  equal(syntheticId("fco", "fc_existing"), "fco_742749b0-3645-5d32-a172-676827826a07");
  equal(syntheticId("fco", "abc"), "fco_54e052cc-70eb-5988-a407-53fa52816ad0");
  equal(syntheticId("fco", "lsh_1"), "fco_37093384-5cd0-5813-8a86-723bfcccbbb2");
  equal(syntheticId("ctco", "ctc_1"), "ctco_ffd2c872-81a7-5a00-b6f6-884096d1f522");
  equal(syntheticId("tso", "tsc_1"), "tso_f380c6b3-5815-5031-91ee-dd1c77f963ee");
});

test("texts are truncated as worked out in SPEC 3.2", () => {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const smile = "😀".repeat(5);
  const worked: [Policy["mode"], number, string, string][] = [
    ["bytes", 10, letters, "abcdef…14 chars truncated…uvwxyz"],
    ["bytes", 1, letters, "a…24 chars truncated…z"],
    ["bytes", 0, letters, "…26 chars truncated…"],
    ["bytes", 21, letters, letters],
    ["tokens", 0, letters, "…7 tokens truncated…"],
    ["tokens", 1, letters, "abcd…5 tokens truncated…wxyz"],
    ["tokens", 5, letters, "abcdefghijkl…1 tokens truncated…opqrstuvwxyz"],
    ["tokens", 6, letters, letters],
    ["bytes", 5, smile, "…5 chars truncated…"],
    ["bytes", 10, smile, "😀…3 chars truncated…😀"],
    ["bytes", 5, "héllo wörld ünï", "hé…11 chars truncated…nï"],
  ];
  for (const [mode, limit, text, kept] of worked) {
    equal(truncatedBody(text, { mode, limit }, "2026-08"), kept);
  }
  equal(truncatedText("", { mode: "bytes", limit: 0 }), "");
});

test("arrays are truncated as worked out in SPEC 3.2", () => {
  const worked: [number, string[], string[]][] = [
    [5, ["aaaa", "bbbb", "cccc"], ["aaaa", "b…2 chars truncated…b", "[omitted 1 text items ...]"]],
    [0, ["", "a"], ["[omitted 2 text items ...]"]],
    [1, ["", ""], ["", ""]],
  ];
  const entries = (texts: string[]) => texts.map((text) => ({ type: "input_text" as const, text }));
  for (const [limit, texts, kept] of worked) {
    deepEqual(truncatedBody(entries(texts), { mode: "bytes", limit }, "2026-08"), entries(kept));
  }
});

test("a release repairs and reports, a debug build panics with the first anomaly (MODE-6)", () => {
  const items = [
    { type: "function_call_output", call_id: "gone", output: "x" },
    { type: "custom_tool_call", call_id: "", name: "n", input: "" },
  ];
  const missing = "Custom tool call output is missing for call id: ";
  const { history, reported } = recorded("release", items);
  deepEqual(
    history.project(EVERYTHING).map(({ item }) => item),
    [items[1], { type: "custom_tool_call_output", call_id: "", output: "aborted" }],
  );
  deepEqual(reported, [missing, "Orphan function call output for call id: gone"]);
  throws(() => recorded("debug", items).history.project(EVERYTHING), new Panic(missing));
});

test("an unreadable item is refused with the name of its field (ITEM-4)", () => {
  const item = { type: "message", role: "user", content: [{ type: "input_image", image_url: 1 }] };
  throws(() => readItem(item, "2026-08"), new Unreadable("item.content[0].image_url must be a string"));
});

test("white space is that of Unicode, not that of trim (SPEC 4.4)", () => {
  const isContext = (text: string) => isContextualUser(readItem(message("user", text), "2026-08"));
  equal(isContext("\u0085<SKILL>x</skill>\u3000"), true);
  equal(isContext("\ufeff<skill>x</skill>"), false);
  equal(isContext("<s\u212aill>x</skill>"), false);
  equal(isContext(`<hook_prompt hook_run_id="h">say &lt;this&gt;</hook_prompt>`), true);
  equal(isContext(`<hook_prompt hook_run_id=" ">say</hook_prompt>`), false);
});

test("a repeated known key makes no instruction, however it is written (SPEC 4.6)", () => {
  const isOne = (text: string) => isInstruction(readItem(message("assistant", text), "2026-08") as Item);
  const start = `{"author":"/root","recipient":"/root/a","content":"c","trigger_turn":true`;
  equal(isOne(` ${start}} `), true);
  equal(isOne(`${start},"other":{"author":1},"other":["author","author"]}`), true);
  equal(isOne(`${start},"auth\\u006fr":"/root"}`), false);
  equal(isOne(`${start}} x`), false);
});

test("a key named __proto__ is a key like any other (WORLD-2)", () => {
  const from = JSON.parse(`{"a":{"__proto__":1,"b":2}}`);
  const to = JSON.parse(`{"a":{"__proto__":{"c":3},"b":2},"constructor":4}`);
  equal(JSON.stringify(mergePatch(from, to)), `{"a":{"__proto__":{"c":3}},"constructor":4}`);
  equal(JSON.stringify(mergePatch(to, from)), `{"a":{"__proto__":1},"constructor":null}`);
});

test("edition 2026-11 gives fresh ids, and hides those without a form (E11-1, E11-2, E11-6)", () => {
  const call = { type: "function_call", name: "n", arguments: "", call_id: "c", id: "odd" };
  const output = { type: "function_call_output", output: "x" };
  const { history } = recorded("debug", [call, output, { ...output, id: "_" }], "2026-11");
  const kept = history.items().map(({ id }) => id);
  deepEqual([kept[0], kept[2]], ["odd", "_"]);
  match(kept[1] ?? "", /^fco_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const shown = history.project(EVERYTHING).map(({ item }) => item.id);
  deepEqual(shown, [undefined, syntheticId("fco", "odd"), kept[1], undefined]);
});
