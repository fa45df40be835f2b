/** Steps C and D: what a model without images or audio is shown (SPEC 2.7, IMG and AUD). */

import { fault } from "../faults.js";
import type { InputText, Item, MessageEntry, OutputEntry } from "./items.js";

export type Modality = "text" | "image" | "audio";

type Entry = MessageEntry | OutputEntry;

const OMITTED: Partial<Record<Entry["type"], InputText>> = {
  input_image: omitted("image"),
  input_audio: omitted("audio"),
};

/** Neither step looks at `text`, and each goes its own way (AUD-5), so one walk does both. */
export function withoutMedia(item: Item, modalities: ReadonlySet<Modality>): Item {
  const image = !modalities.has("image");
  const audio = !modalities.has("audio");
  if (!image && !audio) return item; // IMG-1, AUD-1
  switch (item.type) {
    case "message":
      return { ...item, content: downgraded(messageEntries(item.content, image), image, audio) };
    case "function_call_output":
    case "custom_tool_call_output":
      // IMG-3: a string stays, even if it holds a data URL.
      if (typeof item.output === "string") return item;
      return { ...item, output: downgraded(item.output, image, audio) };
    case "image_generation_call":
      return image ? { ...item, result: "" } : item; // IMG-4, AUD-4
    default:
      return item;
  }
}

function downgraded<E extends Entry>(entries: readonly E[], image: boolean, audio: boolean) {
  return entries.map((entry) => {
    const bare = (image && entry.type === "input_image") || (audio && entry.type === "input_audio");
    return (bare && OMITTED[entry.type]) || entry;
  });
}

function messageEntries(entries: readonly MessageEntry[], image: boolean): readonly MessageEntry[] {
  if (!image || !fault("image-removed")) return entries;
  return entries.filter(({ type }) => type !== "input_image");
}

function omitted(kind: "image" | "audio"): InputText {
  return {
    type: "input_text",
    text: `${kind} content omitted because you do not support ${kind} input`,
  };
}
