import type { Pool } from 'pg'
import { createPool, endPool, type PoolOptions } from './pool.ts'

/** The connections of a background task: a pool for each schema, opened when it is first used. */
export interface SchemaPools {
  get(schema: string): Pool
  /** Ends them all (`endPool`). */
  end(): Promise<void>
}

export function createSchemaPools(
  options: Omit<PoolOptions, 'schema' | 'onIdleError'> & { onIdleError: (error: Error) => void },
): SchemaPools {
  const pools = new Map<string, Pool>()
  let isEnding = false
  return {
    get: (schema) => {
      const known = pools.get(schema)
      if (known !== undefined) return known
      if (isEnding) throw new Error('The pools have been ended.')
      const pool = createPool({
        ...options,
        schema,
        onIdleError: (error) => {
          if (!isEnding) options.onIdleError(error)
        },
      })
      pools.set(schema, pool)
      return pool
    },
    end: async () => {
      isEnding = true
      await Promise.all(Array.from(pools.values(), endPool))
    },
  }
}
