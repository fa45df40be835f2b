/** Reading items from JSON (ITEM): a table of fields for each type, beside the table of SPEC 1.1. */

import { type Edition, type Envelope, type Item, META } from "./items.js";
import { isObject, type Json, type JsonObject } from "./json.js";

/** Nothing was read, since a part cannot be (ITEM-4); the message names the field. */
export class Unreadable extends Error {}

/** Gives the value as it is kept, or undefined if it is not written at all. */
type Reader = (value: Json, at: string) => Json | undefined;

interface Field {
  readonly name: string;
  readonly read: Reader;
  /** A nullable field is written as null when absent, an optional one not at all. */
  readonly presence: "required" | "optional" | "nullable";
}

const required = (name: string, read: Reader): Field => ({ name, read, presence: "required" });
const optional = (name: string, read: Reader): Field => ({ name, read, presence: "optional" });
const nullable = (name: string, read: Reader): Field => ({ name, read, presence: "nullable" });

const text: Reader = (value, at) => (typeof value === "string" ? value : refuse(at, "a string"));
const number: Reader = (value, at) => (typeof value === "number" ? value : refuse(at, "a number"));
const anything: Reader = (value) => value;

const count: Reader = (value, at) =>
  Number.isInteger(value) && (value as number) >= 0 ? value : refuse(at, "a whole number");

const oneOf = (...names: string[]): Reader => {
  return (value, at) => (names.includes(value as string) ? value : refuse(at, `one of ${names.join(", ")}`));
};

const list = (entry: Reader): Reader => {
  return (value, at) =>
    Array.isArray(value)
      ? value.map((each, index) => entry(each, `${at}[${index}]`) as Json)
      : refuse(at, "an array");
};

const record = (...fields: Field[]): Reader => {
  return (value, at) => (isObject(value) ? readFields(value, fields, {}, at) : refuse(at, "an object"));
};

const tagged = (kinds: Record<string, Field[]>, fallback?: JsonObject): Reader => {
  const known = new Map(Object.entries(kinds));
  return (value, at) => {
    if (!isObject(value)) return refuse(at, "an object");
    const type = value["type"];
    if (typeof type !== "string") return refuse(`${at}.type`, "a string");
    const fields = known.get(type);
    if (fields !== undefined) return readFields(value, fields, { type }, at);
    return fallback ?? refuse(`${at}.type`, `one of ${[...known.keys()].join(", ")}`);
  };
};

const strings = list(text);
const stringMap: Reader = (value, at) => {
  if (!isObject(value)) return refuse(at, "an object");
  for (const [key, each] of Object.entries(value)) text(each, `${at}.${key}`);
  return value;
};

const inputText = [required("text", text)];
const inputImage = [
  required("image_url", text),
  optional("detail", oneOf("auto", "low", "high", "original")),
];
const inputAudio = [required("audio_url", text)];
const encryptedContent = [required("encrypted_content", text)];

const messageContent = list(
  tagged({
    input_text: inputText,
    input_image: inputImage,
    input_audio: inputAudio,
    output_text: inputText,
  }),
);
const agentContent = list(tagged({ input_text: inputText, encrypted_content: encryptedContent }));
const outputContent = list(
  tagged({
    input_text: inputText,
    input_image: inputImage,
    input_audio: inputAudio,
    encrypted_content: encryptedContent,
  }),
);
const body: Reader = (value, at) => {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? outputContent(value, at) : refuse(at, "a string or an array");
};

const summary = list(tagged({ summary_text: inputText }));
const reasoningEntries = list(tagged({ reasoning_text: inputText, text: inputText }));

/** ITEM-7: without a `reasoning_text` entry the content is not written. */
const reasoningContent: Reader = (value, at) => {
  const entries = reasoningEntries(value, at) as JsonObject[];
  return entries.some(({ type }) => type === "reasoning_text") ? entries : undefined;
};

const shellAction = tagged({
  exec: [
    required("command", strings),
    nullable("timeout_ms", count),
    nullable("working_directory", text),
    nullable("env", stringMap),
    nullable("user", text),
  ],
});
const searchAction = tagged(
  {
    search: [optional("query", text), optional("queries", strings)],
    open_page: [optional("url", text)],
    find_in_page: [optional("url", text), optional("pattern", text)],
  },
  { type: "other" },
);

const id = optional("id", text);
const metaObject = record(optional("turn_id", text), optional("create_time", number));
const meta = optional(META, metaObject);
const tools = required("tools", list(anything));

