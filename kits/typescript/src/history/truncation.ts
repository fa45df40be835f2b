/** What recording makes of the body of a function or custom output (SPEC 3.2, TRUNC). */

import { fault } from "../faults.js";
import type { Body, Edition, InputText, OutputEntry } from "./items.js";
import { utf8Length } from "./text.js";

export interface Policy {
  readonly mode: "bytes" | "tokens";
  readonly limit: number;
}

/** A policy whose limit is enlarged already (TRUNC-1). */
type Budget = Policy;

const BYTES_A_TOKEN = 4;

export function truncatedBody(body: Body, policy: Policy, edition: Edition): Body {
  const budget = enlarged(policy, edition);
  return typeof body === "string" ? truncatedText(body, budget) : truncatedEntries(body, budget);
}

/** TRUNC-1; in edition 2026-11 everything counts in tokens (E11-4). */
function enlarged({ mode, limit }: Policy, edition: Edition): Budget {
  const larger = Math.ceil((6 * limit) / 5);
  if (mode === "tokens" || edition === "2026-08") return { mode, limit: larger };
  return { mode: "tokens", limit: Math.ceil(larger / BYTES_A_TOKEN) };
}

/** TRUNC-2 to TRUNC-6. */
export function truncatedText(text: string, { mode, limit }: Budget): string {
  const budget = mode === "bytes" ? limit : limit * BYTES_A_TOKEN;
  if (text === "" || (budget > 0 && utf8Length(text) <= budget)) return text;
  const bytes = Buffer.from(text);
  const left = Math.floor(budget / 2);
  const prefixEnd = boundaryBefore(bytes, left);
  const suffixStart = boundaryAfter(bytes, bytes.length - (budget - left));
  const gone = bytes.subarray(prefixEnd, suffixStart);
  const lost = fault("marker-counts-removed") ? gone.length : bytes.length - budget;
  const marker =
    mode === "bytes"
      ? `…${scalarCount(gone)} chars truncated…`
      : `…${Math.ceil(lost / BYTES_A_TOKEN)} tokens truncated…`;
  return bytes.toString("utf8", 0, prefixEnd) + marker + bytes.toString("utf8", suffixStart);
}

/** TRUNC-7 to TRUNC-10: one budget runs through all entries. */
function truncatedEntries(entries: readonly OutputEntry[], budget: Budget): OutputEntry[] {
  const kept: OutputEntry[] = [];
  let left = budget.limit;
  let texts = 0;
  let audios = 0;
  for (const entry of entries) {
    if (entry.type === "input_text") {
      const cost = costOf(entry.text, budget.mode);
      if (left === 0) {
        texts += 1;
      } else if (cost <= left) {
        kept.push(entry);
        left -= cost;
      } else {
        kept.push(inputText(truncatedText(entry.text, { mode: budget.mode, limit: left })));
        left = 0;
      }
    } else if (entry.type === "input_audio") {
      const tokens = costOf(entry.audio_url, "tokens");
      const cost = budget.mode === "tokens" ? tokens : tokens * BYTES_A_TOKEN;
      if (cost <= left) {
        kept.push(entry);
        left -= cost;
      } else {
        audios += 1;
      }
    } else {
      kept.push(entry); // TRUNC-8
    }
  }
  if (texts > 0) kept.push(inputText(`[omitted ${texts} text items ...]`));
  if (audios > 0) kept.push(inputText(`[omitted ${audios} audio items ...]`));
  return kept;
}

function costOf(text: string, unit: Policy["mode"]): number {
  const bytes = utf8Length(text);
  return unit === "bytes" ? bytes : Math.ceil(bytes / BYTES_A_TOKEN);
}

function inputText(text: string): InputText {
  return { type: "input_text", text };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function boundaryBefore(bytes: Buffer, index: number): number {
  while (isContinuation(bytes[index])) index -= 1;
  return index;
}

function boundaryAfter(bytes: Buffer, index: number): number {
  while (isContinuation(bytes[index])) index += 1;
  return index;
}

function scalarCount(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (!isContinuation(byte)) count += 1;
  return count;
}
