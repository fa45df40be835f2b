/** What contextcert asks, put to the history of this kit: exchange it for your own. */

import { anything, count, cursor, LARGEST_COUNT, modalities, object, oneOf, policy } from "./arguments.js";
import { beforeProjection, dieOf, fault } from "./faults.js";
import { bare, History, type Mode } from "./history/history.js";
import { type Edition, type Envelope, type Item } from "./history/items.js";
import { readEnvelopes, readItems, Unreadable } from "./history/wire.js";
import { type Json, type JsonObject, Refusal, type Subject, Unsupported } from "./protocol.js";

// ---- YOUR CALLS START HERE ----------------------------------------------------------------------

const MODE: Mode = process.env["NODE_ENV"] === "production" ? "release" : "debug";

const OTHER = { debug: "release", release: "debug" };

/** Leave out what you do not have: you are judged on what you claim. */
const CLAIM = {
  profiles: ["projection", "media", "recording", "changes", "world", "cursor", "snapshots", "wire"],
  item_types: [
    "message",
    "agent_message",
    "reasoning",
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "tool_search_call",
    "tool_search_output",
    "local_shell_call",
    "web_search_call",
    "image_generation_call",
    "additional_tools",
    "compaction",
    "context_compaction",
    "compaction_trigger",
  ],
  modalities: ["text", "image", "audio"],
};
const CAPABILITIES = {
  diagnostics: true,
  continue_after_panic: true,
  exact_numbers: false, // JSON.parse makes 1.0 the number 1, and loses integers beyond 2^53
  success_flag: true,
};

/** What lives as long as one script. */
interface Script {
  readonly histories: Map<number, History>;
  readonly held: Map<string, readonly Item[]>;
  readonly report: (message: string) => void;
}

let edition: Edition = "2026-08";

export const subject: Subject<Script> = {
  describe: (params) => {
    edition = params["edition"] === "2026-11" ? "2026-11" : "2026-08";
    return {
      protocol: 1,
      implementation: { name: "typescript-kit", version: "0.1.0", language: "TypeScript" },
      mode: fault("wrong-mode") ? OTHER[MODE] : MODE,
      editions: ["2026-08", "2026-11"],
      claim: CLAIM,
      capabilities: { ...CAPABILITIES, restore_items: edition === "2026-11" },
    };
  },
  begin: (report) => ({ histories: new Map(), held: new Map(), report }),
  perform: (script, op) => {
    try {
      return perform(script, op);
    } catch (error) {
      throw error instanceof Unreadable ? new Refusal(error.message) : error;
    }
  },
};

function perform(script: Script, op: JsonObject): unknown {
  const on = count(op["on"] ?? 0, "on");
  const history = script.histories.get(on) ?? started(script, on);
  switch (op["op"]) {
    case "record_items":
      return history.record(readItems(op["items"], edition).map(bare), policy(op["policy"]));
    case "record_annotated_items":
      return history.record(readEnvelopes(op["envelopes"], edition), policy(op["policy"]));
    case "restore_items":
      if (edition === "2026-08") throw new Unsupported("there is nothing to restore in edition 2026-08");
      return history.restore(readItems(op["items"], edition));
    case "for_prompt":
      return prompt(history, op).map(itemOf);
    case "for_prompt_annotated":
      return prompt(history, op);
    case "raw_items":
      return history.items();
    case "raw_envelopes":
      return history.envelopes();
    case "remove_first_item":
      return history.removeFirstItem();
    case "drop_last_n_user_turns":
      return history.dropLastTurns(count(op["num_turns"], "num_turns", LARGEST_COUNT));
    case "replace":
      return history.replace(readItems(op["items"], edition));
    case "history_version":
      return history.version;
    case "clone":
      return clone(script, history, count(op["to"], "to"));
    case "hold":
      return void script.held.set(String(op["name"]), handedOut(history, op));
    case "held":
      return held(script, op["name"]);
    case "set_reference_context_item":
      return void (history.referenceContext = anything(op["value"], "value"));
    case "reference_context_item":
      return history.referenceContext;
    case "update_world_state":
      return history.updateWorldState(object(op["state"], "state"));
    case "set_world_state_baseline":
      return void (history.worldStateBaseline = anything(op["state"], "state"));
    case "world_state_baseline":
      return history.worldStateBaseline;
    case "set_token_info":
      return void (history.tokenInfo = anything(op["value"], "value"));
    case "token_info":
      return history.tokenInfo;
    case "read_transcript":
      return history.readTranscript(cursor(op["cursor"]));
    default:
      if (fault("unknown-operation-crashes")) dieOf("an unknown operation");
      throw new Unsupported(`the operation ${JSON.stringify(op["op"])} is not known`);
  }
}

function started(script: Script, on: number): History {
  const history = new History({ mode: MODE, edition, report: script.report });
  script.histories.set(on, history);
  return history;
}

function prompt(history: History, op: JsonObject): Envelope[] {
  const wanted = modalities(op["input_modalities"]);
  beforeProjection(history);
  return history.project(wanted);
}

function clone(script: Script, history: History, to: number): void {
  if (script.histories.get(to) !== history) script.histories.set(to, history.clone());
}

/** Held is what was handed out, not a way to ask for it again (SNAP-2). */
function handedOut(history: History, op: JsonObject): readonly Item[] {
  const what = oneOf(op["what"], ["raw_items", "for_prompt"], "what");
  return what === "raw_items" ? history.items() : prompt(history, op).map(itemOf);
}

function held(script: Script, name: Json | undefined): readonly Item[] {
  const items = script.held.get(String(name));
  if (items === undefined) throw new Refusal(`nothing is held under ${JSON.stringify(name)}`);
  return items;
}

function itemOf({ item }: Envelope): Item {
  return item;
}

// ---- YOUR CALLS END HERE ------------------------------------------------------------------------