const FIELDS: Record<Item["type"], Field[]> = {
  message: [
    id,
    required("role", text),
    required("content", messageContent),
    optional("phase", oneOf("commentary", "final_answer")),
    meta,
  ],
  agent_message: [
    id,
    required("author", text),
    required("recipient", text),
    required("content", agentContent),
    meta,
  ],
  reasoning: [
    id,
    required("summary", summary),
    nullable("content", reasoningContent),
    nullable("encrypted_content", text),
    meta,
  ],
  function_call: [
    id,
    required("name", text),
    optional("namespace", text),
    required("arguments", text),
    optional("encrypted_function_args", strings),
    required("call_id", text),
    meta,
  ],
  function_call_output: [id, required("call_id", text), required("output", body), meta],
  custom_tool_call: [
    id,
    optional("status", text),
    required("call_id", text),
    required("name", text),
    optional("namespace", text),
    required("input", text),
    meta,
  ],
  custom_tool_call_output: [
    id,
    required("call_id", text),
    optional("name", text),
    required("output", body),
    meta,
  ],
  tool_search_call: [
    id,
    nullable("call_id", text),
    optional("status", text),
    required("execution", text),
    required("arguments", anything),
    meta,
  ],
  tool_search_output: [
    id,
    nullable("call_id", text),
    required("status", text),
    required("execution", text),
    tools,
    meta,
  ],
  local_shell_call: [
    id,
    nullable("call_id", text),
    required("status", oneOf("completed", "in_progress", "incomplete")),
    required("action", shellAction),
    meta,
  ],
  web_search_call: [id, optional("status", text), optional("action", searchAction), meta],
  image_generation_call: [
    id,
    required("status", text),
    optional("revised_prompt", text),
    required("result", text),
    meta,
  ],
  additional_tools: [id, required("role", text), tools],
  compaction: [id, required("encrypted_content", text), meta],
  context_compaction: [id, optional("encrypted_content", text), meta],
  compaction_trigger: [],
  other: [],
};

/** A map, since the type is a stranger's string, which may well be `constructor`. */
const TYPES = new Map(Object.entries(FIELDS) as [Item["type"], Field[]][]);

/** E11-1. */
const NOVEMBER_OUTPUT = [
  id,
  optional("call_id", text),
  optional("name", text),
  optional("namespace", text),
  required("output", body),
  meta,
];

/** Whether the value could stand as passthrough metadata in an item. */
export function isMeta(value: Json): boolean {
  try {
    metaObject(value, META);
    return true;
  } catch {
    return false;
  }
}

/** Reads one item; unknown fields are dropped (ITEM-1). */
export function readItem(value: Json | undefined, edition: Edition, at = "item"): Item {
  if (!isObject(value)) return refuse(at, "an object");
  if (typeof value["type"] !== "string") return refuse(`${at}.type`, "a string");
  const type = value["type"] === "compaction_summary" ? "compaction" : (value["type"] as Item["type"]);
  const fields = TYPES.get(type);
  if (fields === undefined) return { type: "other" }; // ITEM-2
  const november = type === "function_call_output" && edition === "2026-11";
  return readFields(value, november ? NOVEMBER_OUTPUT : fields, { type }, at) as unknown as Item;
}

export function readItems(value: Json | undefined, edition: Edition): Item[] {
  return arrayOf(value, "items").map((each, index) => readItem(each, edition, `items[${index}]`));
}

export function readEnvelopes(value: Json | undefined, edition: Edition): Envelope[] {
  return arrayOf(value, "envelopes").map((each, index) => {
    return readEnvelope(each, edition, `envelopes[${index}]`);
  });
}

function readEnvelope(value: Json, edition: Edition, at: string): Envelope {
  if (!isObject(value)) return refuse(at, "an object");
  const item = readItem(value["item"], edition, `${at}.item`);
  const metadata = value["metadata"] ?? null;
  if (metadata !== null && !isObject(metadata)) return refuse(`${at}.metadata`, "an object");
  const success = value["success"] ?? null;
  if (success !== null && typeof success !== "boolean") return refuse(`${at}.success`, "true or false");
  const keepsFlag = item.type === "function_call_output" || item.type === "custom_tool_call_output";
  return success !== null && keepsFlag ? { item, metadata, success } : { item, metadata };
}

function arrayOf(value: Json | undefined, at: string): Json[] {
  return Array.isArray(value) ? value : refuse(at, "an array");
}

function readFields(from: JsonObject, fields: readonly Field[], into: JsonObject, at: string): JsonObject {
  for (const { name, read, presence } of fields) {
    const value = from[name];
    if (value === undefined && presence === "required") return refuse(`${at}.${name}`, "there");
    if ((value === undefined || value === null) && presence !== "required") {
      if (presence === "nullable") into[name] = null; // ITEM-3
      continue;
    }
    const kept = read(value as Json, `${at}.${name}`);
    if (kept !== undefined) into[name] = kept;
  }
  return into;
}

function refuse(at: string, wanted: string): never {
  throw new Unreadable(`${at} must be ${wanted}`);
}
