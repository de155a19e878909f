import type { Actor } from '../../people/members/actor.ts'
import { requireRole } from '../../people/members/require-role.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { selectSourceDays } from './activity-queries.ts'
import { selectSource } from './queries.ts'

/** Days of deliveries that a source's page shows. */
export const sourceDaysMax = 60
/** Newest deliveries of a source that are counted by day; earlier days are left out. */
const deliveriesCountedMax = 20_000

interface SourceDay {
  /** `YYYY-MM-DD`, in the company's time zone. */
  day: string
  deliveries: number
  rowsAccepted: number
  rowsRefused: number
  /** Deliveries of it that are unreadable. */
  unreadable: number
}

/**
 * How much a source delivered each day with deliveries, oldest first, and the first day that was counted whole.
 *
 * @throws 403, 404 as `requireRole`; 404 if the company has no such source
 */
export async function readSourceDays(
  { pool, readPool, clock }: Pick<Context, 'pool' | 'readPool' | 'clock'>,
  actor: Actor,
  companyId: string,
  sourceId: string,
  sandbox: boolean,
): Promise<{ from: string; days: SourceDay[] }> {
  const { timeZone } = await requireRole(pool, actor, companyId, 'developer')
  const at = new Date(clock.now())
  if ((await selectSource.first(pool, { at, companyId, sourceId })) === undefined) throw notFound()
  const today = Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
  const first = today.subtract({ days: sourceDaysMax - 1 }).toString()
  const rows = await selectSourceDays.rows(readPool, {
    companyId,
    sourceId,
    sandbox,
    timeZone,
    deliveriesMax: deliveriesCountedMax,
  })
  const isCut = rows.reduce((sum, { deliveries }) => sum + deliveries, 0) === deliveriesCountedMax
  // The oldest day may have more than were counted; of a single day, as many as were counted are shown.
  const second = rows[1]?.day ?? first
  const from = isCut && second > first ? second : first
  const days = rows
    .filter(({ day }) => day >= from)
    .map((row) => ({
      day: row.day,
      deliveries: row.deliveries,
      rowsAccepted: row.rows_accepted,
      rowsRefused: row.rows_refused,
      unreadable: row.unreadable,
    }))
  return { from, days }
}
