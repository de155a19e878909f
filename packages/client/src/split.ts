/*
 * Cuts a document into parts on the borders of its records. A document is read once, in chunks, and no more of it is held than one part
 * and the chunks of the next.
 */
import { BrokenFile, type Records } from './records.ts'

export interface Part {
  bytes: Uint8Array<ArrayBuffer>
  /** Rows in it, the header row of CSV not counted; 1 for a document that is never cut. */
  rows: number
  /** Where its first record begins in the document, from 0. */
  firstByte: number
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
  const parts = new PartBuilder(records, bytesMax)
  let base = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      if (!parts.isRecordOpen) {
        at = records.begin(chunk, at, base)
        if (at === chunk.length) break
        parts.openRecord(base + at)
      }
      const end = records.end(chunk, at, base)
      const until = end < 0 ? chunk.length : end
      parts.append(chunk.subarray(at, until))
      at = until
      if (end < 0) continue
      const full = parts.closeRecord(false)
      if (full) yield full
    }
    base += chunk.length
  }
  records.finish(base, parts.isRecordOpen)
  const full = parts.isRecordOpen ? parts.closeRecord(true) : undefined
  if (full) yield full
  yield parts.take()
}

/** Collects records into a part. */
class PartBuilder {
  readonly #records: Records
  readonly #bytesMax: number
  readonly #frame: { open: Uint8Array; between: Uint8Array; close: Uint8Array }
  #head: Uint8Array = new Uint8Array()
  #pieces: Uint8Array[] = []
  #size = 0
  #rows = 0
  #firstByte = 0
  /** The record that is being read. */
  #record: Uint8Array[] = []
  #recordSize = 0
  #recordByte = 0
  isRecordOpen = false

  constructor(records: Records, bytesMax: number) {
    this.#records = records
    this.#bytesMax = bytesMax
    const encoder = new TextEncoder()
    const { open, between, close } = records.frame
    this.#frame = {
      open: encoder.encode(open),
      between: encoder.encode(between),
      close: encoder.encode(close),
    }
  }

  openRecord(firstByte: number): void {
    this.isRecordOpen = true
    this.#recordByte = firstByte
  }

  append(piece: Uint8Array): void {
    this.#record.push(piece)
    this.#recordSize += piece.length
    if (this.#overhead + this.#recordSize > this.#bytesMax) {
      throw new BrokenFile(
        `A record is larger than the ${this.#bytesMax} bytes that one delivery may have`,
        this.#recordByte,
      )
    }
  }

  /** Ends the record. Gives the part before it if the record did not fit into that any more. */
  closeRecord(isLast: boolean): Part | undefined {
    const bytes = this.#record.length === 1 ? this.#record[0]! : concatenate(this.#record, this.#recordSize)
    const kind = this.#records.check(bytes, this.#recordByte, isLast)
    const firstByte = this.#recordByte
    this.#record = []
    this.#recordSize = 0
    this.isRecordOpen = false
    if (kind === 'head') {
      this.#head = concatenate([this.#head, bytes], this.#head.length + bytes.length)
      return undefined
    }
    if (kind === 'blank') return undefined
    const between = this.#rows === 0 ? 0 : this.#frame.between.length
    const fits = this.#overhead + this.#size + between + bytes.length <= this.#bytesMax
    const full = fits ? undefined : this.take()
    if (this.#rows === 0) this.#firstByte = firstByte
    else if (this.#frame.between.length > 0) this.#add(this.#frame.between)
    this.#add(bytes)
    this.#rows++
    return full
  }

  /** The part of all records since the last one. */
  take(): Part {
    const { open, close } = this.#frame
    const bytes = concatenate([this.#head, open, ...this.#pieces, close], this.#overhead + this.#size)
    const part = { bytes, rows: this.#rows, firstByte: this.#firstByte }
    this.#pieces = []
    this.#size = 0
    this.#rows = 0
    return part
  }

  #add(piece: Uint8Array): void {
    this.#pieces.push(piece)
    this.#size += piece.length
  }

  get #overhead(): number {
    return this.#head.length + this.#frame.open.length + this.#frame.close.length
  }
}

function concatenate(pieces: Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}
