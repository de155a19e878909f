import { longList, release, widened } from './long-lists.ts'

/** Up to this length a table is at most half full and grows fourfold; a longer one three quarters full, and twofold. */
const roomyMax = 1 << 16

/** Places of a row key that are kept from the start; the others are kept once they differ. */
const keptFromStart = 2
const firstPlaces = [0, 1]

/**
 * Numbers distinct row keys (lists of 32-bit integers) from 0 in the order of first use: put a row key into `key`, then
 * call `id`.
 *
 * Hashes depend on a seed that no sender knows, so row keys cannot be chosen to collide. A place that is the same in
 * all row keys costs no memory: of twenty labels most may be missing.
 */
export class RowKeyTable {
  size = 0
  readonly key: Int32Array

  readonly #seed: number
  /** The places that are kept, sorted. */
  #kept: number[]
  /** What the other places are in all row keys so far; unused if all are kept. */
  readonly #same: Int32Array
  /** The kept places of `key`; `key` itself if all are kept. */
  #key: Int32Array
  /** The kept places of all row keys, one after another. */
  #keys: Int32Array<ArrayBuffer>
  /** Open addressing by hash: the number plus one, or 0 for a free slot. */
  #slots = new Int32Array(16)

  constructor(width: number, seed: number) {
    this.key = new Int32Array(width)
    this.#seed = seed
    const kept = Math.min(width, keptFromStart)
    this.#kept = firstPlaces.slice(0, kept)
    this.#same = kept === width ? this.key : new Int32Array(width)
    this.#key = kept === width ? this.key : new Int32Array(kept)
    this.#keys = new Int32Array(8 * kept)
  }

  /** The number of the row key in `key`; if it has none yet, the next one. */
  id(): number {
    return this.#find(true)
  }

  /** Whether the row key in `key` has a number. */
  has(): boolean {
    return this.#find(false) >= 0
  }

  /** The number of the row key in `key`. If it has none, the next one or -1. */
  #find(adds: boolean): number {
    if (this.#kept.length < this.key.length) this.#gather()
    const key = this.#key
    const width = key.length
    const slots = this.#slots
    const keys = this.#keys
    const mask = slots.length - 1
    for (let slot = hashKey(key, 0, width, this.#seed) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]! - 1
      if (id < 0) return adds ? this.#add(slot) : -1
      const at = id * width
      let k = 0
      while (k < width && keys[at + k] === key[k]) k++
      if (k === width) return id
    }
  }

  /** A place of the row key with the number `id`. */
  at(id: number, place: number): number {
    const k = this.#kept.indexOf(place)
    return k < 0 ? this.#same[place]! : this.#keys[id * this.#kept.length + k]!
  }

  /** Ends the searching: releases what only `id` and `has` need. */
  seal(): void {
    release(this.#slots)
  }

  /** Releases everything; the table must not be used any more. */
  release(): void {
    release(this.#slots)
    release(this.#keys)
  }

  #add(slot: number): number {
    const key = this.#key
    const width = key.length
    const id = this.size++
    const at = id * width
    if (at === this.#keys.length) this.#keys = widened.int32(this.#keys, at * 2)
    for (let k = 0; k < width; k++) this.#keys[at + k] = key[k]!
    this.#slots[slot] = id + 1
    const { length } = this.#slots
    if (length <= roomyMax ? this.size * 2 > length : this.size * 4 > length * 3) {
      this.#fillSlots(length < roomyMax ? length * 4 : length * 2)
    }
    return id
  }

  /** Collects the kept places of `key`; a place that differs for the first time is kept from now on. */
  #gather(): void {
    const { key } = this
    const kept = this.#kept
    if (this.size === 0) this.#same.set(key)
    let k = 0
    for (let place = 0; place < key.length; place++) {
      if (kept[k] === place) this.#key[k++] = key[place]!
      else if (key[place] !== this.#same[place]) {
        this.#keep(place)
        return this.#gather()
      }
    }
  }

  #keep(place: number): void {
    const kept = [...this.#kept, place].toSorted((a, b) => a - b)
    const keys = longList.int32((this.#keys.length / this.#kept.length) * kept.length)
    for (const [k, from] of kept.entries()) {
      for (let id = 0; id < this.size; id++) keys[id * kept.length + k] = this.at(id, from)
    }
    release(this.#keys)
    this.#keys = keys
    this.#kept = kept
    this.#key = kept.length === this.key.length ? this.key : new Int32Array(kept.length)
    this.#fillSlots(this.#slots.length)
  }

  #fillSlots(length: number): void {
    release(this.#slots)
    const slots = longList.int32(length)
    const mask = length - 1
    const width = this.#key.length
    for (let id = 0; id < this.size; id++) {
      let slot = hashKey(this.#keys, id * width, width, this.#seed) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = id + 1
    }
    this.#slots = slots
  }
}

function hashKey(list: Int32Array, at: number, width: number, seed: number): number {
  let hash = seed
  for (let k = at; k < at + width; k++) {
    hash = Math.imul(hash ^ list[k]!, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
