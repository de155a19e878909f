/** Production deliveries, the latest ones, from which a source's rhythm is computed. */
const rhythmDeliveriesMax = 20
/** Seconds between two deliveries below which they are one sending, so that bursts do not count as the rhythm. */
const sendingGapSecondsMin = 60
/** Gaps between sendings before a source has a rhythm; with fewer it is never late. */
const rhythmGapsMin = 3
/** How many usual gaps pass without a delivery before a source is late. */
const usualTimesMax = 3

export interface Freshness {
  /** In production; null if there was none. */
  lastReceivedAt: Date | null
  /** The median of the gaps between its last sendings; null if there are too few. */
  usualSeconds: number | null
  late: boolean
}

/** The columns of `freshnessSql`. */
export interface FreshnessRow {
  last_received_at: Date | null
  usual_seconds: number | null
  late: boolean
}

/**
 * SQL for `cross join lateral`: whether a source delivers as it usually does, by the rule of docs/decisions/live-deliveries.md. It always
 * gives one row, and reads a few entries of an index. A paused source is never late. The statement has a parameter `$at`, the
 * present.
 *
 * @param source columns of the source, as SQL
 */
export function freshnessSql(source: { companyId: string; sourceId: string; pausedAt: string }): string {
  return `(
     select rhythm.last_received_at, rhythm.usual_seconds,
       coalesce(
         ${source.pausedAt} is null
           and extract(epoch from $at::timestamptz - rhythm.last_received_at) > ${usualTimesMax} * rhythm.usual_seconds,
         false
       ) as late
     from (
       select max(gaps.received_at) as last_received_at,
         case when count(*) filter (where gaps.seconds >= ${sendingGapSecondsMin}) >= ${rhythmGapsMin} then
           round(
             percentile_cont(0.5) within group (order by gaps.seconds)
               filter (where gaps.seconds >= ${sendingGapSecondsMin})
           )
         end as usual_seconds
       from (
         select recent.received_at,
           -- By the instants: receive numbers are not always in that order.
           extract(epoch from recent.received_at - lag(recent.received_at) over (order by recent.received_at))::float8
             as seconds
         from (
           select deliveries.received_at
           from deliveries
           where deliveries.company_id = ${source.companyId} and deliveries.source_id = ${source.sourceId}
             and deliveries.sandbox = false
           order by deliveries.receive_number desc
           limit ${rhythmDeliveriesMax}
         ) as recent
       ) as gaps
     ) as rhythm
   )`
}

export function toFreshness(row: FreshnessRow): Freshness {
  return { lastReceivedAt: row.last_received_at, usualSeconds: row.usual_seconds, late: row.late }
}
