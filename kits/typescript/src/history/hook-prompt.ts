/**
 * Hook prompts (SPEC 4.4, 5): one XML element with an attribute `hook_run_id` and text in it.
 * Children, comments, CDATA, prolog and document type are not judged, and taken as malformed here.
 */

import { isBlank } from "./text.js";

// The names of XML 1.0, fifth edition.
const NAME_START =
  String.raw`:A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d` +
  String.raw`\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}`;
const NAME = new RegExp(
  String.raw`[${NAME_START}][${NAME_START}\-.0-9\u00b7\u0300-\u036f\u203f\u2040]*`,
  "uy",
);
const SPACE = /[\t\n\r ]*/y;
const EQUALS = /[\t\n\r ]*=[\t\n\r ]*/y;
const NO_CHARACTER = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const LONE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9A-Fa-f]+);)/;

export function isHookPrompt(text: string): boolean {
  if (!text.startsWith("<") || !text.endsWith(">") || !text.includes("hook_run_id")) return false;
  const scanner = new Scanner(text, 1);
  const name = scanner.take(NAME);
  const attributes = name === "" ? null : startTag(scanner);
  if (attributes === null || isBlank(attributes.get("hook_run_id") ?? "")) return false;
  const content = scanner.until("<");
  const ends = scanner.take(SPACE) === "" && text.startsWith(`/${name}`, scanner.at);
  scanner.at += 1 + name.length;
  scanner.take(SPACE);
  if (!ends || scanner.at !== text.length - 1) return false;
  return isText(content) && !content.includes("]]>") && !isBlank(content);
}

/** Reads to behind the `>`; null if it is malformed, or the tag of an empty element. */
function startTag(scanner: Scanner): Map<string, string> | null {
  const attributes = new Map<string, string>();
  for (;;) {
    const space = scanner.take(SPACE);
    if (scanner.skip(">")) return attributes;
    const name = scanner.take(NAME);
    if (space === "" || name === "" || attributes.has(name) || scanner.take(EQUALS) === "") return null;
    const quote = scanner.text.charAt(scanner.at);
    if (quote !== '"' && quote !== "'") return null;
    scanner.at += 1;
    const value = scanner.until(quote);
    if (value.includes("<") || !isText(value)) return null;
    attributes.set(name, value);
  }
}

function isText(text: string): boolean {
  return !NO_CHARACTER.test(text) && !LONE_AMPERSAND.test(text);
}

/** Walks over a text once. */
class Scanner {
  constructor(
    readonly text: string,
    public at: number,
  ) {}

  /** Takes what a sticky pattern matches here, maybe nothing. */
  take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  skip(character: string): boolean {
    if (!this.text.startsWith(character, this.at)) return false;
    this.at += character.length;
    return true;
  }

  /** Takes what stands before a character, and the character; without it, all there is. */
  until(character: string): string {
    const end = this.text.indexOf(character, this.at);
    const found = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at = end < 0 ? this.text.length : end + 1;
    return found;
  }
}
