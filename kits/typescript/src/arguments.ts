/** The arguments of operations, refused in words where they are wrong. Copy it as it is. */

import { type Json, type JsonObject, Refusal } from "./protocol.js";

export type Policy = { mode: "bytes" | "tokens"; limit: number };
export type Modality = "text" | "image" | "audio";
export type Cursor = { history_version: number; entry_count: number };

/** The largest count of turns that is read. */
export const LARGEST_COUNT = 2 ** 32 - 1;

/** A whole number from 0 to `largest`; 1.0 is one, since JSON.parse makes it 1. */
export function count(value: Json | undefined, name: string, largest = Infinity): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= largest) return value;
  throw new Refusal(`${name} must be a whole number from 0 on, and not ${JSON.stringify(value)}`);
}

export function policy(value: Json | undefined): Policy {
  const { mode, limit } = object(value, "policy");
  return {
    mode: oneOf(mode, ["bytes", "tokens"], "policy.mode"),
    limit: count(limit, "policy.limit"),
  };
}

export function modalities(value: Json | undefined): Set<Modality> {
  if (!Array.isArray(value)) throw new Refusal("input_modalities must be an array");
  return new Set(value.map((each) => oneOf(each, ["text", "image", "audio"], "input_modalities")));
}

export function cursor(value: Json | undefined): Cursor | null {
  if (value === undefined || value === null) return null;
  const { history_version, entry_count } = object(value, "cursor");
  return {
    history_version: count(history_version, "cursor.history_version"),
    entry_count: count(entry_count, "cursor.entry_count"),
  };
}

export function object(value: Json | undefined, name: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new Refusal(`${name} must be an object`);
}

/** A value that may be anything, but must be there. */
export function anything(value: Json | undefined, name: string): Json {
  if (value === undefined) throw new Refusal(`${name} is missing`);
  return value;
}

export function oneOf<Name extends string>(
  value: Json | undefined,
  names: readonly Name[],
  where: string,
): Name {
  const found = names.find((name) => name === value);
  if (found !== undefined) return found;
  throw new Refusal(`${where} must be one of ${names.join(", ")}, not ${JSON.stringify(value)}`);
}
