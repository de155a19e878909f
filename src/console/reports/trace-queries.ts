import { defineStatement } from '../../platform/database/define-statement.ts'
import { ofMetric, type MetricParams } from './queries.ts'
import { combined, matches, ownerThen, type ReportParams } from './series-queries.ts'

/** Of one period. */
export type TraceParams = MetricParams & {
  combine: ReportParams['combine']
  where: string
  except: string
  firstDay: string
  lastDay: string
  asOf: string
  /** Deliveries below this receive number. */
  before: string
  limit: number
}

export interface TracedRow {
  receive_number: string
  artifact_id: string
  received_at: Date
  /** The first days of the first and the last of the metric's periods that it contributes to. */
  first_start: string
  last_start: string
  value: string | null
  counts_now: string | null
  counts_then: string | null
  rows: number
  /** Null if it owns everything that it states, or belongs to an events source. */
  superseded_by: string[] | null
  /** Whether it owns nothing of what it states. */
  superseded: boolean
  /** For `last`, of a single cell. */
  event_at: string | null
  /** Statements: its value minus what was last stated before it about the same days; null if nothing was. */
  step: string | null
  /** Sums of events: the value after it. */
  running: string | null
  /** Statements: the deliveries that had last stated the same days. */
  replaces: string[] | null
  shape_version: number
  rows_refused: number
}

const periodOfTrace = (table: string): string =>
  `${ofMetric(table)} and ${table}.period_start >= $firstDay::date and ${table}.period_start <= $lastDay::date`

const matchingCells = `
  matching as materialized (
    select samples.cell_id, samples.period_start
    from samples
    where ${periodOfTrace('samples')} and ${matches('samples.labels')}
  )`

/** Lateral with a limit: one index lookup for each delivery, independent of the server's choice of plan. */
const withDelivery = (traced: string): string => `
  cross join lateral (
    select deliveries.shape_version
    from deliveries
    where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = ${traced}.artifact_id
    limit 1
  ) as delivery
  left join lateral (
    select parse_results.rows_refused
    from parse_results
    where parse_results.company_id = $companyId::uuid and parse_results.source_id = $sourceId::uuid
      and parse_results.projection_id = $projectionId::int4 and parse_results.receive_number = ${traced}.receive_number
    limit 1
  ) as result on true`

/** The number of cells of a period, counted up to one more than `$cellsMax`, and whether any of them match. */
export const countTracedCells = defineStatement<
  { cells: number; matching: boolean },
  Pick<TraceParams, 'firstDay' | 'lastDay' | 'where' | 'except'> & MetricParams & { cellsMax: number }
>(
  'reports.count-traced-cells',
  `
  select count(*)::int4 as cells, coalesce(bool_or(found.matching), false) as matching
  from (
    select ${matches('samples.labels')} as matching
    from samples
    where ${periodOfTrace('samples')}
    limit $cellsMax::int4 + 1
  ) as found`,
)

/**
 * The deliveries behind a period of an events source, latest first. The latest `$limit` of each cell suffice to find the
 * latest overall.
 */
export const traceEvents = defineStatement<TracedRow, TraceParams>(
  'reports.trace-events',
  `
  with ${matchingCells},
  latest as materialized (
    select recent.receive_number, recent.artifact_id, recent.received_at, matching.period_start, recent.value,
      recent.rows, recent.event_at
    from matching
    cross join lateral (
      select contributions.receive_number, contributions.artifact_id, contributions.received_at, contributions.value,
        contributions.rows, contributions.event_at
      from contributions
      where contributions.company_id = $companyId::uuid and contributions.cell_id = matching.cell_id
        and contributions.receive_number < $before::int8
      order by contributions.receive_number desc
      limit $limit::int4
    ) as recent
  ),
  traced as materialized (
    select latest.receive_number, latest.artifact_id, latest.received_at, min(latest.period_start) as first_start,
      max(latest.period_start) as last_start, trim_scale(${combined('latest.value')})::text as value,
      sum(latest.rows)::int4 as rows, trim_scale(max(latest.event_at))::text as event_at
    from latest
    group by latest.receive_number, latest.artifact_id, latest.received_at
    order by latest.receive_number desc
    limit $limit::int4
  ),
  -- The sum up to the first delivery of this page: of all, without those of the pages before.
  start as materialized (
    select case when $combine::text = 'sum' then sum(samples.value) - coalesce(sum(later.value), 0) end as value
    from matching
    join samples on samples.company_id = $companyId::uuid and samples.cell_id = matching.cell_id
    cross join lateral (
      select sum(contributions.value) as value
      from contributions
      where contributions.company_id = $companyId::uuid and contributions.cell_id = matching.cell_id
        and contributions.receive_number >= $before::int8
    ) as later
  )
  select traced.receive_number, traced.artifact_id, traced.received_at, traced.first_start, traced.last_start, traced.value,
    traced.value as counts_now,
    case when traced.received_at <= $asOf::timestamptz then traced.value end as counts_then,
    traced.rows, null::uuid[] as superseded_by, false as superseded, traced.event_at, delivery.shape_version,
    coalesce(result.rows_refused, 0) as rows_refused, null as step, null::uuid[] as replaces,
    trim_scale((select start.value from start) - coalesce(sum(traced.value::numeric) over (
      order by traced.receive_number desc rows between unbounded preceding and 1 preceding
    ), 0))::text as running
  from traced
  ${withDelivery('traced')}
  order by traced.receive_number desc
  limit $limit::int4`,
)

