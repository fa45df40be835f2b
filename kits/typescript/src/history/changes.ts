/** What leaves the history by head removal and by rollback (SPEC 4.2 and 4.3, HEAD and ROLL). */

import { fault } from "../faults.js";
import { type Call, familyOf, isCall, isOutput, type Output } from "./families.js";
import {
  isContextualDeveloper,
  isContextualUser,
  isDeveloper,
  isDeveloperFragment,
  isModelSwitch,
} from "./fragments.js";
import { isInstruction } from "./instruction.js";
import { type Envelope, type Item, META, type Message } from "./items.js";

/** Takes away the oldest item and at most one counterpart (HEAD-1, HEAD-2), in place. */
export function removeHead(history: Envelope[]): void {
  const oldest = history.shift()?.item;
  if (oldest === undefined || !(isCall(oldest) || isOutput(oldest))) return; // HEAD-7
  do {
    const found = counterpart(history, oldest);
    if (found < 0) return;
    history.splice(found, 1);
  } while (fault("head-removes-all-matches"));
}

/** Its index, or -1. */
function counterpart(history: readonly Envelope[], oldest: Call | Output): number {
  let shell = -1;
  for (let index = 0; index < history.length; index += 1) {
    const item = itemAt(history, index);
    if (!isCounterpart(oldest, item)) continue;
    if (item.type !== "local_shell_call") return index;
    if (shell < 0) shell = index; // HEAD-4: only if there is no function call anywhere
  }
  return shell;
}

/** HEAD-3 to HEAD-6. */
function isCounterpart(oldest: Call | Output, item: Item): boolean {
  if ((item as Call).call_id !== oldest.call_id) return false;
  const opposite = isCall(oldest) ? isOutput(item) : isCall(item);
  return opposite && familyOf(item as Call | Output) === familyOf(oldest);
}

export interface RolledBack {
  readonly kept: readonly Envelope[];
  readonly clearsReference: boolean;
}

/** Drops the last `turns` instruction turns, of which there is at least one asked for. */
export function rolledBack(history: readonly Envelope[], turns: number): RolledBack {
  const boundaries = [...history.keys()].filter((index) => isBoundary(itemAt(history, index)));
  const first = boundaries[0];
  if (first === undefined) return { kept: history, clearsReference: false }; // ROLL-3
  const cut = boundaries.at(-turns) ?? first; // ROLL-4
  if (cut === first) {
    return { kept: cleanedUp(history.slice(0, cut), itemAt(history, cut)), clearsReference: false };
  }
  let end = cut;
  while (end - 1 > first && isContextual(itemAt(history, end - 1))) end -= 1; // ROLL-5
  const clearsReference = history.slice(end, cut).some(({ item }) => isMixedBundle(item));
  return {
    kept: history.slice(0, end),
    clearsReference: clearsReference && !fault("mixed-bundle-keeps-reference"),
  };
}

/** ROLL-2. */
function isBoundary(item: Item): boolean {
  if (item.type === "agent_message") return true;
  if (item.type !== "message") return false;
  return item.role === "user" ? !isContextualUser(item) : isInstruction(item);
}

function isContextual(item: Item): boolean {
  return isContextualDeveloper(item) || isContextualUser(item);
}

/** ROLL-6. */
function isMixedBundle(item: Item): boolean {
  return isDeveloper(item) && !item.content.every(isDeveloperFragment);
}

/** ROLL-9: what the first turn brought with it goes with it. */
function cleanedUp(kept: readonly Envelope[], firstTurn: Item): readonly Envelope[] {
  const turn = firstTurn[META]?.turn_id;
  if (!turn) return kept;
  return kept.flatMap((envelope) => {
    const { item } = envelope;
    if (!isDeveloper(item) || item[META]?.turn_id !== turn) return [envelope];
    const cleaned = withoutModelSwitch(item);
    return cleaned.content.length === 0 ? [] : [{ ...envelope, item: cleaned }];
  });
}

function withoutModelSwitch(message: Message): Message {
  return { ...message, content: message.content.filter((entry) => !isModelSwitch(entry)) };
}

function itemAt(history: readonly Envelope[], index: number): Item {
  return (history[index] as Envelope).item;
}
