import { LRUCache } from 'lru-cache'

/** A rendered answer. */
export interface RenderedAnswer {
  bytes: Buffer
  /** A strong entity tag, quotes included. */
  etag: string
}

export interface AnswerCache {
  /**
   * The answer for `key` that is valid for `version`: the one that is kept, or what `render` makes. Calls for the
   * same key and version at the same time render once.
   */
  get(key: string, version: string, render: () => Promise<RenderedAnswer>): Promise<RenderedAnswer>
}

interface Entry {
  version: string
  answer: RenderedAnswer
}

/** What an entry costs beside its bytes, roughly. */
const entryBytes = 500

/** Keeps the answers used last, of at most `bytesMax` together. One of more than a quarter of that is not kept. */
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
