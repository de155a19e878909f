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

/** The names of everything that was dropped, each once. */
class DroppedKeys {
  /** Each spelling with its opening quote: text that looks like a number is hashed badly. */
  readonly #spellings = new Set<string>()

  add(body: Uint8Array, keyStart: number, keyEnd: number): void {
    const { buffer, byteOffset } = body
    this.#spellings.add(Buffer.from(buffer, byteOffset + keyStart, keyEnd - 1 - keyStart).toString('latin1'))
  }

  /** The order of UTF-8 bytes is that of code points. */
  list(): string[] {
    if (this.#spellings.size === 0) return []
    const names = new Set<string>()
    for (const spelling of this.#spellings) {
      const bytes = Buffer.from(`${spelling}"`, 'latin1')
      names.add(jsonText(bytes, 0, bytes.length))
    }
    return [...names]
      .map((name) => Buffer.from(name))
      .toSorted((a, b) => Buffer.compare(a, b))
      .slice(0, droppedKeysMax)
      .map((name) => name.toString())
  }
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
  const dropped = new DroppedKeys()
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
        dropped.add(body, keyStart, keyEnd)
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
