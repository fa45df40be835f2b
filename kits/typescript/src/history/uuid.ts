/** Writes 16 bytes as a UUID of a version, lower-case and hyphenated (RFC 9562). */
export function uuid(bytes: Buffer, version: 5 | 7): string {
  const marked = Buffer.from(bytes);
  marked[6] = ((bytes[6] as number) & 0x0f) | (version << 4);
  marked[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return marked.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
