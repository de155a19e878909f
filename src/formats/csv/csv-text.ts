/** The text of a raw cell: without its surrounding quotes, doubled quotes unescaped. */
export function csvText(bytes: Uint8Array, start: number, end: number): string {
  const quoted = bytes[start] === 0x22 && end > start
  const from = quoted ? start + 1 : start
  const to = quoted ? end - 1 : end
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8')
  return quoted ? text.replaceAll('""', '"') : text
}
