/** Steps A and B: complete missing outputs, then remove orphans (SPEC 2.2 to 2.5). */

import { fault } from "../faults.js";
import { type Call, CallIds, isCall, isOutput, type Output } from "./families.js";
import type { Envelope, Item } from "./items.js";
import { syntheticOutput } from "./synthetic.js";

/** Told of every anomaly, in the order of MODE-6; a debug build does not come back from it. */
export type OnAnomaly = (message: string) => void;

/** Step A. "Answered" is decided on the history as it was before any insertion. */
export function completed(history: readonly Envelope[], onAnomaly: OnAnomaly): Envelope[] {
  const answered = idsOf(history, isOutput);
  const complete: Envelope[] = [];
  history.forEach((envelope, index) => {
    const { item } = envelope;
    complete.push(envelope);
    if (!isCall(item)) return;
    if (fault("adjacent-pairing") ? answers(history[index + 1]?.item, item) : answered.has(item)) return;
    const name = MISSING[item.type];
    if (name !== undefined) onAnomaly(`${name} output is missing for call id: ${item.call_id}`);
    complete.push({ item: syntheticOutput(item), metadata: null }); // ORD-2, PAIR-10
  });
  return complete;
}

/** Step B. Synthetic outputs are never orphans (ORPH-9). */
export function withoutOrphans(history: readonly Envelope[], onAnomaly: OnAnomaly): Envelope[] {
  const called = idsOf(history, isCall);
  return history.filter(({ item }) => {
    if (!isOutput(item) || isOfServer(item) || called.has(item)) return true;
    onAnomaly(`Orphan ${ORPHAN[item.type]} output for call id: ${item.call_id}`);
    return fault("orphan-kept") && item.type === "function_call_output";
  });
}

/** Calls whose gap is an anomaly (MODE-1); that of the others is none (MODE-2). */
const MISSING: Partial<Record<Call["type"], string>> = {
  custom_tool_call: "Custom tool call",
  local_shell_call: "Local shell call",
};

const ORPHAN: Record<Output["type"], string> = {
  function_call_output: "function call",
  custom_tool_call_output: "custom tool call",
  tool_search_output: "tool search",
};

/** ORPH-3; the case of letters counts (ORPH-5). */
function isOfServer(item: Output): boolean {
  return item.type === "tool_search_output" && item.execution === "server";
}

function idsOf(history: readonly Envelope[], wanted: (item: Item) => item is Call | Output): CallIds {
  const ids = new CallIds();
  for (const { item } of history) if (wanted(item)) ids.add(item);
  return ids;
}

function answers(item: Item | undefined, call: Call): boolean {
  return item !== undefined && isOutput(item) && idsOf([{ item, metadata: null }], isOutput).has(call);
}
