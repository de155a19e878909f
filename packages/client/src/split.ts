/*
 * Cuts a document into parts on the borders of its records. A document is read once, in chunks; one buffer of the size of a part is all
 * that is held.
 */
import { BrokenFile, type Records } from './records.ts'

export interface Part {
  /** Valid until the next part is taken, which is written over it. */
  bytes: Uint8Array<ArrayBuffer>
  /** Rows in it, the header row of CSV not counted; 1 for a document that is never cut. */
  rows: number
}

/**
 * The parts of a document, each of at most `bytesMax` bytes and a document of its own: CSV with its header row again, JSON lines, or a
 * JSON list.
 *
 * @throws BrokenFile where the document is broken; the parts before have been given by then
 */
export async function* split(
  chunks: AsyncIterable<Uint8Array>,
  records: Records,
  bytesMax: number,
): AsyncGenerator<Part> {
  const builder = new PartBuilder(records, bytesMax)
  let base = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      if (!builder.isRecordOpen) {
        at = records.begin(chunk, at, base)
        if (at === chunk.length) break
        builder.openRecord(base + at)
      }
      const end = records.end(chunk, at, base)
      const until = end < 0 ? chunk.length : end
      while (!builder.hasSpace(until - at)) {
        yield builder.part()
        builder.restart()
      }
      builder.append(chunk, at, until)
      if (end >= 0) builder.closeRecord(false)
      at = until
    }
    base += chunk.length
  }
  records.finish(base, builder.isRecordOpen)
  if (builder.isRecordOpen) builder.closeRecord(true)
  yield builder.part()
}

/** Collects records into a part: the header row, what opens a part, records with what is between them, what closes it. */
class PartBuilder {
  readonly #records: Records
  readonly #buffer: Uint8Array<ArrayBuffer>
  readonly #frame: { open: Uint8Array; between: Uint8Array; close: Uint8Array }
  /** Where the first record is written. */
  #start = 0
  /** The end of the last whole record. */
  #end = 0
  #rows = 0
  /** The record that is being read. */
  #recordStart = 0
  #recordEnd = 0
  #recordByte = 0
  isRecordOpen = false

  constructor(records: Records, bytesMax: number) {
    this.#records = records
    this.#buffer = new Uint8Array(bytesMax)
    const encoder = new TextEncoder()
    const { open, between, close } = records.frame
    this.#frame = {
      open: encoder.encode(open),
      between: encoder.encode(between),
      close: encoder.encode(close),
    }
    this.#setHead(0)
  }

  /** The header row ends at `end`. */
  #setHead(end: number): void {
    this.#buffer.set(this.#frame.open, end)
    this.#start = end + this.#frame.open.length
    this.#end = this.#start
  }

  openRecord(firstByte: number): void {
    this.isRecordOpen = true
    this.#recordByte = firstByte
    // What is between records has the place of what closes a part, and is not shorter.
    this.#recordStart = this.#end + (this.#rows === 0 ? 0 : this.#frame.between.length)
    this.#recordEnd = this.#recordStart
  }

  /** @throws BrokenFile if the record does not even fit into a part of its own */
  hasSpace(bytes: number): boolean {
    if (this.#recordEnd + bytes + this.#frame.close.length <= this.#buffer.length) return true
    if (this.#rows > 0) return false
    throw new BrokenFile(
      `A record is larger than the ${this.#buffer.length} bytes that one delivery may have`,
      this.#recordByte,
    )
  }

  append(chunk: Uint8Array, start: number, end: number): void {
    // Byte by byte: most records are short, and a view of each would be more to collect than the file.
    let to = this.#recordEnd
    for (let from = start; from < end; from++) this.#buffer[to++] = chunk[from]!
    this.#recordEnd = to
  }

  closeRecord(isLast: boolean): void {
    this.isRecordOpen = false
    const start = this.#recordStart
    const end = this.#recordEnd
    const kind = this.#records.check(this.#buffer, start, end, this.#recordByte, isLast)
    if (kind === 'head') this.#setHead(end)
    if (kind !== 'row') return
    if (this.#rows > 0) this.#buffer.set(this.#frame.between, this.#end)
    this.#end = end
    this.#rows++
  }

  /** The part of all whole records. */
  part(): Part {
    const { close } = this.#frame
    if (this.#end + close.length <= this.#buffer.length) this.#buffer.set(close, this.#end)
    return { bytes: this.#buffer.subarray(0, this.#end + close.length), rows: this.#rows }
  }

  /** Begins the next part with the record that is being read. */
  restart(): void {
    this.#buffer.copyWithin(this.#start, this.#recordStart, this.#recordEnd)
    this.#recordEnd -= this.#recordStart - this.#start
    this.#recordStart = this.#start
    this.#end = this.#start
    this.#rows = 0
  }
}
