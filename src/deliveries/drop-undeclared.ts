import { ArrayCursor } from '../json/array-cursor.ts'
import { jsonText } from '../json/json-text.ts'
import { ObjectCursor } from '../json/object-cursor.ts'
import type { DeclaredNames } from './declared-names.ts'
import { DeliveryError } from './delivery-error.ts'

/** What a receipt lists at most (specification "Limits"). */
export const droppedKeysMax = 50

export interface KeptPayload {
  /** The payload less undeclared members; where nothing was dropped, a view of the body. */
  content: Uint8Array
  /** In code point order, at most 50. */
  droppedKeys: string[]
}

const backslash = 0x5c

/**
 * The first names of all that was dropped, each once, in code point order, which is that of UTF-8 bytes. Never more than
 * are listed, so that a body of nothing but names costs a look at each.
 */
class DroppedKeys {
  readonly #body: Uint8Array
  readonly #names: Buffer[] = []

  constructor(body: Uint8Array) {
    this.#body = body
  }

  /** The key stands in `body[keyStart, keyEnd)`, quotes included. */
  add(keyStart: number, keyEnd: number): void {
    const body = this.#body
    for (let at = keyStart + 1; at < keyEnd - 1; at++) {
      if (body[at] !== backslash) continue
      const name = Buffer.from(jsonText(body, keyStart, keyEnd))
      return this.#addName(name, 0, name.length)
    }
    this.#addName(body, keyStart + 1, keyEnd - 1)
  }

  list(): string[] {
    return this.#names.map((name) => name.toString())
  }

  #addName(bytes: Uint8Array, start: number, end: number): void {
    const names = this.#names
    let low = 0
    let high = names.length
    while (low < high) {
      const middle = (low + high) >> 1
      const order = compareBytes(bytes, start, end, names[middle]!)
      if (order === 0) return
      if (order < 0) high = middle
      else low = middle + 1
    }
    if (low === droppedKeysMax) return
    names.splice(low, 0, Buffer.from(bytes.subarray(start, end)))
    if (names.length > droppedKeysMax) names.pop()
  }
}

/** Less than 0, 0 or more: `bytes[start, end)` against `other`. */
const compareBytes = (bytes: Uint8Array, start: number, end: number, other: Uint8Array): number => {
  const length = Math.min(end - start, other.length)
  for (let at = 0; at < length; at++) {
    const order = bytes[start + at]! - other[at]!
    if (order !== 0) return order
  }
  return end - start - other.length
}

/** `body[start, end)` without the ranges in `cuts` (start, end, start, end, …, in order). */
const cutOut = (body: Uint8Array, start: number, end: number, cuts: readonly number[]): Uint8Array => {
  let bytes = end - start
  for (let cut = 0; cut < cuts.length; cut += 2) bytes -= cuts[cut + 1]! - cuts[cut]!
  const kept = Buffer.allocUnsafeSlow(bytes)
  let from = start
  let to = 0
  for (let cut = 0; cut <= cuts.length; cut += 2) {
    const until = cuts[cut] ?? end
    // Most pieces are a few bytes, which a call of `set` costs more than.
    if (until - from < 32) while (from < until) kept[to++] = body[from++]!
    else {
      kept.set(body.subarray(from, until), to)
      to += until - from
    }
    from = cuts[cut + 1] ?? end
  }
  return kept
}

/**
 * Drops the members of each row that its shape does not declare (reading `push.content`): everything else stays as
 * received, byte for byte. `body[start, end)` is the payload, scanned before. Throws a `DeliveryError` where it is
 * no object and no list of objects (reading `push.payload`).
 */
export const dropUndeclared = (
  body: Uint8Array,
  start: number,
  end: number,
  declared: DeclaredNames,
): KeptPayload => {
  const cuts: number[] = []
  const dropped = new DroppedKeys(body)
  const members = new ObjectCursor(body)

  const walkRow = (at: number): void => {
    members.open(at)
    let keptAny = false
    let previousEnd = at + 1
    // A dropped member that no kept one precedes goes with the comma behind it: up to the key of the next one.
    let cutFrom = -1
    while (members.next()) {
      const { keyStart, keyEnd, valueEnd } = members
      if (declared.has(body, keyStart, keyEnd)) {
        if (cutFrom >= 0) cuts.push(cutFrom, keyStart)
        cutFrom = -1
        keptAny = true
      } else {
        dropped.add(keyStart, keyEnd)
        if (keptAny) cuts.push(previousEnd, valueEnd)
        else if (cutFrom < 0) cutFrom = keyStart
      }
      previousEnd = valueEnd
    }
    if (cutFrom >= 0) cuts.push(cutFrom, previousEnd)
  }

  if (body[start] === 0x7b) walkRow(start)
  else if (body[start] === 0x5b) {
    const rows = new ArrayCursor(body)
    rows.open(start)
    while (rows.next()) {
      if (body[rows.itemStart] !== 0x7b) {
        throw new DeliveryError(`Item ${rows.count} of payload is not an object.`, 'payload')
      }
      walkRow(rows.itemStart)
      rows.leave(members.end)
    }
  } else throw new DeliveryError('payload is neither an object nor a list of objects.', 'payload')

  return {
    content: cuts.length === 0 ? body.subarray(start, end) : cutOut(body, start, end, cuts),
    droppedKeys: dropped.list(),
  }
}
