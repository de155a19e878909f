import { freshnessSql, type FreshnessRow } from '../../people/companies/freshness.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'

export interface ActivityRow extends FreshnessRow {
  source_id: string
  /** Null, like the following, if there is no delivery. */
  artifact_id: string | null
  idempotency_key: string
  received_at: Date
  sandbox: boolean
  /** Null, like the following, while it is queued. */
  state: 'parsed' | 'unreadable' | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  /** Of the rebuild in progress; null if there is none. */
  enumerated: boolean | null
  is_begun: boolean
  total: number
  waiting: number
  /** Whether some of the waiting deliveries have not been tried yet. */
  has_untried: boolean
  /** When two thirds of what is done had been done, and how many those were; null while nothing is done. */
  two_thirds_at: Date | null
  two_thirds_done: number | null
}

/** The last delivery of a source, test or production. */
function lastDelivery(sandbox: boolean): string {
  return `(
      select deliveries.artifact_id, deliveries.idempotency_key, deliveries.received_at, deliveries.sandbox,
        deliveries.receive_number
      from deliveries
      where deliveries.company_id = sources.company_id and deliveries.source_id = sources.source_id
        and deliveries.sandbox = ${sandbox}
      order by deliveries.receive_number desc
      limit 1
    )`
}

const waitingForProjection = `from backlog
         where backlog.company_id = projections.company_id and backlog.source_id = projections.source_id
           and backlog.projection_id = projections.projection_id and backlog.projection_id <> 0`

/**
 * When two thirds of what a rebuild has done had been done, and how many those were. Rounds parse in the order of receipt,
 * and write one time for all their deliveries; deliveries received since the rebuild began come later in that order.
 */
const twoThirds = `(
       select of_round.parsed_at, begun.skipped + count(*)::int4 as done
       from (
         select greatest(0, least($skippedMax::int4, (projections.deliveries - backlogged.waiting) * 2 / 3))::int4 as skipped
       ) as begun
       cross join lateral (
         select parse_results.parsed_at
         from parse_results
         where parse_results.company_id = projections.company_id and parse_results.source_id = projections.source_id
           and parse_results.projection_id = projections.projection_id
         order by parse_results.receive_number
         offset begun.skipped
         limit greatest(0, least($roundMax::int4, projections.deliveries - backlogged.waiting - begun.skipped))
       ) as of_round
       group by of_round.parsed_at, begun.skipped
       order by of_round.parsed_at
       limit 1
     )`

const freshnessOfSource = freshnessSql({
  companyId: 'sources.company_id',
  sourceId: 'sources.source_id',
  pausedAt: 'sources.paused_at',
})

/**
 * The activity of sources at `$at`: the last delivery (in production; without any, the last test delivery), whether they
 * are late, and the progress of a rebuild, which counts at most `$waitingMax` waiting deliveries and reads at most
 * `$skippedMax` and a round of the parsed ones. Each is a few index lookups.
 */
export const selectActivity = defineStatement<
  ActivityRow,
  {
    companyId: string
    sourceIds: string[]
    at: Date
    waitingMax: number
    skippedMax: number
    roundMax: number
  }
>(
  'sources.select-activity',
  `select sources.source_id, last_one.artifact_id, last_one.idempotency_key, last_one.received_at, last_one.sandbox,
     result.state, result.rows_accepted, result.rows_refused, result.rows_date_alone, freshness.last_received_at,
     freshness.usual_seconds, freshness.late, rebuild.enumerated, rebuild.is_begun, rebuild.total, rebuild.waiting,
     rebuild.has_untried, rebuild.two_thirds_at, rebuild.two_thirds_done
   from unnest($sourceIds::uuid[]) as wanted (source_id)
   join sources on sources.company_id = $companyId::uuid and sources.source_id = wanted.source_id
   left join lateral (
     select either.artifact_id, either.idempotency_key, either.received_at, either.sandbox, either.receive_number
     from (${lastDelivery(false)} union all ${lastDelivery(true)}) as either
     order by either.sandbox
     limit 1
   ) as last_one on true
   left join lateral (
     select parse_results.state, parse_results.rows_accepted, parse_results.rows_refused, parse_results.rows_date_alone
     from parse_results
     where parse_results.company_id = sources.company_id and parse_results.source_id = sources.source_id
       and parse_results.projection_id = sources.projection_id
       and parse_results.receive_number = last_one.receive_number
     limit 1
   ) as result on true
   cross join lateral ${freshnessOfSource} as freshness
   left join lateral (
     select projections.enumerated, projections.enumerated or projections.enumerated_to > 0 as is_begun,
       projections.deliveries::float8 as total, backlogged.waiting,
       exists (select ${waitingForProjection} and backlog.attempts = 0) as has_untried,
       two_thirds.parsed_at as two_thirds_at, two_thirds.done as two_thirds_done
     from projections
     cross join lateral (
       select count(*)::int4 as waiting
       from (select ${waitingForProjection} limit $waitingMax::int4 + 1) as counted
     ) as backlogged
     left join lateral ${twoThirds} as two_thirds on true
     where projections.company_id = sources.company_id and projections.source_id = sources.source_id
       and projections.state = 'building'
     limit 1
   ) as rebuild on true`,
)

/** How many deliveries of a source are stored, at most `$deliveriesMax` counted, and the bytes of those. */
export const countStoredDeliveries = defineStatement<
  { deliveries: number; content_bytes: number },
  { companyId: string; sourceId: string; deliveriesMax: number }
>(
  'sources.count-stored-deliveries',
  `select count(*)::int4 as deliveries, coalesce(sum(counted.content_bytes), 0)::float8 as content_bytes
   from (
     select deliveries.content_bytes
     from deliveries
     where deliveries.company_id = $companyId::uuid and deliveries.source_id = $sourceId::uuid
     -- By the index: where most rows are the source's, the table would be read from its beginning otherwise.
     order by deliveries.sandbox, deliveries.receive_number
     limit $deliveriesMax::int4
   ) as counted`,
)

interface SourceDayRow {
  day: string
  deliveries: number
  rows_accepted: number
  rows_refused: number
  unreadable: number
}

/** The newest deliveries of a source by day, oldest first, `$deliveriesMax` of them, by the index of their order. */
export const selectSourceDays = defineStatement<
  SourceDayRow,
  { companyId: string; sourceId: string; sandbox: boolean; timeZone: string; deliveriesMax: number }
>(
  'sources.select-days',
  `select to_char(newest.received_at at time zone $timeZone::text, 'YYYY-MM-DD') as day, count(*)::int4 as deliveries,
     coalesce(sum(parse_results.rows_accepted), 0)::float8 as rows_accepted,
     coalesce(sum(parse_results.rows_refused), 0)::float8 as rows_refused,
     (count(*) filter (where parse_results.state = 'unreadable'))::int4 as unreadable
   from (
     select deliveries.company_id, deliveries.source_id, deliveries.receive_number, deliveries.received_at
     from deliveries
     where deliveries.company_id = $companyId::uuid and deliveries.source_id = $sourceId::uuid
       and deliveries.sandbox = $sandbox::boolean
     order by deliveries.receive_number desc
     limit $deliveriesMax::int4
   ) as newest
   join sources on sources.company_id = newest.company_id and sources.source_id = newest.source_id
   left join parse_results on parse_results.company_id = newest.company_id
     and parse_results.source_id = newest.source_id and parse_results.projection_id = sources.projection_id
     and parse_results.receive_number = newest.receive_number
   group by day
   order by day`,
)
