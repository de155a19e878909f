import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../database/pool.ts'
import { readFieldNames } from './queries.ts'

/** Shape versions that are remembered; beyond it the one used longest ago is looked up again. */
export const rememberedFieldListsMax = 10_000

export type FieldNames = (
  companyId: string,
  sourceId: string,
  shapeVersion: number,
) => readonly string[] | Promise<readonly string[]>

/**
 * The field names of a shape version that exists. A saved version never changes, so it is read once; what is known
 * already is given at once, without a promise.
 */
export function createFieldNames(pool: Queryable): FieldNames {
  const remembered = new LRUCache<string, readonly string[]>({ max: rememberedFieldListsMax })

  const read = async (
    key: string,
    shape: { companyId: string; sourceId: string; shapeVersion: number },
  ): Promise<readonly string[]> => {
    const names = await readFieldNames(pool, shape)
    if (names === undefined) throw new Error('a source has no row for one of its shape versions')
    remembered.set(key, names)
    return names
  }

  return (companyId, sourceId, shapeVersion) => {
    const key = `${sourceId} ${shapeVersion}`
    return remembered.get(key) ?? read(key, { companyId, sourceId, shapeVersion })
  }
}
