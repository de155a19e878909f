import type { Queryable } from '../../database/pool.ts'
import { readFieldNames } from './queries.ts'

/** Shape versions that are remembered; beyond it the one used longest ago is looked up again. */
export const rememberedMax = 10_000

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
  const remembered = new Map<string, readonly string[]>()

  const read = async (
    key: string,
    shape: { companyId: string; sourceId: string; shapeVersion: number },
  ): Promise<readonly string[]> => {
    const names = await readFieldNames(pool, shape)
    if (names === undefined) throw new Error('a source has no row for one of its shape versions')
    if (remembered.size >= rememberedMax) remembered.delete(remembered.keys().next().value!)
    remembered.set(key, names)
    return names
  }

  return (companyId, sourceId, shapeVersion) => {
    const key = `${sourceId} ${shapeVersion}`
    const names = remembered.get(key)
    if (names === undefined) return read(key, { companyId, sourceId, shapeVersion })
    // Put back at the end: a map keeps the order in which keys were set.
    remembered.delete(key)
    remembered.set(key, names)
    return names
  }
}
