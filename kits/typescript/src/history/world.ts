/** The minimal merge patch between two world states (RFC 7396; WORLD-2, WORLD-7). */

import { isObject, type Json, type JsonObject, setKey } from "./json.js";

/** Gives undefined if the two are equal. */
export function mergePatch(from: Json, to: Json): Json | undefined {
  if (!isObject(from) || !isObject(to)) return equal(from, to) ? undefined : to;
  const patch: JsonObject = {};
  for (const [key, value] of Object.entries(to)) {
    const change = Object.hasOwn(from, key) ? mergePatch(from[key] as Json, value) : value;
    if (change !== undefined) setKey(patch, key, change);
  }
  for (const key of Object.keys(from)) if (!Object.hasOwn(to, key)) setKey(patch, key, null);
  return Object.keys(patch).length === 0 ? undefined : patch;
}

function equal(one: Json, other: Json): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((each, index) => equal(each, other[index] as Json));
  }
  if (isObject(one) && isObject(other)) return mergePatch(one, other) === undefined;
  return one === other;
}
