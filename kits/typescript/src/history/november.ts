/** What edition 2026-11 does differently (SPEC 7), as far as it is no matter of one line elsewhere. */

import { randomBytes } from "node:crypto";

import type { InputText, Item, MessageEntry, OutputEntry } from "./items.js";
import { uuid } from "./uuid.js";

type Entry = MessageEntry | OutputEntry;

const PREFIXES: Partial<Record<Item["type"], string>> = {
  message: "msg",
  agent_message: "amsg",
  reasoning: "rs",
  local_shell_call: "lsh",
  function_call: "fc",
  tool_search_call: "tsc",
  function_call_output: "fco",
  custom_tool_call: "ctc",
  custom_tool_call_output: "ctco",
  tool_search_output: "tso",
  web_search_call: "ws",
  image_generation_call: "ig",
  compaction: "cmp",
  context_compaction: "cmp",
  additional_tools: "at",
};

/** What is recorded in place of an item, before truncation. */
export function recordedInNovember(item: Item): Item {
  return withFreshId(withReadableMedia(item));
}

/** E11-2: the id stays the same from then on. */
function withFreshId(item: Item): Item {
  const prefix = PREFIXES[item.type];
  return item.id || prefix === undefined ? item : { ...item, id: `${prefix}_${uuidVersion7()}` };
}

function uuidVersion7(): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  return uuid(bytes, 7);
}

/** E11-3 and E11-5. */
export function withReadableMedia(item: Item): Item {
  switch (item.type) {
    case "message":
      return { ...item, content: item.content.map(readable) };
    case "function_call_output":
    case "custom_tool_call_output":
      if (typeof item.output === "string") return item;
      return { ...item, output: item.output.filter((entry) => !isEmptyText(entry)).map(readable) };
    default:
      return item;
  }
}

function isEmptyText(entry: OutputEntry): boolean {
  return entry.type === "input_text" && entry.text === "";
}

function readable<E extends Entry>(entry: E): E | InputText {
  if (entry.type === "input_image") return IMAGE.test(entry.image_url) ? entry : unprocessed("image");
  if (entry.type === "input_audio") return AUDIO.test(entry.audio_url) ? entry : unprocessed("audio");
  return entry;
}

// Only media that surely can be decoded is judged (E11-5), so a look at the URL is enough here.
const IMAGE = /^(?:https?:|data:image\/[a-z+]+;base64,[A-Za-z0-9+/])/;
const AUDIO = /^(?:https?:|data:audio\/)/;

function unprocessed(kind: "image" | "audio"): InputText {
  return { type: "input_text", text: `${kind} content omitted because it could not be processed` };
}

/** E11-6: a prompt shows no id but those of the form `prefix_suffix`. */
export function withShownId(item: Item): Item {
  if (item.id === undefined || /^[^_]+_./su.test(item.id)) return item;
  const { id: _, ...shown } = item;
  return shown as Item;
}
