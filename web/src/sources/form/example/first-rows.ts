/** Bytes that are read of an example that exceeds the limit: more rows than fields are proposed from. */
const firstRowsBytesMax = 1024 * 1024

const [lineFeed, quote] = [0x0a, 0x22]

/** Compressed files and spreadsheets contain bytes that no text does. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 512).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20))
}

/** The end of the last whole row. A line break within quotes ends none (RFC 4180). */
function findEnd(bytes: Uint8Array, hasQuotes: boolean): number {
  let end = 0
  let isQuoted = false
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote && hasQuotes) isQuoted = !isQuoted
    else if (bytes[at] === lineFeed && !isQuoted) end = at + 1
  }
  return end
}

/**
 * The first rows of CSV or JSON lines, in any encoding with ASCII's line breaks. Undefined for what cannot be cut: a JSON list, a
 * SIE file, or no text.
 */
export async function readFirstRows(example: Blob): Promise<Blob | undefined> {
  const bytes = new Uint8Array(await example.slice(0, firstRowsBytesMax).arrayBuffer())
  if (isBinary(bytes)) return undefined
  const [firstLine = ''] = new TextDecoder('latin1').decode(bytes).split('\n', 1)
  const start = firstLine.replace(/^ï»¿/, '').trim()
  if (/^[[#]/.test(start)) return undefined
  const isJson = start.startsWith('{')
  if (isJson && !start.endsWith('}')) return undefined
  const end = findEnd(bytes, !isJson)
  return end === 0 ? undefined : example.slice(0, end)
}
