import { skipSpace } from './skip-space.ts'
import { skipValue } from './skip-value.ts'

/**
 * Walks the items of lists that have been scanned before. Where an item ends is found out when it is asked for;
 * a caller that has walked the item itself says where with `leave`, and nothing is read twice:
 *
 *   items.open(at)
 *   while (items.next()) { members.open(items.itemStart); while (members.next()) …; items.leave(members.end) }
 *   items.end
 */
export class ArrayCursor {
  itemStart = 0
  /** How many items `next` has given of this list. */
  count = 0
  /** After the closing bracket, once `next` has said false. */
  end = 0

  readonly #bytes: Uint8Array
  /** The end of the current item, or -1 while it is not known. */
  #itemEnd = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Begins with the list whose opening bracket is at `at`. */
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

  /** Tells where the current item ends, to a caller's own knowledge. */
  leave(itemEnd: number): void {
    this.#itemEnd = itemEnd
  }
}
