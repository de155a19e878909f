import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { showUsage } from '../../engine/usage/show-usage.ts'
import { formatDay } from '../../formats/values/period.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import { roleCovers, type Role } from '../../people/access/role.ts'
import type { Company } from '../../people/companies/company.ts'
import { companyDay } from '../../platform/reads/company-day.ts'
import { readerKinds, type AttentionItem, type AttentionKind } from './attention-item.ts'
import {
  selectCorrections,
  selectEnding,
  selectEndingSecrets,
  selectRefusedWhilePaused,
  selectSourceStates,
  selectWaiting,
  type CorrectionRow,
  type SourceStateRow,
} from './queries.ts'

/** Items of a company that are listed, the latest first. */
export const attentionItemsMax = 200
/** How long before its end a connection needs attention, and how long after it, in days. */
export const endingDays = 30
/** Age up to which a corrected month needs attention, in days. */
export const correctedDays = 45
/** How far back a corrected month may lie, in days. */
const correctedMonthDays = 400
/** Of a limit, from which it needs attention, in per cent. */
export const limitPercentMin = 90
/** How long a delivery may wait to be parsed, in milliseconds. */
const waitingMsMax = 60 * 60_000
/** Refused calls of paused sources that are counted, by age in days. */
const refusedDays = 30
/** Sources whose corrections one process remembers. */
const correctionsKept = 20_000
const dayMs = 86_400_000

export type AttentionContext = Pick<Context, 'readPool' | 'clock' | 'config'>

/** Reads the items of a company that concern a role. */
export type ListAttention = (
  context: AttentionContext,
  company: Pick<Company, 'companyId' | 'timeZone'>,
  role: Role,
) => Promise<{ items: AttentionItem[]; more: boolean }>

function toItem(
  kind: AttentionKind,
  of: string,
  version: Date | string,
  more: Partial<AttentionItem>,
): AttentionItem {
  return {
    key: `${kind} ${of}`,
    version: typeof version === 'string' ? version : version.toISOString(),
    kind,
    since: null,
    source: null,
    connection: null,
    metric: null,
    periodStart: null,
    artifactId: null,
    count: null,
    endsAt: null,
    limit: null,
    ...more,
  }
}

const named = ({ source_id: sourceId, name }: SourceStateRow) => ({ sourceId, name })

function toSourceItems(row: SourceStateRow): AttentionItem[] {
  const source = named(row)
  const items: AttentionItem[] = []
  if (row.late) {
    const since = row.last_received_at!
    items.push(toItem('source_late', source.sourceId, since, { since, source }))
  }
  if (row.artifact_id !== null) {
    const { artifact_id: artifactId, received_at: since, rows_refused: count } = row
    items.push(toItem('rows_refused', source.sourceId, artifactId, { since, source, artifactId, count }))
  }
  return items
}

/** Remembers each source's corrections for the version of its samples: most calls read none. */
function createReadCorrections() {
  const known = new LRUCache<string, { version: string; rows: CorrectionRow[] }>({ max: correctionsKept })
  return async (
    { readPool, clock }: AttentionContext,
    { companyId, timeZone }: Pick<Company, 'companyId' | 'timeZone'>,
    sources: readonly SourceStateRow[],
  ): Promise<AttentionItem[]> => {
    const today = companyDay(timeZone, clock.now())
    const stating = sources.filter(({ delivers }) => delivers === 'statements')
    const version = (row: SourceStateRow) => [row.projection_id, row.samples_version, today, timeZone].join()
    const unknown = stating.filter((row) => known.get(row.source_id)?.version !== version(row))
    if (unknown.length > 0) {
      const rows = await selectCorrections.rows(readPool, {
        companyId,
        sourceIds: unknown.map((row) => row.source_id),
        timeZone,
        from: formatDay(today - correctedMonthDays),
        since: new Date(clock.now() - correctedDays * dayMs),
      })
      const bySource = Map.groupBy(rows, (row) => row.source_id)
      for (const row of unknown)
        known.set(row.source_id, { version: version(row), rows: bySource.get(row.source_id) ?? [] })
    }
    return stating.flatMap((row) =>
      (known.get(row.source_id)?.rows ?? []).map(
        ({ metric, period_start: periodStart, corrected_at: since }) =>
          toItem('period_corrected', `${row.source_id} ${periodStart}`, since, {
            since,
            source: named(row),
            metric,
            periodStart,
          }),
      ),
    )
  }
}

