/** Inter-agent instructions: an assistant's message that is one JSON object (SPEC 4.6). */

import { type Item, META } from "./items.js";
import { isObject, type Json, type JsonObject } from "./json.js";
import { isMeta } from "./wire.js";

const AGENT_PATH = /^\/(?:morpheus|root(?:\/(?!root(?:\/|$))[a-z0-9_]+)*)$/;

type Test = (value: Json | undefined) => boolean;

// JSON can write a lone surrogate, which is no text.
const isString: Test = (value) => typeof value === "string" && value.isWellFormed();
const isAbsentOr = (test: (value: Json) => boolean): Test => {
  return (value) => value === undefined || value === null || test(value);
};

const KNOWN: Record<string, Test> = {
  author: isAgentPath,
  recipient: isAgentPath,
  content: isString,
  trigger_turn: (value) => typeof value === "boolean",
  id: isAbsentOr(isString),
  encrypted_content: isAbsentOr(isString),
  [META]: isAbsentOr(isMeta),
  other_recipients: (value) => value === undefined || (Array.isArray(value) && value.every(isAgentPath)),
};

export function isInstruction(item: Item): boolean {
  if (item.type !== "message" || item.role !== "assistant" || item.content.length !== 1) return false;
  const [entry] = item.content;
  if (entry?.type !== "input_text" && entry?.type !== "output_text") return false;
  const value = parsed(entry.text);
  return (
    value !== null &&
    Object.keys(value).every(isString) &&
    Object.entries(KNOWN).every(([key, test]) => test(value[key])) &&
    !repeatsKnownKey(entry.text)
  );
}

function parsed(text: string): JsonObject | null {
  try {
    const value = JSON.parse(text) as Json;
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isAgentPath(value: Json | undefined): boolean {
  return typeof value === "string" && AGENT_PATH.test(value);
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** JSON.parse keeps the last of equal keys and says nothing, so the text is looked at again. */
function repeatsKnownKey(text: string): boolean {
  const seen = new Set<string>();
  let depth = 0;
  let isKey = false;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") {
      depth += 1;
      isKey = token === "{";
    } else if (token === "}" || token === "]") {
      depth -= 1;
    } else if (token === ",") {
      isKey = true;
    } else if (token === ":") {
      isKey = false;
    } else if (depth === 1 && isKey) {
      const key = JSON.parse(token) as string;
      if (seen.has(key)) return true;
      if (Object.hasOwn(KNOWN, key)) seen.add(key);
    }
  }
  return false;
}
