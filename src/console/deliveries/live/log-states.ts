import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import type { ShareLimiter } from '../../../platform/database/share-limiter.ts'
import { readLogState, type LogStateRow } from './queries.ts'

/** How long a state serves all pages that poll, in milliseconds: hundreds of pages of one company cost what a few do. */
const stateKeptMs = 250

/** Companies whose states are kept. */
const statesKeptMax = 10_000

/** What the lists of a company's deliveries depend on, see `readLogState`. */
export interface LogState {
  /** The entity tag of those lists: differs for each state. */
  etag: string
  row: LogStateRow
}

export interface LogStates {
  /** The state of a company's deliveries now. */
  now(companyId: string): Promise<LogState>
  /** The same, or as it was at most `stateKeptMs` ago. */
  recent(companyId: string): Promise<LogState>
}

/** The connections for reads of a company's shard, and whose turn it is. */
export type GetReader = (companyId: string) => Promise<{ pool: Pool; limit: ShareLimiter }>

export function createLogStates(getReader: GetReader): LogStates {
  const recent = new LRUCache<string, Promise<LogState>>({ max: statesKeptMax, ttl: stateKeptMs })
  const now = (companyId: string): Promise<LogState> => {
    const read = async (): Promise<LogState> => {
      const { pool, limit } = await getReader(companyId)
      const row = (await limit(companyId, () => readLogState.first(pool, { companyId })))!
      return { etag: `"${hash('sha256', JSON.stringify(row), 'base64url').slice(0, 27)}"`, row }
    }
    const state = read()
    recent.set(companyId, state)
    state.catch(() => recent.delete(companyId))
    return state
  }
  return { now, recent: (companyId) => recent.get(companyId) ?? now(companyId) }
}
