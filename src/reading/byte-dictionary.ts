/** Steps that a search takes in the table before it turns to the map. */
const stepsMax = 48

/**
 * Gives every distinct byte string a number, from 0 in the order of coming. Made for few and short ones seen often:
 * a search costs the hash and one comparison. Byte strings chosen to collide end up in a `Map`, whose hash the
 * sender cannot know, so a search is never more than `stepsMax` comparisons and that.
 */
export class ByteDictionary {
  size = 0

  #slots = new Int32Array(32)
  #hashes = new Int32Array(16)
  #starts = new Int32Array(17)
  #arena = Buffer.allocUnsafe(256)
  #crowded: Map<string, number> | undefined

  /**
   * The number of `bytes[start, end)`, given one if it has none yet. `hash` must be `hashBytes` of the same bytes:
   * a caller who walks them anyway makes it on the way.
   */
  idOf(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    const length = end - start
    let slot = (hash ^ (hash >>> 15)) & mask
    for (let step = 0; step < stepsMax; step++) {
      const id = slots[slot]! - 1
      if (id < 0) return this.#add(bytes, start, end, hash, slot)
      if (this.#hashes[id] === hash) {
        let at = this.#starts[id]!
        if (this.#starts[id + 1]! - at === length) {
          const arena = this.#arena
          let from = start
          while (from < end && arena[at] === bytes[from]) {
            at++
            from++
          }
          if (from === end) return id
        }
      }
      slot = (slot + 1) & mask
    }
    return this.#crowdedId(bytes, start, end, hash)
  }

  /** The bytes that have the number `id`, as text. */
  text(id: number): string {
    return this.#arena.toString('utf8', this.#starts[id]!, this.#starts[id + 1]!)
  }

  #crowdedId(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const crowded = (this.#crowded ??= new Map())
    // A letter in front, so that none looks like an integer: those V8 hashes without a secret.
    const name = 'k' + Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
    let id = crowded.get(name)
    if (id === undefined) {
      id = this.#add(bytes, start, end, hash, -1)
      crowded.set(name, id)
    }
    return id
  }

  #add(bytes: Uint8Array, start: number, end: number, hash: number, slot: number): number {
    const id = this.size++
    if (id === this.#hashes.length) {
      this.#hashes = grown(this.#hashes, id * 2)
      this.#starts = grown(this.#starts, id * 2 + 1)
    }
    const at = this.#starts[id]!
    const after = at + end - start
    if (after > this.#arena.length) {
      const arena = Buffer.allocUnsafe(after * 2)
      this.#arena.copy(arena, 0, 0, at)
      this.#arena = arena
    }
    for (let from = start, to = at; from < end; from++, to++) this.#arena[to] = bytes[from]!
    this.#hashes[id] = hash
    this.#starts[id + 1] = after
    if (slot >= 0) {
      this.#slots[slot] = id + 1
      if (this.size * 2 > this.#slots.length) this.#widen()
    }
    return id
  }

  /** Puts all anew into a wider table, and into the map only those that are crowded there too. */
  #widen(): void {
    const slots = new Int32Array(this.#slots.length * 4)
    const mask = slots.length - 1
    this.#crowded = undefined
    for (let id = 0; id < this.size; id++) {
      const hash = this.#hashes[id]!
      let slot = (hash ^ (hash >>> 15)) & mask
      let step = 0
      while (slots[slot] !== 0 && step < stepsMax) {
        slot = (slot + 1) & mask
        step++
      }
      if (step < stepsMax) slots[slot] = id + 1
      else {
        const name = 'k' + this.#arena.toString('latin1', this.#starts[id], this.#starts[id + 1])
        this.#crowded ??= new Map()
        this.#crowded.set(name, id)
      }
    }
    this.#slots = slots
  }
}

/** FNV-1a of 32 bits. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = hashSeed
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, hashFactor)
  return hash
}

/** What a hash begins with; every byte is xored in and the whole multiplied by `hashFactor`. */
export const hashSeed = 0x811c9dc5 | 0
export const hashFactor = 0x01000193

function grown(list: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(length)
  wider.set(list)
  return wider
}
