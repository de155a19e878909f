/** The worker of small deliveries has this index, the others those behind it. */
export const smallIndex = 0

/** Workers that are woken for the same: the one of small deliveries, and the others. */
export type WorkerGroup = 'small' | 'others'

const newsPlaces: Record<WorkerGroup, number> = { small: 0, others: 1 }
const idlePlace = 2

/**
 * Memory that the main thread shares with its workers, so that waking costs a message only where a worker waits: how
 * often somebody meant to wake one of each group, and which of them wait.
 *
 * A worker says that it waits and then looks whether there was news for its group since its last round began; a waker
 * counts its news and then looks who waits. In whatever order the two meet, one of them sees the other.
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

  /** Counts the news; gives the index of a worker of the group that must be sent a message, -1 where all are at work. */
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
   * How much news there was so far for the group of the worker with this index; wraps around. News of the other group
   * is no reason to start a round: nobody wakes this reader for it.
   */
  news(index: number): number {
    return Atomics.load(this.#state, newsPlaces[index === smallIndex ? 'small' : 'others'])
  }

  setIdle(index: number, isIdle: boolean): void {
    Atomics.store(this.#state, idlePlace + index, isIdle ? 1 : 0)
  }
}
