import { hash } from 'node:crypto'
import { longList, release, widened } from './long-lists.ts'

/** Steps that a search takes in the quick table before it continues in the second one. */
const stepsMax = 48
/** Up to this length a table is at most half full and grows fourfold; a longer one three quarters full, and twofold. */
const roomyMax = 1 << 16

const noSlots = new Int32Array(0)

/**
 * Numbers distinct byte strings from 0 in the order of first use. Made for few and short ones seen often: a search
 * costs the hash and one comparison. Byte strings that were chosen to collide end up in a second table, hashed with a
 * secret that no sender knows: a search is never more than `stepsMax` comparisons and one look-up there.
 */
export class ByteDictionary {
  size = 0

  readonly #secret: Uint8Array
  /** Open addressing by hash: the number plus one, or 0 for a free slot. */
  #slots = new Int32Array(16)
  #crowdedSlots = noSlots
  #crowded = 0
  #hashes = new Int32Array(8)
  #starts = new Int32Array(9)
  #arena = longList.bytes(64)

  constructor(secret: Uint8Array) {
    this.#secret = secret
  }

  /**
   * The number of `bytes[start, end)`; a new one if it has none yet. `hash` must be `hashBytes` of the same bytes: a
   * caller that walks them anyway computes it on the way.
   */
  getId(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = toPlace(hash) & mask
    for (let step = 0; step < stepsMax; step++) {
      const id = slots[slot]! - 1
      if (id < 0) return this.#add(bytes, start, end, hash, slot)
      if (this.#hashes[id] === hash && this.#isAt(id, bytes, start, end)) return id
      slot = (slot + 1) & mask
    }
    return this.#crowdedId(bytes, start, end, hash)
  }

  /** The byte string with the number `id`, as text. */
  text(id: number): string {
    return this.#arena.toString('utf8', this.#starts[id]!, this.#starts[id + 1]!)
  }

  /** Its length in bytes. */
  getLength(id: number): number {
    return this.#starts[id + 1]! - this.#starts[id]!
  }

  /** Its length in a JSON string, where control characters, quotes and backslashes are escaped. */
  getJsonLength(id: number): number {
    const end = this.#starts[id + 1]!
    let length = 0
    for (let at = this.#starts[id]!; at < end; at++) {
      const byte = this.#arena[at]!
      length += byte < 0x20 ? 6 : byte === 0x22 || byte === 0x5c ? 2 : 1
    }
    return length
  }

  /** Copies the byte string to `into` at `at`; returns its length. */
  copy(id: number, into: Uint8Array, at: number): number {
    return this.#arena.copy(into, at, this.#starts[id]!, this.#starts[id + 1]!)
  }

  /** Ends the searching: releases what only `getId` needs. */
  seal(): void {
    release(this.#slots)
    release(this.#crowdedSlots)
    release(this.#hashes)
  }

  #isAt(id: number, bytes: Uint8Array, start: number, end: number): boolean {
    const arena = this.#arena
    let at = this.#starts[id]!
    if (this.#starts[id + 1]! - at !== end - start) return false
    let from = start
    while (from < end && arena[at] === bytes[from]) {
      at++
      from++
    }
    return from === end
  }

  #crowdedId(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#crowdedSlots
    if (slots.length > 0) {
      const mask = slots.length - 1
      let slot = this.#secretPlace(bytes.subarray(start, end)) & mask
      for (; slots[slot] !== 0; slot = (slot + 1) & mask) {
        const id = slots[slot]! - 1
        if (this.#isAt(id, bytes, start, end)) return id
      }
    }
    return this.#add(bytes, start, end, hash, -1)
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.size++
    if (id === this.#hashes.length) {
      this.#hashes = widened.int32(this.#hashes, id * 2)
      this.#starts = widened.int32(this.#starts, id * 2 + 1)
    }
    const at = this.#starts[id]!
    const after = at + end - start
    if (after > this.#arena.length) this.#arena = widened.bytes(this.#arena, after * 2)
    for (let from = start, to = at; from < end; from++, to++) this.#arena[to] = bytes[from]!
    this.#hashes[id] = hash
    this.#starts[id + 1] = after
    if (slot < 0) this.#crowd(id)
    else {
      this.#slots[slot] = id + 1
      const { length } = this.#slots
      if (length <= roomyMax ? this.size * 2 > length : this.size * 4 > length * 3) this.#widen()
    }
    return id
  }

  /** Moves everything to a wider table; what is crowded there too goes to the second one. */
  #widen(): void {
    const { length } = this.#slots
    release(this.#slots)
    const slots = longList.int32(length < roomyMax ? length * 4 : length * 2)
    const mask = slots.length - 1
    this.#crowdedSlots.fill(0)
    this.#crowded = 0
    for (let id = 0; id < this.size; id++) {
      let slot = toPlace(this.#hashes[id]!) & mask
      let step = 0
      while (slots[slot] !== 0 && step < stepsMax) {
        slot = (slot + 1) & mask
        step++
      }
      if (step < stepsMax) slots[slot] = id + 1
      else this.#crowd(id)
    }
    this.#slots = slots
  }

  /** Adds a number to the second table. */
  #crowd(id: number): void {
    if (this.#crowded * 2 >= this.#crowdedSlots.length) this.#widenCrowded()
    const slots = this.#crowdedSlots
    const mask = slots.length - 1
    let slot = this.#secretPlace(this.#arena.subarray(this.#starts[id], this.#starts[id + 1])) & mask
    while (slots[slot] !== 0) slot = (slot + 1) & mask
    slots[slot] = id + 1
    this.#crowded++
  }

  #widenCrowded(): void {
    const crowded = this.#crowdedSlots
    this.#crowdedSlots = longList.int32(Math.max(64, crowded.length * 4))
    this.#crowded = 0
    for (const number of crowded) if (number > 0) this.#crowd(number - 1)
  }

  #secretPlace(bytes: Uint8Array): number {
    return Number.parseInt(hash('sha256', Buffer.concat([this.#secret, bytes]), 'hex').slice(0, 7), 16)
  }
}

/** FNV-1a, 32 bits. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = hashSeed
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, hashFactor)
  return hash
}

/** The initial hash; every byte is xored in, then the hash is multiplied by `hashFactor`. */
export const hashSeed = 0x811c9dc5 | 0
export const hashFactor = 0x01000193

function toPlace(hash: number): number {
  return hash ^ (hash >>> 15)
}
