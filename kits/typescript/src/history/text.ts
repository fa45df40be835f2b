/** Text as SPEC sees it: White_Space of Unicode, ASCII letters in either case, UTF-8 bytes. */

// `trim` will not do: it strips U+FEFF and keeps U+0085 (SPEC 4.4).
const WHITE_SPACE = new Set(
  "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a" +
    "\u2028\u2029\u202f\u205f\u3000",
);

export function isBlank(text: string): boolean {
  return trimmedStart(text) === "";
}

export function trimmed(text: string): string {
  return trimmedEnd(trimmedStart(text));
}

export function trimmedStart(text: string): string {
  let start = 0;
  while (start < text.length && WHITE_SPACE.has(text.charAt(start))) start += 1;
  return text.slice(start);
}

export function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && WHITE_SPACE.has(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** `toLowerCase` will not do: it turns U+212A into k, and changes the length of some letters. */
export function asciiLower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function startsInAnyCase(text: string, lowerStart: string): boolean {
  return asciiLower(text.slice(0, lowerStart.length)) === lowerStart;
}

export function endsInAnyCase(text: string, lowerEnd: string): boolean {
  return text.length >= lowerEnd.length && asciiLower(text.slice(-lowerEnd.length)) === lowerEnd;
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text);
}
