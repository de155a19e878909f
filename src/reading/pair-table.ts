/** Steps that a search takes in the table before it turns to the map. */
const stepsMax = 48

/**
 * Gives every distinct pair of whole numbers (32 bits each) a number, from 0 in the order of coming. Pairs chosen to
 * collide end up in a `Map` with a hash that the sender cannot know, as in `ByteDictionary`.
 */
export class PairTable {
  size = 0
  /** The pairs by their numbers. */
  firsts = new Int32Array(16)
  seconds = new Int32Array(16)

  #slots = new Int32Array(32)
  #crowded: Map<string, number> | undefined

  /** The number of a pair, given one if it has none yet: then it is the highest. */
  idOf(first: number, second: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    let slot = slotOf(first, second) & mask
    for (let step = 0; step < stepsMax; step++) {
      const id = slots[slot]! - 1
      if (id < 0) return this.#add(first, second, slot)
      if (this.firsts[id] === first && this.seconds[id] === second) return id
      slot = (slot + 1) & mask
    }
    const crowded = (this.#crowded ??= new Map())
    const name = `${first},${second}`
    let id = crowded.get(name)
    if (id === undefined) {
      id = this.#add(first, second, -1)
      crowded.set(name, id)
    }
    return id
  }

  #add(first: number, second: number, slot: number): number {
    const id = this.size++
    if (id === this.firsts.length) {
      const firsts = new Int32Array(id * 2)
      firsts.set(this.firsts)
      this.firsts = firsts
      const seconds = new Int32Array(id * 2)
      seconds.set(this.seconds)
      this.seconds = seconds
    }
    this.firsts[id] = first
    this.seconds[id] = second
    if (slot >= 0) {
      this.#slots[slot] = id + 1
      if (this.size * 2 > this.#slots.length) this.#widen()
    }
    return id
  }

  #widen(): void {
    const slots = new Int32Array(this.#slots.length * 4)
    const mask = slots.length - 1
    this.#crowded = undefined
    for (let id = 0; id < this.size; id++) {
      const first = this.firsts[id]!
      const second = this.seconds[id]!
      let slot = slotOf(first, second) & mask
      let step = 0
      while (slots[slot] !== 0 && step < stepsMax) {
        slot = (slot + 1) & mask
        step++
      }
      if (step < stepsMax) slots[slot] = id + 1
      else {
        this.#crowded ??= new Map()
        this.#crowded.set(`${first},${second}`, id)
      }
    }
    this.#slots = slots
  }
}

function slotOf(first: number, second: number): number {
  const mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
  return mixed ^ (mixed >>> 15)
}