async function readPaused(
  { readPool, clock }: AttentionContext,
  companyId: string,
  sources: readonly SourceStateRow[],
): Promise<AttentionItem[]> {
  const paused = new Map(sources.flatMap((row) => (row.paused_at === null ? [] : [[row.source_id, row]])))
  if (paused.size === 0) return []
  const refused = await selectRefusedWhilePaused.rows(readPool, {
    companyId,
    sourceIds: [...paused.keys()],
    after: lowestUuidv7(clock.now() - refusedDays * dayMs),
  })
  return refused.map(({ source_id: sourceId, calls: count }) => {
    const row = paused.get(sourceId)!
    const since = row.paused_at!
    return toItem('paused_refusing', sourceId, since, { since, source: named(row), count })
  })
}

async function readEnding(
  { readPool, clock }: AttentionContext,
  companyId: string,
  sources: readonly SourceStateRow[],
): Promise<AttentionItem[]> {
  const now = clock.now()
  const [at, from, to] = [now, now - endingDays * dayMs, now + endingDays * dayMs].map((ms) => new Date(ms))
  const ending = await selectEnding.rows(readPool, { companyId, at: at!, from: from!, to: to! })
  const secrets = await selectEndingSecrets.rows(readPool, { companyId, at: at! })
  const names = new Map(sources.map((row) => [row.source_id, row]))
  return [
    ...ending.map(({ kind, connection_id: connectionId, name, ends_at: endsAt }) =>
      toItem(kind, `${connectionId} ${endsAt.toISOString()}`, endsAt, {
        connection: { connectionId, name },
        endsAt,
      }),
    ),
    ...secrets.flatMap(({ source_id: sourceId, ends_at: endsAt }) => {
      const row = names.get(sourceId)
      return row === undefined
        ? []
        : [
            toItem('secret_ends', `${sourceId} ${endsAt.toISOString()}`, endsAt, {
              source: named(row),
              endsAt,
            }),
          ]
    }),
  ]
}

async function readWaiting(context: AttentionContext, companyId: string): Promise<AttentionItem[]> {
  const { readPool, clock } = context
  const before = new Date(clock.now() - waitingMsMax)
  const waiting = (await selectWaiting.first(readPool, { companyId, before }))!
  const usage = await showUsage({ ...context, pool: readPool }, companyId)
  const near = usage.limits.flatMap(({ limit, used, max }) => {
    const count = max === 0 ? 0 : Math.floor((used / max) * 100)
    const version = used >= max ? 'reached' : 'near'
    return count < limitPercentMin ? [] : [toItem('limit_near', limit, version, { limit, count })]
  })
  const { since, deliveries: count } = waiting
  return since === null ? near : [...near, toItem('parsing_late', companyId, since, { since, count })]
}

/**
 * Everything that needs attention in a company, computed from what there is: nothing is written for it. Some index entries
 * for each of at most a thousand sources, and for those whose samples have changed their restated periods.
 */
export function createListAttention(): ListAttention {
  const readCorrections = createReadCorrections()
  return async (context, company, role) => {
    const { companyId } = company
    const at = new Date(context.clock.now())
    const sources = await selectSourceStates.rows(context.readPool, { companyId, at })
    const items = [...sources.flatMap(toSourceItems), ...(await readCorrections(context, company, sources))]
    if (roleCovers(role, 'developer')) {
      items.push(...(await readPaused(context, companyId, sources)))
      items.push(...(await readEnding(context, companyId, sources)))
      items.push(...(await readWaiting(context, companyId)))
    }
    const kinds: readonly string[] = readerKinds
    const seen = items
      .filter(({ kind }) => roleCovers(role, 'developer') || kinds.includes(kind))
      .toSorted((a, b) => (b.since?.getTime() ?? Infinity) - (a.since?.getTime() ?? Infinity) || 0)
    return { items: seen.slice(0, attentionItemsMax), more: seen.length > attentionItemsMax }
  }
}
