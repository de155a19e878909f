/** Bytes that are taken of an example that is larger than one may be: more rows than fields are proposed from. */
const firstRowsBytesMax = 1024 * 1024

const [lineFeed, quote] = [0x0a, 0x22]

/** What no text has: a compressed file or a spreadsheet does. */
function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 512).some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20))
}

/** Where the last whole row ends. A line break within quotes ends none (RFC 4180). */
function endOfRows(bytes: Uint8Array, knowsQuotes: boolean): number {
  let end = 0
  let isQuoted = false
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === quote && knowsQuotes) isQuoted = !isQuoted
    else if (bytes[at] === lineFeed && !isQuoted) end = at + 1
  }
  return end
}

/**
 * The first rows of an example whose rows are lines, CSV or JSON lines, in any encoding whose line breaks are those of ASCII.
 * Undefined where it cannot be cut: a JSON list, a SIE file, or no text at all.
 */
export async function firstRows(example: Blob): Promise<Blob | undefined> {
  const bytes = new Uint8Array(await example.slice(0, firstRowsBytesMax).arrayBuffer())
  if (isBinary(bytes)) return undefined
  const firstLine = new TextDecoder('latin1').decode(bytes.subarray(0, endOfLine(bytes))).trim()
  if (/^(ï»¿)?[[#]/.test(firstLine)) return undefined
  const isJson = /^(ï»¿)?\{/.test(firstLine)
  if (isJson && !firstLine.endsWith('}')) return undefined
  const end = endOfRows(bytes, !isJson)
  return end === 0 ? undefined : example.slice(0, end)
}

function endOfLine(bytes: Uint8Array): number {
  const at = bytes.indexOf(lineFeed)
  return at < 0 ? bytes.length : at
}
