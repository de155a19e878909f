import type { Document } from './files.ts'
import { BrokenFile, type DocumentFormat, findFormat, recordsOf } from './records.ts'
import { type Part, split } from './split.ts'

export interface Opened {
  format: DocumentFormat
  /** The parts of the document; one for a document that is small enough, with its bytes as they are. */
  parts: AsyncIterable<Part>
}

/**
 * Finds a document's format and gives its parts.
 *
 * @param declared the format that the source declares, where it does
 * @throws BrokenFile for an empty document, and for one that is too large and cannot be cut
 */
export async function openParts(
  document: Document,
  bytesMax: number,
  declared?: 'csv' | 'json' | 'json_lines' | 'sie',
): Promise<Opened> {
  if (document.size === 0) throw new BrokenFile('The file is empty', 0)
  const start = await readStart(document, bytesMax)
  const isWhole = start.length === document.size
  const found = findFormat(start, isWhole) ?? 'object'
  const format = declared === undefined || (declared === 'json' && found === 'object') ? found : declared
  if (document.size <= bytesMax) return { format, parts: checkWhole(document, format) }
  if (format === 'sie' || format === 'object') {
    const what = format === 'sie' ? 'A SIE file' : 'A single JSON object'
    throw new BrokenFile(
      `${what} cannot be cut, and has more than the ${bytesMax} bytes of one delivery`,
      bytesMax,
    )
  }
  return { format, parts: split(document.read(), recordsOf(format), bytesMax) }
}

/** As much of the beginning as tells the format. */
async function readStart(document: Document, bytesMax: number): Promise<Uint8Array> {
  let start = new Uint8Array()
  for await (const chunk of document.read()) {
    const longer = new Uint8Array(start.length + chunk.length)
    longer.set(start)
    longer.set(chunk, start.length)
    start = longer
    const isWhole = start.length === document.size
    if (isWhole || start.length > bytesMax || findFormat(start, false) !== undefined) break
  }
  return start
}

/** What `split` may add: a list's brackets, a line feed. */
const frameBytesMax = 2

/** A document of one delivery, with its own bytes, once all of it was checked. */
async function* checkWhole(document: Document, format: DocumentFormat): AsyncGenerator<Part> {
  const bytes = new Uint8Array(document.size)
  let size = 0
  for await (const chunk of document.read()) {
    bytes.set(chunk, size)
    size += chunk.length
  }
  const once = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  let rows = 0
  for await (const part of split(once(), recordsOf(format), bytes.length + frameBytesMax)) rows += part.rows
  yield { bytes, rows }
}
