/** The output that stands in for a missing one (PAIR-1 to PAIR-4), and its id (SYN). */

import { createHash } from "node:crypto";

import { fault } from "../faults.js";
import type { Call } from "./families.js";
import type { Item } from "./items.js";
import { uuid } from "./uuid.js";

const NAMESPACE = Buffer.from("90d38d3e6a5b4d52bfe22f1e634bfac4", "hex");

/** It carries nothing but what is needed (PAIR-12). */
export function syntheticOutput(call: Call): Item {
  const { call_id } = call;
  switch (call.type) {
    case "function_call":
    case "local_shell_call":
      return { type: "function_call_output", ...withId("fco", call), call_id, output: "aborted" };
    case "custom_tool_call":
      return { type: "custom_tool_call_output", ...withId("ctco", call), call_id, output: "aborted" };
    case "tool_search_call":
      return {
        type: "tool_search_output",
        ...withId("tso", call),
        call_id,
        status: "completed",
        execution: "client", // PAIR-2: whatever the call's execution
        tools: [],
      };
  }
}

/** SYN-2: a call without item id, or with an empty one, gives none. */
function withId(prefix: string, call: Call): { id?: string } {
  if (!call.id) return {};
  return { id: syntheticId(prefix, fault("call-id-in-synthetic-id") ? call.call_id : call.id) };
}

/** SYN-1. */
export function syntheticId(prefix: string, callItemId: string): string {
  return `${prefix}_${uuidVersion5(`${prefix}:${callItemId}`)}`;
}

function uuidVersion5(name: string): string {
  return uuid(createHash("sha1").update(NAMESPACE).update(name, "utf8").digest().subarray(0, 16), 5);
}
