import { LRUCache } from 'lru-cache'
import type { RenderedAnswer } from './rendered-answer.ts'

export interface AnswerCache<Answer extends RenderedAnswer = RenderedAnswer> {
  /**
   * The answer for `key` at `version`: from the cache, or else rendered. Concurrent calls with the same key and version render
   * once.
   */
  get(key: string, version: string, render: () => Promise<Answer>): Promise<Answer>
}

interface Entry<Answer> {
  version: string
  answer: Answer
}

/** Roughly what an entry takes in addition to its bytes. */
const entryBytes = 500

/** Keeps the most recently used answers, `bytesMax` in total. An answer over a quarter of that is not cached. */
export function createAnswerCache<Answer extends RenderedAnswer = RenderedAnswer>(
  bytesMax: number,
): AnswerCache<Answer> {
  const entries = new LRUCache<string, Entry<Answer>>({
    maxSize: bytesMax,
    maxEntrySize: Math.floor(bytesMax / 4),
    sizeCalculation: ({ answer }, key) => answer.bytes.length + 2 * key.length + entryBytes,
  })
  const rendering = new Map<string, Promise<Answer>>()

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
