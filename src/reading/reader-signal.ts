const newsPlace = 0
const idlePlace = 1

/**
 * Memory that the main thread shares with its readers, so that waking costs a message only where a reader waits: how
 * often somebody meant to wake one, and which of them wait.
 *
 * A reader says that it waits and then looks whether there was news since its last round began; a waker counts its
 * news and then looks who waits. In whatever order the two meet, one of them sees the other.
 */
export class ReaderSignal {
  readonly memory: SharedArrayBuffer
  readonly #state: Int32Array

  constructor(memory: SharedArrayBuffer) {
    this.memory = memory
    this.#state = new Int32Array(memory)
  }

  static forReaders(count: number): ReaderSignal {
    return new ReaderSignal(new SharedArrayBuffer((idlePlace + count) * Int32Array.BYTES_PER_ELEMENT))
  }

  /**
   * Counts the news; gives the index of a reader that must be sent a message, of those from `from` up to `to`, -1 where all
   * of them are at work.
   */
  wakeOne(from: number, to: number): number {
    Atomics.add(this.#state, newsPlace, 1)
    for (let place = idlePlace + from; place < idlePlace + to; place++) {
      if (Atomics.compareExchange(this.#state, place, 1, 0) === 1) return place - idlePlace
    }
    return -1
  }

  /** How much news there was so far; wraps around. */
  news(): number {
    return Atomics.load(this.#state, newsPlace)
  }

  setIdle(index: number, isIdle: boolean): void {
    Atomics.store(this.#state, idlePlace + index, isIdle ? 1 : 0)
  }
}
