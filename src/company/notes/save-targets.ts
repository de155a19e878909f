import { aggregations } from '../../engine/aggregations/aggregations.ts'
import type { Metric } from '../../engine/declarations/declaration.ts'
import { formatDecimal, parseDecimal } from '../../formats/values/decimal.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, invalidArgument } from '../../platform/http/errors/errors.ts'
import { readDay } from '../../platform/reads/read-window.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { lockSource } from '../sources/lock-source.ts'
import { targetsAnswer, type Annotations } from './annotations.ts'
import { selectTargets, upsertTargets, type OfMetric } from './queries.ts'
import { findMetric, type NotesContext } from './write-notes.ts'

/** Months of a metric with a target; more are 409. */
export const targetMonthsMax = 240

/** A target of a month, `YYYY-MM`; null removes it. */
export interface MonthTarget {
  month: string
  value: string | null
}

/** @throws 400 if the metric's months do not add up its rows: a target is compared with such a sum alone */
function requireSums({ aggregation, period }: Metric): void {
  if (aggregations[aggregation].combines === 'sum' && period !== 'week') return
  throw invalidArgument('Only sums and counts by day or month have targets.', 'metric')
}

/** @throws 400 with the field that is no month or no number */
function merge(before: Record<string, string>, given: readonly MonthTarget[]): Record<string, string> {
  const merged = new Map(Object.entries(before))
  const seen = new Set<string>()
  for (const [index, { month, value }] of given.entries()) {
    readDay(`${month}-01`, `months[${index}].month`)
    if (seen.has(month)) throw invalidArgument('The month is given twice.', `months[${index}].month`)
    seen.add(month)
    if (value === null) {
      merged.delete(month)
      continue
    }
    const parsed = parseDecimal(value)
    if (typeof parsed === 'string')
      throw invalidArgument('It is no number that a figure may be.', `months[${index}].value`)
    merged.set(month, formatDecimal(parsed))
  }
  return Object.fromEntries(merged)
}

/**
 * Saves targets of a metric: those of the given months are replaced, all others stay.
 *
 * @param revision the one that was changed; 0 where there was none
 * @throws 400 with the field that is wrong; 403, 404 as `requireRole`, for developers; 404 if there is no such metric; 409 with
 *   the targets as they are now in the details, if another member has saved them since, or for one month too many
 */
export async function saveTargets(
  context: NotesContext,
  actor: Actor,
  of: OfMetric,
  { revision, months }: { revision: number; months: readonly MonthTarget[] },
): Promise<Annotations['targets']> {
  const { companyId, sourceId, metric } = of
  return inTransaction(context.pool, async (client) => {
    const { name } = await lockSource(context, client, actor, companyId, sourceId)
    requireSums(await findMetric(client, of))
    const before = await selectTargets.first(client, of)
    if ((before?.revision ?? 0) !== revision) {
      throw conflict('Another member has saved targets meanwhile.', 'expected_revision', {
        targets: targetsAnswer(before),
      })
    }
    const merged = merge(before?.months ?? {}, months)
    if (Object.keys(merged).length > targetMonthsMax)
      throw conflict(`A metric has targets for ${targetMonthsMax} months at most.`)
    const atMs = context.clock.now()
    await upsertTargets.run(client, {
      ...of,
      months: JSON.stringify(merged),
      by: actorMemberId(actor),
      at: new Date(atMs),
    })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'targets_saved',
      subject: { kind: 'source', id: sourceId, name },
      details: { metric, months: months.length },
      atMs,
    })
    return targetsAnswer(await selectTargets.first(client, of))
  })
}
