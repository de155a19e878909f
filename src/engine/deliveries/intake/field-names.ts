import { LRUCache } from 'lru-cache'
import type { Queryable } from '../../../platform/database/pool.ts'
import { selectFieldNames } from './queries.ts'

/** Shape versions that are cached; beyond it the least recently used one is dropped. */
const rememberedFieldListsMax = 10_000

export type FieldNames = (
  companyId: string,
  sourceId: string,
  shapeVersion: number,
) => readonly string[] | Promise<readonly string[]>

/**
 * The field names of a shape version that exists. A saved version never changes, so it is read once; cached names are
 * returned directly, without a promise.
 */
export function createFieldNames(pool: Queryable): FieldNames {
  const remembered = new LRUCache<string, readonly string[]>({ max: rememberedFieldListsMax })

  const read = async (
    key: string,
    shape: { companyId: string; sourceId: string; shapeVersion: number },
  ): Promise<readonly string[]> => {
    const row = await selectFieldNames.first(pool, shape)
    if (row === undefined) throw new Error('a source has no row for one of its shape versions')
    remembered.set(key, row.names)
    return row.names
  }

  return (companyId, sourceId, shapeVersion) => {
    const key = `${sourceId} ${shapeVersion}`
    return remembered.get(key) ?? read(key, { companyId, sourceId, shapeVersion })
  }
}
