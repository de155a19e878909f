import type { Pool } from 'pg'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { selectLook, selectLooksOfMember, upsertLook } from './look-queries.ts'
import { lockRole } from './require-role.ts'

/** A look at a report is recorded at most so often, in milliseconds. */
const lookEveryMs = 60_000

/** A look belongs to the same visit as one no longer before it: a page that is reloaded still says what has changed. */
const visitMs = 30 * 60_000

/** A report, of any grain and filter. */
export interface LookedAt {
  companyId: string
  sourceId: string
  metric: string
}

/**
 * Records that a member looks at a report now.
 *
 * @returns when they looked last before this visit; null if they had not
 * @throws 404 if they are no longer a member
 */
export async function recordLook(
  { pool, clock }: { pool: Pool; clock: Pick<Clock, 'now'> },
  { memberId }: { memberId: string },
  report: LookedAt,
): Promise<Date | null> {
  const key = { ...report, memberId }
  const last = await selectLook.first(pool, key)
  const nowMs = clock.now()
  const sinceMs = last === undefined ? Infinity : nowMs - last.looked_at.getTime()
  const visitedAt = last === undefined || sinceMs < visitMs ? (last?.visited_at ?? null) : last.looked_at
  if (sinceMs < lookEveryMs) return visitedAt
  await inTransaction(pool, async (client) => {
    // A membership that ends meanwhile takes its looks with it.
    await lockRole(client, { memberId }, report.companyId, 'reader')
    await upsertLook.run(client, { ...key, at: new Date(nowMs), visitedAt })
  })
  return visitedAt
}

/** When a member last looked at each report of a company: from its source and its metric, a space between. */
export async function listLooks(
  pool: Queryable,
  params: { companyId: string; memberId: string },
): Promise<ReadonlyMap<string, Date>> {
  const rows = await selectLooksOfMember.rows(pool, params)
  return new Map(rows.map((row) => [`${row.source_id} ${row.metric}`, row.looked_at]))
}
