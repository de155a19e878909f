import type { ObjectStore } from '../../src/platform/objects/object-store.ts'

/** A place in memory. */
export const createObjectStore = (): ObjectStore => {
  const objects = new Map<string, Buffer>()
  return {
    place: 'memory',
    put: async (key, content) => {
      objects.set(key, Buffer.from(content))
      return 'stored'
    },
    get: async (key) => objects.get(key),
    async *list(prefix) {
      for (const key of [...objects.keys()].toSorted())
        if (key.startsWith(prefix)) yield { key, bytes: 0, storedAt: new Date(0) }
    },
    delete: async (key) => void objects.delete(key),
  }
}
