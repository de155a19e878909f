/** The index of the worker of small deliveries; the others follow. */
export const smallIndex = 0

/** Workers that are woken for the same deliveries: the one of small ones, and the others. */
export type WorkerGroup = 'small' | 'others'

const newsPlaces: Record<WorkerGroup, number> = { small: 0, others: 1 }
const anyShardPlace = 2
/** Shards whose numbers are equal modulo this count as one: at worst a worker looks at one for nothing. */
const shardPlaces = 64
const firstShardPlace = 3
const idlePlace = firstShardPlace + shardPlaces

/**
 * Memory that the main thread shares with its workers, so that a wake costs a message only if a worker waits: how many
 * wakes each group has received, for which shards, and which workers wait.
 *
 * A worker announces that it waits and then checks whether its group received a wake since its last round began; a waker counts
 * the wake and then checks who waits. In either order, one of them sees the other.
 */
export class WorkerSignal {
  readonly memory: SharedArrayBuffer
  readonly #state: Int32Array

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.#state = new Int32Array(memory)
  }

  static forWorkers(count: number): WorkerSignal {
    return new WorkerSignal(new SharedArrayBuffer((idlePlace + count) * Int32Array.BYTES_PER_ELEMENT))
  }

  /** Counts something new in a shard, or if it is not known where, in all. Call it before `wakeOne`. */
  addNews(shard?: number): void {
    const place = shard === undefined ? anyShardPlace : firstShardPlace + (shard % shardPlaces)
    Atomics.add(this.#state, place, 1)
  }

  /** How much was new in a shard so far; wraps around. */
  newsOf(shard: number): number {
    const own = Atomics.load(this.#state, firstShardPlace + (shard % shardPlaces))
    return (own + Atomics.load(this.#state, anyShardPlace)) | 0
  }

  /** Counts a wake; returns the index of a worker of the group that must be sent a message, or -1 if all are busy. */
  wakeOne(group: WorkerGroup): number {
    Atomics.add(this.#state, newsPlaces[group], 1)
    const first = idlePlace + smallIndex
    const [from, to] = group === 'small' ? [first, first + 1] : [first + 1, this.#state.length]
    for (let place = from; place < to; place++) {
      if (Atomics.compareExchange(this.#state, place, 1, 0) === 1) return place - idlePlace
    }
    return -1
  }

  /**
   * How many wakes the group of the worker with this index has received; wraps around. Wakes of the other group are no
   * reason for it to start a round.
   */
  news(index: number): number {
    return Atomics.load(this.#state, newsPlaces[index === smallIndex ? 'small' : 'others'])
  }

  setIdle(index: number, isIdle: boolean): void {
    Atomics.store(this.#state, idlePlace + index, isIdle ? 1 : 0)
  }
}
