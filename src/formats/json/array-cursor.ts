import { skipSpace } from './skip-space.ts'
import { skipValue } from './skip-value.ts'

/**
 * Walks the items of lists that have been scanned before. The end of an item is found only when it is needed; a caller
 * that has walked the item itself gives the end to `leave`, so that nothing is read twice:
 *
 *   items.open(at)
 *   while (items.next()) { members.open(items.itemStart); while (members.next()) …; items.leave(members.end) }
 *   items.end
 */
export class ArrayCursor {
  itemStart = 0
  /** How many items of this list `next` has moved to. */
  count = 0
  /** The position after the closing bracket, once `next` has returned false. */
  end = 0

  readonly #bytes: Uint8Array
  /** The end of the current item, or -1 while it is not known. */
  #itemEnd = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Starts on the list whose opening bracket is at `at`. */
  open(at: number): void {
    this.#itemEnd = at + 1
    this.count = 0
  }

  /** Moves to the next item; false when there is none, and then `end` is set. */
  next(): boolean {
    const bytes = this.#bytes
    let i = skipSpace(bytes, this.itemEnd())
    if (bytes[i] === 0x5d) {
      this.end = i + 1
      return false
    }
    if (bytes[i] === 0x2c) i = skipSpace(bytes, i + 1)
    this.itemStart = i
    this.#itemEnd = -1
    this.count++
    return true
  }

  /** Where the current item ends. */
  itemEnd(): number {
    if (this.#itemEnd < 0) this.#itemEnd = skipValue(this.#bytes, this.itemStart)
    return this.#itemEnd
  }

  /** Sets where the current item ends, as the caller knows. */
  leave(itemEnd: number): void {
    this.#itemEnd = itemEnd
  }
}
