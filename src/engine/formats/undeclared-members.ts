import { ObjectCursor } from '../../formats/json/object-cursor.ts'
import { unescape } from '../../formats/json/unescape.ts'
import type { DeclaredNames } from './declared-names.ts'
import { DroppedKeys } from './dropped-keys.ts'

const backslash = 0x5c

/** One key with its escapes decoded. */
let unescaped = Buffer.allocUnsafeSlow(256)

/** Finds and cuts out the undeclared members of JSON rows, which were scanned before, row by row in order. */
export class UndeclaredMembers {
  readonly #body: Uint8Array
  readonly #declared: DeclaredNames
  readonly #members: ObjectCursor
  readonly #dropped = new DroppedKeys()
  /** Start, end, start, end, … in order. */
  readonly #cuts: number[] = []

  constructor(body: Uint8Array, declared: DeclaredNames) {
    this.#body = body
    this.#declared = declared
    this.#members = new ObjectCursor(body)
  }

  /** Looks at the row whose brace is at `at`; returns the position after it. */
  walkRow(at: number): number {
    const members = this.#members
    const cuts = this.#cuts
    members.open(at)
    let keptAny = false
    let previousEnd = at + 1
    // A dropped member with no kept one before it is cut with the comma after it, up to the next key.
    let cutFrom = -1
    while (members.next()) {
      const { keyStart, keyEnd, valueEnd } = members
      if (this.#isDeclared(keyStart + 1, keyEnd - 1)) {
        if (cutFrom >= 0) cuts.push(cutFrom, keyStart)
        cutFrom = -1
        keptAny = true
      } else {
        if (keptAny) cuts.push(previousEnd, valueEnd)
        else if (cutFrom < 0) cutFrom = keyStart
      }
      previousEnd = valueEnd
    }
    if (cutFrom >= 0) cuts.push(cutFrom, previousEnd)
    return members.end
  }

  /** What is left of `body[start, end)`, which holds all rows; if nothing was cut, a view of it. */
  kept(start: number, end: number): Uint8Array {
    const body = this.#body
    const cuts = this.#cuts
    if (cuts.length === 0) return body.subarray(start, end)
    let bytes = end - start
    for (let cut = 0; cut < cuts.length; cut += 2) bytes -= cuts[cut + 1]! - cuts[cut]!
    const kept = Buffer.allocUnsafeSlow(bytes)
    let from = start
    let to = 0
    for (let cut = 0; cut <= cuts.length; cut += 2) {
      const until = cuts[cut] ?? end
      // Most pieces have a few bytes, for which a call of `set` would cost more.
      if (until - from < 32) while (from < until) kept[to++] = body[from++]!
      else {
        kept.set(body.subarray(from, until), to)
        to += until - from
      }
      from = cuts[cut + 1] ?? end
    }
    return kept
  }

  /** The names of what was cut, in code point order, at most 50. */
  names(): string[] {
    return this.#dropped.list()
  }

  /** Whether the key in `body[start, end)`, without its quotes, is declared; if not, its name is recorded. */
  #isDeclared(start: number, end: number): boolean {
    const body = this.#body
    let at = start
    while (at < end && body[at] !== backslash) at++
    if (at === end) {
      if (this.#declared.has(body, start, end)) return true
      this.#dropped.add(body, start, end)
      return false
    }
    // A declared name may be written with escapes.
    if (unescaped.length < end - start) unescaped = Buffer.allocUnsafeSlow(2 * (end - start))
    const length = unescape(body, start, end, unescaped, 0)
    if (this.#declared.has(unescaped, 0, length)) return true
    this.#dropped.add(unescaped, 0, length)
    return false
  }
}
