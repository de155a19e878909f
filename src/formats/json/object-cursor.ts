import { skipSpace } from './skip-space.ts'
import { skipValue } from './skip-value.ts'

/**
 * Walks the members of objects that have been scanned before. Made once, opened for any number of objects:
 *
 *   members.open(at)
 *   while (members.next()) … members.keyStart, members.valueEnd …
 *   members.end
 *
 * To cut a member out of an object: what is between the end of the previous member (or the brace) and the
 * start of the next one is white space and one comma at most on either side.
 */
export class ObjectCursor {
  /** The key with its quotes. */
  keyStart = 0
  keyEnd = 0
  valueStart = 0
  valueEnd = 0
  /** How many members of this object `next` has moved to. */
  count = 0
  /** The position after the closing brace, once `next` has returned false. */
  end = 0

  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Starts on the object whose opening brace is at `at`. */
  open(at: number): void {
    this.#at = at + 1
    this.count = 0
  }

  /** Moves to the next member; false when there is none, and then `end` is set. */
  next(): boolean {
    const bytes = this.#bytes
    let i = skipSpace(bytes, this.#at)
    if (bytes[i] === 0x7d) {
      this.end = i + 1
      return false
    }
    if (bytes[i] === 0x2c) i = skipSpace(bytes, i + 1)
    this.keyStart = i
    this.keyEnd = skipValue(bytes, i)
    i = skipSpace(bytes, this.keyEnd)
    this.valueStart = skipSpace(bytes, i + 1)
    this.valueEnd = skipValue(bytes, this.valueStart)
    this.#at = this.valueEnd
    this.count++
    return true
  }
}
