import { LRUCache } from 'lru-cache'
import type { RenderedAnswer } from './rendered-answer.ts'

export interface AnswerCache {
  /**
   * The answer for `key` at `version`: from the cache, or else rendered. Concurrent calls with the same key and version render
   * once.
   */
  get(key: string, version: string, render: () => Promise<RenderedAnswer>): Promise<RenderedAnswer>
}

interface Entry {
  version: string
  answer: RenderedAnswer
}

/** Roughly what an entry takes in addition to its bytes. */
const entryBytes = 500

/** Keeps the most recently used answers, `bytesMax` in total. An answer over a quarter of that is not cached. */
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
