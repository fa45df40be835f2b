/** What in a message is context rather than somebody's instruction (SPEC 4.4 and 4.5). */

import { isHookPrompt } from "./hook-prompt.js";
import type { Item, Message, MessageEntry } from "./items.js";
import { endsInAnyCase, startsInAnyCase, trimmed, trimmedEnd, trimmedStart } from "./text.js";

/** START and END, in lower case. */
type Marks = readonly [string, string];

const tags = (name: string): Marks => [`<${name}>`, `</${name}>`];

const USER_MARKS: readonly Marks[] = [
  ["# agents.md instructions", "</instructions>"],
  tags("environment_context"),
  tags("skill"),
  tags("user_shell_command"),
  tags("turn_aborted"),
  tags("subagent_notification"),
  tags("recommended_plugins"),
];

const MODEL_SWITCH = tags("model_switch");

const DEVELOPER_STARTS = [
  "<permissions instructions>",
  "approved command prefix saved:",
  "<model_switch>",
  "<apps_instructions>",
  "<collaboration_mode>",
  "<multi_agent_mode>",
  "<environments_instructions>",
  "<git_attribution>",
  "<plugins_instructions>",
  "<realtime_conversation>",
  "<skills_instructions>",
  "<tools>",
  "<personality_spec>",
  "<token_budget>",
  "<context_window>",
  "<context_window_guidance>",
  "<rollout_budget>",
];

export function isContextualUser(item: Item): item is Message {
  return item.type === "message" && item.role === "user" && item.content.some(isUserFragment);
}

export function isContextualDeveloper(item: Item): item is Message {
  return isDeveloper(item) && item.content.some(isDeveloperFragment);
}

export function isDeveloper(item: Item): item is Message {
  return item.type === "message" && item.role === "developer";
}

export function isDeveloperFragment(entry: MessageEntry): boolean {
  if (entry.type !== "input_text") return false;
  const text = trimmedStart(entry.text);
  return DEVELOPER_STARTS.some((start) => startsInAnyCase(text, start));
}

/** ROLL-9. */
export function isModelSwitch(entry: MessageEntry): boolean {
  return entry.type === "input_text" && isMarked(entry.text, MODEL_SWITCH);
}

function isUserFragment(entry: MessageEntry): boolean {
  if (entry.type !== "input_text") return false; // output_text never counts
  const text = trimmed(entry.text);
  return (
    USER_MARKS.some((marks) => isMarked(text, marks)) ||
    isExternal(text) ||
    isInternal(text) ||
    isLegacyWarning(text) ||
    isHookPrompt(text)
  );
}

function isMarked(text: string, [start, end]: Marks): boolean {
  return startsInAnyCase(trimmedStart(text), start) && endsInAnyCase(trimmedEnd(text), end);
}

function isExternal(text: string): boolean {
  const start = "<external_";
  const nameEnd = text.indexOf(">");
  if (!text.startsWith(start) || nameEnd < 0) return false;
  const name = text.slice(start.length, nameEnd);
  return text.slice(nameEnd + 1).endsWith(`</external_${name}>`);
}

function isInternal(text: string): boolean {
  const internal = /^<codex_internal_context source="[a-z][a-z0-9_]*">/.test(text);
  return (
    (internal && text.endsWith("</codex_internal_context>")) ||
    (text.startsWith("<goal_context>") && text.endsWith("</goal_context>"))
  );
}

function isLegacyWarning(text: string): boolean {
  return (
    text.startsWith("Warning: The maximum number of unified exec processes you can keep open is") ||
    text.startsWith("Warning: Your account was flagged for potentially high-risk cyber activity") ||
    (text.startsWith("Warning: apply_patch was requested via ") &&
      text.endsWith("Use the apply_patch tool instead of exec_command."))
  );
}
