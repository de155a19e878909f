import { LRUCache } from 'lru-cache'

/** A rendered answer. */
export interface RenderedAnswer {
  bytes: Buffer
  /** A strong entity tag, quotes included. */
  etag: string
}

export interface AnswerCache {
  /**
   * The answer for `key` at `version`: the cached one, or else the result of `render`. Concurrent calls for the same
   * key and version render once.
   */
  get(key: string, version: string, render: () => Promise<RenderedAnswer>): Promise<RenderedAnswer>
}

interface Entry {
  version: string
  answer: RenderedAnswer
}

/** Roughly what an entry takes besides its bytes. */
const entryBytes = 500

/** Keeps the most recently used answers, at most `bytesMax` together. An answer over a quarter of that is not kept. */
export function createAnswerCache(bytesMax: number): AnswerCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: bytesMax,
    maxEntrySize: Math.floor(bytesMax / 4),
    sizeCalculation: ({ answer }, key) => answer.bytes.length + 2 * key.length + entryBytes,
  })
  const rendering = new Map<string, Promise<RenderedAnswer>>()

  return {
    get: (key, version, render) => {
      const entry = entries.get(key)
      if (entry?.version === version) return Promise.resolve(entry.answer)
      const name = `${version} ${key}`
      let answer = rendering.get(name)
      if (!answer) {
        answer = render()
          .then((rendered) => {
            entries.set(key, { version, answer: rendered })
            return rendered
          })
          .finally(() => rendering.delete(name))
        rendering.set(name, answer)
      }
      return answer
    },
  }
}
