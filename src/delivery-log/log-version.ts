import { LRUCache } from 'lru-cache'
import type { Queryable } from '../database/pool.ts'
import type { ShareLimiter } from '../database/share-limiter.ts'
import { readLogVersion } from './queries.ts'

/**
 * How long a version serves everyone who asks whether there is another one, milliseconds: hundreds of pages that look at one
 * company cost what a few do.
 */
export const versionKeptMs = 250

/** Companies whose versions are remembered. */
export const rememberedMax = 10_000

export interface LogVersions {
  /** The version of a company's deliveries as it is now. */
  now(companyId: string): Promise<string>
  /** The same, or as it was at most `versionKeptMs` ago. */
  recent(companyId: string): Promise<string>
}

/** See `readLogVersion`: what the answers about a company's deliveries are valid for. */
export function createLogVersions(pool: Queryable, limit: ShareLimiter): LogVersions {
  const recent = new LRUCache<string, Promise<string>>({ max: rememberedMax, ttl: versionKeptMs })
  const now = (companyId: string): Promise<string> => {
    const version = limit(companyId, async () => (await readLogVersion.first(pool, { companyId }))!.version)
    recent.set(companyId, version)
    version.catch(() => recent.delete(companyId))
    return version
  }
  return { now, recent: (companyId) => recent.get(companyId) ?? now(companyId) }
}
