/** Which outputs belong to which calls (SPEC 1.2). */

import { fault } from "../faults.js";
import type { CustomCall, CustomOutput, FunctionCall, FunctionOutput } from "./items.js";
import type { Item, SearchCall, SearchOutput, ShellCall } from "./items.js";

/** The families by their outputs: local shell calls share those of function calls (PAIR-8). */
export type Family = "function" | "custom" | "search";

type WithCallId<I> = I & { call_id: string };

/** A call that wants an output. */
export type Call = FunctionCall | CustomCall | WithCallId<SearchCall> | WithCallId<ShellCall>;

/** An output that belongs to a call. */
export type Output = WithCallId<FunctionOutput> | CustomOutput | WithCallId<SearchOutput>;

const CALLS = new Map<Item["type"], Family>([
  ["function_call", "function"],
  ["local_shell_call", "function"],
  ["custom_tool_call", "custom"],
  ["tool_search_call", "search"],
]);

const OUTPUTS = new Map<Item["type"], Family>([
  ["function_call_output", "function"],
  ["custom_tool_call_output", "custom"],
  ["tool_search_output", "search"],
]);

/** Without call_id there is nothing to answer (PAIR-5); an empty one is one (PAIR-11). */
export function isCall(item: Item): item is Call {
  return CALLS.has(item.type) && hasCallId(item as Call);
}

export function isOutput(item: Item): item is Output {
  return OUTPUTS.has(item.type) && hasCallId(item as Output);
}

export function familyOf(item: Call | Output): Family {
  return (CALLS.get(item.type) ?? OUTPUTS.get(item.type)) as Family;
}

function hasCallId({ call_id }: { call_id?: string | null }): boolean {
  if (call_id === "" && fault("empty-call-id-is-absent")) return false;
  return call_id !== undefined && call_id !== null;
}

/** The call_ids in use, family by family (PAIR-7). */
export class CallIds {
  readonly #ids: Record<Family, Set<string>> = {
    function: new Set(),
    custom: new Set(),
    search: new Set(),
  };

  add(item: Call | Output): void {
    this.#ids[familyOf(item)].add(item.call_id);
  }

  has(item: Call | Output): boolean {
    if (fault("families-share-ids") && isCall(item)) {
      return Object.values(this.#ids).some((ids) => ids.has(item.call_id));
    }
    return this.#ids[familyOf(item)].has(item.call_id);
  }
}
