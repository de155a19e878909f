import { longList, release, widened } from './long-lists.ts'

/** A table so long is at most half full and grows four times over; a longer one three quarters, and twice. */
const roomyMax = 1 << 16

/** So many places of a row key are kept from the start, the others once they differ. */
const keptFromStart = 2
const firstPlaces = [0, 1]

/**
 * Gives every distinct row key of whole numbers (32 bits each) a number, from 0 in the order of coming: put a row key into
 * `row key`, then ask `id`.
 *
 * Where a row key is looked for depends on a seed that the sender does not know, so that row keys can not be chosen to
 * collide. A place that has been the same in all row keys takes no memory: of twenty labels most may be missing.
 */
export class RowKeyTable {
  size = 0
  readonly key: Int32Array

  readonly #seed: number
  /** The places that are kept, sorted. */
  #kept: number[]
  /** What the other places have been in all row keys so far; not used where all are kept. */
  readonly #same: Int32Array
  /** The kept places of one row key; `row key` itself where all are kept. */
  #key: Int32Array
  /** The kept places of all row keys, one row key after another. */
  #keys: Int32Array<ArrayBuffer>
  /** Numbers of row keys, plus one, where their hashes say. */
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

  /** The number of the row key in `row key`, given one if it has none yet: then it is the highest. */
  id(): number {
    const place = this.#find()
    return place < 0 ? this.#add(-place - 1) : place
  }

  /** Whether the row key in `row key` has a number. */
  has(): boolean {
    return this.#find() >= 0
  }

  /** The number of the row key in `row key`; where it has none, the slot for it, less than 0: `-slot - 1`. */
  #find(): number {
    if (this.#kept.length < this.key.length) this.#gather()
    const key = this.#key
    const width = key.length
    const slots = this.#slots
    const keys = this.#keys
    const mask = slots.length - 1
    for (let slot = hashOf(key, 0, width, this.#seed) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]! - 1
      if (id < 0) return -slot - 1
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

  /** Says that no more row keys will be looked for: what only looking needs is given up. */
  seal(): void {
    release(this.#slots)
  }

  /** Gives up all; the table must not be used any more. */
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

  /** Brings the kept places of `row key` together, keeping further ones that differ from now on. */
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
      let slot = hashOf(this.#keys, id * width, width, this.#seed) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = id + 1
    }
    this.#slots = slots
  }
}

function hashOf(list: Int32Array, at: number, width: number, seed: number): number {
  let hash = seed
  for (let k = at; k < at + width; k++) {
    hash = Math.imul(hash ^ list[k]!, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash, 0x85ebca6b)
  return hash ^ (hash >>> 13)
}