/** The deliveries that state something about a period of a statements source, latest first. */
export const traceStatements = defineStatement<TracedRow, TraceParams>(
  'reports.trace-statements',
  `
  with owners as materialized (
    select owned.period_start, owned.receive_number, owned.artifact_id, owner.receive_number as owner_then
    from (
      select period_owners.period_start, period_owners.receive_number, period_owners.artifact_id
      from period_owners
      where ${periodOfTrace('period_owners')}
    ) as owned
    left join lateral (${ownerThen}) as owner on true
  ),
  touching as materialized (
    select recent.receive_number, recent.artifact_id, recent.received_at, owners.period_start,
      owners.receive_number as owner_now, owners.artifact_id as owner_artifact_id, owners.owner_then,
      lag(recent.receive_number) over by_period as number_before,
      lag(recent.artifact_id) over by_period as artifact_before, lead(recent.receive_number) over by_period as number_after
    from owners
    cross join lateral (
      select period_deliveries.receive_number, period_deliveries.artifact_id, period_deliveries.received_at
      from period_deliveries
      where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owners.period_start
        and period_deliveries.receive_number < $before::int8
      order by period_deliveries.receive_number desc
      limit $limit::int4
    ) as recent
    window by_period as (partition by owners.period_start order by recent.receive_number)
  ),
  traced as materialized (
    select touching.receive_number, touching.artifact_id, touching.received_at,
      min(touching.period_start) as first_start, max(touching.period_start) as last_start,
      bool_and(touching.owner_now <> touching.receive_number) as superseded,
      array_agg(distinct touching.owner_artifact_id) filter (where touching.owner_now <> touching.receive_number)
        as superseded_by
    from touching
    group by touching.receive_number, touching.artifact_id, touching.received_at
    order by touching.receive_number desc
    limit $limit::int4
  ),
  oldest as materialized (
    select min(traced.receive_number) as receive_number from traced
  ),
  stated as materialized (
    select touching.receive_number, touching.period_start, ${combined('contributions.value')} as value,
      sum(contributions.rows)::int4 as rows, max(contributions.event_at) as event_at
    from touching
    cross join lateral (
      select samples.cell_id
      from samples
      where ${ofMetric('samples')} and samples.period_start = touching.period_start and ${matches('samples.labels')}
      offset 0
    ) as matching
    cross join lateral (
      select contributions.value, contributions.rows, contributions.event_at
      from contributions
      where contributions.company_id = $companyId::uuid and contributions.cell_id = matching.cell_id
        and contributions.receive_number = touching.receive_number
      limit 1
    ) as contributions
    -- Those from there on are all traced; of the others, what they stated last is compared with.
    where coalesce(touching.number_after, touching.receive_number) >= (select oldest.receive_number from oldest)
    group by touching.receive_number, touching.period_start
  ),
  compared as materialized (
    select touching.receive_number, ${combined('stated.value')} as value,
      ${combined('stated.value', ' filter (where touching.owner_now = touching.receive_number)')} as counts_now,
      ${combined('stated.value', ' filter (where touching.owner_then = touching.receive_number)')} as counts_then,
      sum(stated.rows)::int4 as rows, max(stated.event_at) as event_at,
      case
        when $combine::text = 'sum' then sum(coalesce(stated.value, 0) - coalesce(stated_before.value, 0))
          filter (where touching.number_before is not null and coalesce(stated.value, stated_before.value) is not null)
        when count(touching.number_before) = 1 then sum(stated.value - stated_before.value)
      end as step,
      array_agg(distinct touching.artifact_before) filter (where touching.artifact_before is not null) as replaces
    from touching
    left join stated on stated.receive_number = touching.receive_number and stated.period_start = touching.period_start
    left join stated as stated_before on stated_before.receive_number = touching.number_before
      and stated_before.period_start = touching.period_start
    where touching.receive_number >= (select oldest.receive_number from oldest)
    group by touching.receive_number
  )
  select traced.receive_number, traced.artifact_id, traced.received_at, traced.first_start, traced.last_start,
    trim_scale(compared.value)::text as value, trim_scale(compared.counts_now)::text as counts_now,
    trim_scale(compared.counts_then)::text as counts_then, coalesce(compared.rows, 0) as rows, traced.superseded_by,
    traced.superseded, trim_scale(compared.event_at)::text as event_at, delivery.shape_version,
    coalesce(result.rows_refused, 0) as rows_refused, trim_scale(compared.step)::text as step, null as running,
    compared.replaces
  from traced
  join compared on compared.receive_number = traced.receive_number
  ${withDelivery('traced')}
  order by traced.receive_number desc
  limit $limit::int4`,
)

/** For the one matching cell of a distinct count: how many members each delivery was the first to have. */
export const countAddedValues = defineStatement<
  { receive_number: string; added: number },
  MetricParams & Pick<TraceParams, 'firstDay' | 'lastDay' | 'where' | 'except'> & { receiveNumbers: Buffer }
>(
  'reports.count-added-values',
  `
  with ${matchingCells}
  select first_had.first_receive_number as receive_number, count(*)::int4 as added
  from matching
  cross join lateral (
    select distinct_values.first_receive_number
    from distinct_values
    where distinct_values.company_id = $companyId::uuid and distinct_values.cell_id = matching.cell_id
      and distinct_values.first_receive_number = any ($receiveNumbers::int8[])
    offset 0
  ) as first_had
  group by first_had.first_receive_number`,
)
