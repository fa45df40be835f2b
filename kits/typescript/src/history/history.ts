/** A context history, and every operation on it. */

import { fault } from "../faults.js";
import { removeHead, rolledBack } from "./changes.js";
import type { Edition, Envelope, Item } from "./items.js";
import type { Json, JsonObject } from "./json.js";
import { type Modality, withoutMedia } from "./media.js";
import { recordedInNovember, withReadableMedia, withShownId } from "./november.js";
import { completed, withoutOrphans } from "./pairing.js";
import { type Policy, truncatedBody } from "./truncation.js";
import { mergePatch } from "./world.js";

export type Mode = "debug" | "release";

/** What a history is built with. */
export interface Setting {
  readonly mode: Mode;
  readonly edition: Edition;
  /** Takes what a release logs at error level. */
  readonly report: (message: string) => void;
}

/** What a debug build stops with (MODE-3). */
export class Panic extends Error {}

/** What an update of the world state has to tell; null if nothing changed. */
export type WorldRecord = { full: true; state: JsonObject } | { full: false; patch: Json } | null;

export interface Cursor {
  readonly history_version: number;
  readonly entry_count: number;
}

export interface Transcript {
  readonly kind: "full" | "delta";
  readonly entries: Item[];
  readonly cursor: Cursor;
}

export class History {
  #envelopes: Envelope[] = [];
  #version = 0;
  #baseline: Json = null;
  referenceContext: Json = null;
  tokenInfo: Json = null;

  constructor(readonly setting: Setting) {}

  get version(): number {
    return this.#version;
  }

  /** A copy: what a reader was handed does not change (SNAP-2). */
  envelopes(): Envelope[] {
    return [...this.#envelopes];
  }

  items(): Item[] {
    return this.#envelopes.map(({ item }) => item);
  }

  /** Appends what is no control or system message (REC-1, REC-2), truncated on the way in. */
  record(envelopes: readonly Envelope[], policy: Policy): void {
    for (const envelope of envelopes) {
      if (isKept(envelope.item)) this.#envelopes.push(this.#recorded(envelope, policy));
    }
    if (fault("version-bumped-by-recording")) this.#version += 1;
  }

  /** REC-3: only the bodies of function and custom outputs change. */
  #recorded(envelope: Envelope, policy: Policy): Envelope {
    const { edition } = this.setting;
    const item = edition === "2026-11" ? recordedInNovember(envelope.item) : envelope.item;
    if (item.type !== "function_call_output" && item.type !== "custom_tool_call_output") {
      return { ...envelope, item };
    }
    return { ...envelope, item: { ...item, output: truncatedBody(item.output, policy, edition) } };
  }

  /** Takes up a stored session: a recording that adds no ids and cuts nothing (E11-2). */
  restore(items: readonly Item[]): void {
    for (const item of items.filter(isKept)) this.#envelopes.push(bare(withReadableMedia(item)));
  }

  /** Steps A to D (SPEC 2). */
  project(modalities: ReadonlySet<Modality>): Envelope[] {
    const complete = completed(this.#envelopes, this.#anomaly);
    if (fault("repair-written-back")) this.#envelopes = [...complete];
    return withoutOrphans(complete, this.#anomaly).map((envelope) => {
      return { ...envelope, item: this.#shown(withoutMedia(envelope.item, modalities)) };
    });
  }

  #shown(item: Item): Item {
    return this.setting.edition === "2026-11" ? withShownId(item) : item;
  }

  /** A debug build stops at the first anomaly; a release says so and goes on (SPEC 2.6). */
  readonly #anomaly = (message: string): void => {
    const { mode, report } = this.setting;
    const panics = mode === "debug" ? !fault("no-panic-in-debug") : releasePanics(message);
    if (!panics) return report(message);
    throw new Panic(fault("another-panic-message") ? `${message}!` : message);
  };

  removeFirstItem(): void {
    if (this.#envelopes.length === 0) return;
    removeHead(this.#envelopes);
    this.#baseline = null; // WORLD-5
  }

  dropLastTurns(turns: number): void {
    if (turns === 0) return; // ROLL-1
    const { kept, clearsReference } = rolledBack(this.#envelopes, turns);
    this.#rewrite(kept, fault("baseline-kept-by-rollback") ? this.#baseline : null);
    if (clearsReference) this.referenceContext = null; // ROLL-6
  }

  /** REPL-1: exactly these items. */
  replace(items: readonly Item[]): void {
    this.#rewrite(items.map(bare), null);
  }

  /** VER-2, WORLD-5. */
  #rewrite(envelopes: readonly Envelope[], baseline: Json): void {
    this.#envelopes = [...envelopes];
    this.#version += 1;
    this.#baseline = baseline;
  }

  get worldStateBaseline(): Json {
    return this.#baseline;
  }

  set worldStateBaseline(state: Json) {
    this.#baseline = state;
  }

  /** WORLD-1 to WORLD-3. */
  updateWorldState(state: JsonObject): WorldRecord {
    const before = this.#baseline;
    this.#baseline = state;
    if (before === null) return { full: true, state };
    const patch = mergePatch(before, state);
    return patch === undefined ? null : { full: false, patch };
  }

  /** CUR-1 and CUR-2. */
  readTranscript(seen: Cursor | null): Transcript {
    const items = this.items();
    const cursor = { history_version: this.#version, entry_count: items.length };
    const sameVersion = seen?.history_version === this.#version || fault("delta-after-replace");
    if (seen === null || !sameVersion || seen.entry_count > items.length) {
      return { kind: "full", entries: items, cursor };
    }
    return { kind: "delta", entries: items.slice(seen.entry_count), cursor };
  }

  /** Neither sees what is done to the other (SNAP-1): values are shared, the list is not. */
  clone(): History {
    const copy = new History(this.setting);
    copy.#envelopes = fault("clone-shares-state") ? this.#envelopes : [...this.#envelopes];
    copy.#version = this.#version;
    copy.#baseline = this.#baseline;
    copy.referenceContext = this.referenceContext;
    copy.tokenInfo = this.tokenInfo;
    return copy;
  }
}

export function bare(item: Item): Envelope {
  return { item, metadata: null };
}

/** REC-2. */
function isKept(item: Item): boolean {
  if (item.type === "message") return item.role !== "system";
  return item.type !== "compaction_trigger" && item.type !== "other";
}

function releasePanics(message: string): boolean {
  return fault("release-panics") && message.startsWith("Custom tool call");
}
