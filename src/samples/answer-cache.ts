/** A rendered answer. */
export interface RenderedAnswer {
  bytes: Buffer
  /** A strong entity tag, quotes included. */
  etag: string
}

interface AnswerCache {
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

/** Keeps the answers used last, of at most `bytesMax` together. */
export function createAnswerCache(bytesMax: number): AnswerCache {
  // A map keeps the order in which keys were set: the first is the one used longest ago.
  const entries = new Map<string, Entry>()
  const rendering = new Map<string, Promise<RenderedAnswer>>()
  let bytes = 0

  const sizeOf = (key: string, entry: Entry): number =>
    entry.answer.bytes.length + 2 * key.length + entryBytes

  const remove = (key: string): void => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= sizeOf(key, entry)
  }

  const keep = (key: string, entry: Entry): void => {
    remove(key)
    const size = sizeOf(key, entry)
    if (size > bytesMax / 4) return
    entries.set(key, entry)
    bytes += size
    for (const oldest of entries.keys()) {
      if (bytes <= bytesMax) break
      remove(oldest)
    }
  }

  return {
    get: (key, version, render) => {
      const entry = entries.get(key)
      if (entry?.version === version) {
        entries.delete(key)
        entries.set(key, entry)
        return Promise.resolve(entry.answer)
      }
      const name = `${version} ${key}`
      let answer = rendering.get(name)
      if (!answer) {
        answer = render()
          .then((rendered) => {
            keep(key, { version, answer: rendered })
            return rendered
          })
          .finally(() => rendering.delete(name))
        rendering.set(name, answer)
      }
      return answer
    },
  }
}
