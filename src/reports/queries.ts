import { freshnessOf, type FreshnessRow } from '../companies/freshness.ts'
import { defineStatement } from '../database/define-statement.ts'
import type { Delivers, Metric } from '../sources/declaration.ts'

/** What is read for the company's pages: production samples of one metric, period by period. */

export interface ReportSourceRow {
  source_id: string
  name: string
  paused_at: Date | null
  /** Null while it is active, and where the operator paused it. */
  paused_by: string | null
  paused_by_name: string | null
  projection_id: number
  samples_version: string
  /** As the projection that is read aggregates. */
  delivers: Delivers
  metrics: Metric[]
}

const reportSources = `
  select sources.source_id, sources.name, sources.paused_at, sources.paused_by, members.name as paused_by_name,
    sources.projection_id, projections.samples_version, shapes.delivers, shapes.metrics
  from sources
  join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
    and shapes.shape_version = projections.shape_version
  left join members on members.member_id = sources.paused_by
  where sources.company_id = $companyId::uuid`

export const selectReportSource = defineStatement<ReportSourceRow, { companyId: string; sourceId: string }>(
  'reports.select-source',
  `${reportSources} and sources.source_id = $sourceId::uuid limit 1`,
)

/** A company's sources after the source `$after`. */
export const selectReportSources = defineStatement<
  ReportSourceRow,
  { companyId: string; after: string | null; limit: number }
>(
  'reports.select-sources',
  `${reportSources} and ($after::uuid is null or sources.source_id > $after::uuid)
  order by sources.source_id
  limit $limit::int4`,
)

const freshnessOfListed = freshnessOf({
  companyId: '$companyId::uuid',
  sourceId: 'listed.source_id',
  pausedAt: 'source.paused_at',
})

/** Whether sources of a company deliver as they usually do, at `$at`. */
export const selectFreshnessOfSources = defineStatement<
  FreshnessRow & { source_id: string },
  { companyId: string; sourceIds: Buffer; at: Date }
>(
  'reports.select-freshness',
  `
  select listed.source_id, freshness.last_received_at, freshness.usual_seconds, freshness.late
  from unnest($sourceIds::uuid[]) as listed (source_id)
  cross join lateral (
    select sources.paused_at
    from sources
    where sources.company_id = $companyId::uuid and sources.source_id = listed.source_id
    limit 1
  ) as source
  cross join lateral ${freshnessOfListed} as freshness`,
)

/** A metric of the projection that is read. */
export type MetricParams = { companyId: string; sourceId: string; projectionId: number; metric: string }

const ofMetric = (table: string): string => `
        ${table}.company_id = $companyId::uuid and ${table}.source_id = $sourceId::uuid
        and ${table}.projection_id = $projectionId::int4 and ${table}.sandbox = false
        and ${table}.metric = $metric::text`

/** The newest period before the day `$before` of which there is a sample. */
export const findLatestPeriod = defineStatement<{ period_start: string }, MetricParams & { before: string }>(
  'reports.find-latest-period',
  `
  select samples.period_start
  from samples
  where ${ofMetric('samples')} and samples.period_start < $before::date and samples.value is not null
  order by samples.period_start desc
  limit 1`,
)

/** Of the cells from one day to another: the day of the newest one, and that of the one behind the newest `$cellsMax`. */
export const findCellsCut = defineStatement<
  { newest: string | null; cut: string | null },
  MetricParams & { from: string; to: string; cellsMax: number }
>(
  'reports.find-cells-cut',
  `
  with in_window as (
    select samples.period_start
    from samples
    where ${ofMetric('samples')} and samples.period_start >= $from::date and samples.period_start <= $to::date
    order by samples.period_start desc
    limit $cellsMax::int4 + 1
  )
  select (select max(in_window.period_start) from in_window) as newest,
    (
      select in_window.period_start from in_window
      order by in_window.period_start desc
      offset $cellsMax::int4 limit 1
    ) as cut
  limit 1`,
)

export type ReportParams = MetricParams & {
  /** `date[]`: the first and the last day of each period, in the order of the answer. Both null: nothing. */
  firstDays: Buffer
  lastDays: Buffer
  /** How values come to one. */
  combine: 'sum' | 'min' | 'max'
  /** JSON: label names with lists of the values that count. */
  where: string
  /** Likewise of those that do not. */
  except: string
}

export type SeriesParams = ReportParams & {
  /** The label that series are by; null for one series of all. */
  by: string | null
  /** `text[]`: the metric's labels. */
  labels: Buffer
  seriesMax: number
  labelValuesMax: number
}

/** Parts of the answer as JSON. */
export interface SeriesRow {
  /** A list of values, a value or null. */
  totals: string
  row_total: string
  /** Lists of objects. */
  series: string
  labels: string
  /** What comes behind the series, together. */
  other_values: string | null
  other_row_total: string | null
  /** How many series there would be. */
  keys: number
  /** `YYYY-MM-DD`: the last of the metric's periods in each period of which there is anything, for whatever labels. */
  known_to: (string | null)[]
}

// One loop over the periods, each a range of the index: nothing outside them is looked at, whatever plan the server would
// choose otherwise (`offset 0`).
const listedPeriods = `periods as materialized (
    select listed.place, listed.first_day, listed.last_day
    from unnest($firstDays::date[], $lastDays::date[]) with ordinality as listed (first_day, last_day, place)
  )`

const inPeriod = (table: string): string =>
  `${ofMetric(table)} and ${table}.period_start >= periods.first_day and ${table}.period_start <= periods.last_day`

const combined = (value: string, condition = ''): string =>
  `case $combine::text when 'min' then min(${value})${condition} when 'max' then max(${value})${condition} ` +
  `else sum(${value})${condition} end`

/** A value as JSON. */
const json = (value: string): string => `coalesce('"' || trim_scale(${value}) || '"', 'null')`

/** Whether a label set counts. */
const matches = (labels: string): string => `(($where::jsonb = '{}' or not exists (
      select from jsonb_each($where::jsonb) as wanted
      where not wanted.value ? coalesce(${labels}::jsonb ->> wanted.key, '')
    )) and ($except::jsonb = '{}' or not exists (
      select from jsonb_each($except::jsonb) as unwanted
      where unwanted.value ? coalesce(${labels}::jsonb ->> unwanted.key, '')
    )))`

/** The series, the largest first. */
const listedSeries = `(
    select '[' || coalesce(string_agg('{"key":' || case when $by::text is null then 'null' else to_json(by_size.key)::text end ||
      ',"values":' || lists.listed || ',"row_total":' || lists.row_total || '}', ',' order by by_size.slot), '') || ']'
    from lists
    join by_size on by_size.slot = lists.slot
    where lists.slot <= $seriesMax::int4 and by_size.slot <= $seriesMax::int4
  )`

/** The metric's labels with their values, whatever is asked for. */
const listedLabels = `(
    select '[' || coalesce(string_agg('{"name":' || to_json(named.name) || ',"values":' ||
      coalesce(listed.label_values, '[]') || ',"more":' || coalesce(listed.more, false) || '}', ',' order by named.place), '') || ']'
    from unnest($labels::text[]) with ordinality as named (name, place)
    cross join lateral (
      select json_agg(numbered.label_value order by numbered.place) filter (where numbered.place <= $labelValuesMax::int4)::text
          as label_values,
        bool_or(numbered.place > $labelValuesMax::int4) as more
      from (
        select found.label_value, row_number() over (order by found.label_value collate "C") as place
        from (select distinct label_sets.labels::jsonb ->> named.name as label_value from label_sets) as found
      ) as numbered
    ) as listed
  )`

/** The last day in each period of which there is anything. */
const knownTo = `(
    select array_agg(spoken.known_to order by spoken.place)
    from (
      select placed.place, max(placed.period_start) as known_to
      from (
        select cells.place, cells.period_start from cells union all select periods.place, null from periods
      ) as placed
      group by placed.place
    ) as spoken
  )`

/**
 * Values by period and label, of `cells` (place, period_start, labels, value): one list for each series, all of equal length,
 * made into JSON here, so that thousands of values cost the event loop nothing. How many cells there are the server cannot know
 * beforehand: what is large is grouped and never joined, since it would be joined row by row.
 */
const inSeries = (cells: string): string => `
  with ${listedPeriods},
  cells as materialized (${cells}),
  label_sets as materialized (
    select distinct cells.labels from cells
  ),
  by_key as materialized (
    select cells.place, coalesce(cells.labels::jsonb ->> $by::text, '') as key, ${combined('cells.value')} as value
    from cells
    where ${matches('cells.labels')}
    group by cells.place, coalesce(cells.labels::jsonb ->> $by::text, '')
  ),
  by_size as materialized (
    select by_key.key, row_number() over (order by sum(abs(by_key.value)) desc, by_key.key collate "C") as slot
    from by_key
    group by by_key.key
  ),
  shown as materialized (
    select count(*)::int4 as keys,
      coalesce(jsonb_object_agg(by_size.key, by_size.slot) filter (where by_size.slot <= $seriesMax::int4), '{}') as slots
    from by_size
  ),
  -- Slot 0 is all together, the one behind the last series what is in none. Every slot has every place.
  by_slot as materialized (
    select placed.place, placed.slot, ${combined('placed.value')} as value
    from (
      select by_key.place, coalesce(((select shown.slots from shown) ->> by_key.key)::int4, $seriesMax::int4 + 1) as slot,
        by_key.value
      from by_key
      union all
      select by_key.place, 0, by_key.value from by_key
      union all
      select periods.place, listed.slot, null
      from periods
      cross join generate_series(0, (select least(shown.keys, $seriesMax::int4 + 1) from shown)) as listed (slot)
    ) as placed
    group by placed.place, placed.slot
  ),
  lists as materialized (
    select by_slot.slot, '[' || string_agg(${json('by_slot.value')}, ',' order by by_slot.place) || ']' as listed,
      ${json(combined('by_slot.value'))} as row_total
    from by_slot
    group by by_slot.slot
  )
  select totals.listed as totals, totals.row_total, others.listed as other_values, others.row_total as other_row_total,
    (select shown.keys from shown) as keys,
    ${listedSeries} as series, ${listedLabels} as labels, ${knownTo} as known_to
  from lists as totals
  left join lists as others on others.slot = $seriesMax::int4 + 1
  where totals.slot = 0
  limit 1`

/** As it is known now. */
export const readSeries = defineStatement<SeriesRow, SeriesParams>(
  'reports.read-series',
  inSeries(`
    select periods.place, cell.period_start, cell.labels, cell.value
    from periods
    cross join lateral (
      select samples.period_start, samples.labels, samples.value
      from samples
      where ${inPeriod('samples')} and samples.value is not null
      offset 0
    ) as cell`),
)

const contributionsUntil = `
        from contributions
        where contributions.company_id = cell.company_id and contributions.cell_id = cell.cell_id
          and contributions.received_at <= $asOf::timestamptz`

/** An events source as it was known at `$asOf`: from the contributions received until then. */
export const readEventsSeriesAsOf = defineStatement<
  SeriesRow,
  SeriesParams & { asOf: string; aggregation: string }
>(
  'reports.read-events-series-as-of',
  inSeries(`
    select periods.place, cell.period_start, cell.labels,
      case $aggregation::text
        when 'min' then walked.least
        when 'max' then walked.greatest
        when 'last' then (
          select contributions.value ${contributionsUntil}
          order by contributions.event_at desc, contributions.receive_number desc
          limit 1
        )
        when 'count_distinct' then (
          select count(*) from distinct_values
          where distinct_values.company_id = cell.company_id and distinct_values.cell_id = cell.cell_id
            and distinct_values.first_received_at <= $asOf::timestamptz
        )
        else walked.sum
      end as value
    from periods
    cross join lateral (
      select samples.company_id, samples.cell_id, samples.period_start, samples.labels
      from samples
      where ${inPeriod('samples')}
      offset 0
    ) as cell
    cross join lateral (
      select count(*) as contributions, sum(contributions.value) as sum, min(contributions.value) as least,
        max(contributions.value) as greatest ${contributionsUntil}
    ) as walked
    where walked.contributions > 0`),
)

/** The delivery that had owned a period by `$asOf`. */
const ownerThen = `
      select period_deliveries.receive_number, period_deliveries.received_at
      from period_deliveries
      where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owned.period_start
        and period_deliveries.received_at <= $asOf::timestamptz
      order by period_deliveries.receive_number desc
      limit 1`

const ownedPeriods = `
      select period_owners.period_start, period_owners.receive_number, period_owners.artifact_id
      from period_owners
      where ${inPeriod('period_owners')}
      offset 0`

/** What the delivery `owner` said of a cell of its period; the sample's own value where it owns the period now. */
const statedCells = `
      select samples.labels, samples.value
      from samples
      where owner.receive_number = owned.receive_number and ${ofMetric('samples')}
        and samples.period_start = owned.period_start and samples.value is not null
      union all
      select samples.labels, contributions.value
      from samples
      join contributions on contributions.company_id = samples.company_id and contributions.cell_id = samples.cell_id
        and contributions.receive_number = owner.receive_number
      where owner.receive_number <> owned.receive_number and ${ofMetric('samples')}
        and samples.period_start = owned.period_start
      offset 0`

/** A statements source as it was known at `$asOf`: what the deliveries say that owned their periods then. */
export const readStatementsSeriesAsOf = defineStatement<SeriesRow, SeriesParams & { asOf: string }>(
  'reports.read-statements-series-as-of',
  inSeries(`
    select periods.place, owned.period_start, cell.labels, cell.value
    from periods
    cross join lateral (${ownedPeriods}) as owned
    cross join lateral (${ownerThen}) as owner
    cross join lateral (${statedCells}) as cell`),
)

export interface RestatementRow {
  place: string
  restated_at: Date
  was: string | null
}

/**
 * The periods of a statements source that had been restated by `$asOf`, with the instant at which a delivery last took one
 * over from another, and what all together came to just before.
 */
export const readRestatements = defineStatement<RestatementRow, ReportParams & { asOf: string }>(
  'reports.read-restatements',
  `
  with ${listedPeriods},
  owners as materialized (
    select periods.place, owned.period_start, owned.receive_number, owner.receive_number as owner_number,
      owner.received_at, exists (
        select from period_deliveries
        where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owned.period_start
          and period_deliveries.receive_number < owner.receive_number
      ) as is_restated
    from periods
    cross join lateral (${ownedPeriods}) as owned
    cross join lateral (${ownerThen}) as owner
  ),
  restated as materialized (
    select owners.place, owners.period_start, owners.receive_number, owners.owner_number, owners.received_at,
      max(owners.owner_number) filter (where owners.is_restated) over (partition by owners.place) as last_number
    from owners
  ),
  cells as materialized (
    select owned.place, cell.labels, cell.value
    from restated as owned
    cross join lateral (
      select period_deliveries.receive_number
      from period_deliveries
      where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owned.period_start
        and period_deliveries.receive_number < owned.last_number
      order by period_deliveries.receive_number desc
      limit 1
    ) as owner
    cross join lateral (${statedCells}) as cell
  )
  select found.place, max(found.received_at) as restated_at, trim_scale(max(found.was))::text as was
  from (
    select restated.place, restated.received_at, null::numeric as was
    from restated
    where restated.owner_number = restated.last_number
    union all
    select cells.place, null, ${combined('cells.value')}
    from cells
    where ${matches('cells.labels')}
    group by cells.place
  ) as found
  group by found.place
  order by found.place
  limit all`,
)

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
  /** The first days of the first and the last of the metric's periods that it says something of. */
  first_start: string
  last_start: string
  value: string | null
  counts_now: string | null
  counts_then: string | null
  rows: number
  /** Null: it owns all that it says, or it is of an events source. */
  superseded_by: string[] | null
  /** Whether it owns nothing of what it says. */
  superseded: boolean
  /** With `last`, of a single cell. */
  event_at: string | null
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

/** Lateral with a limit: one look into the index for each delivery, whatever plan the server would choose otherwise. */
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

/** How many cells a period has, counted up to one more than `$cellsMax`, and whether any of them match. */
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
 * The deliveries behind a period of an events source, the latest first. The latest `$limit` of each cell are enough to find
 * the latest of all.
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
  )
  select traced.receive_number, traced.artifact_id, traced.received_at, traced.first_start, traced.last_start, traced.value,
    traced.value as counts_now,
    case when traced.received_at <= $asOf::timestamptz then traced.value end as counts_then,
    traced.rows, null::uuid[] as superseded_by, false as superseded, traced.event_at, delivery.shape_version,
    coalesce(result.rows_refused, 0) as rows_refused
  from traced
  ${withDelivery('traced')}
  order by traced.receive_number desc
  limit $limit::int4`,
)

/** The deliveries that say something of a period of a statements source, the latest first. */
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
      owners.receive_number as owner_now, owners.artifact_id as owner_artifact_id, owners.owner_then
    from owners
    cross join lateral (
      select period_deliveries.receive_number, period_deliveries.artifact_id, period_deliveries.received_at
      from period_deliveries
      where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owners.period_start
        and period_deliveries.receive_number < $before::int8
      order by period_deliveries.receive_number desc
      limit $limit::int4
    ) as recent
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
  stated as materialized (
    select touching.receive_number, ${combined('contributions.value')} as value,
      ${combined('contributions.value', ' filter (where touching.owner_now = touching.receive_number)')} as counts_now,
      ${combined('contributions.value', ' filter (where touching.owner_then = touching.receive_number)')} as counts_then,
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
    -- Those from there on are all traced.
    where touching.receive_number >= (select min(traced.receive_number) from traced)
    group by touching.receive_number
  )
  select traced.receive_number, traced.artifact_id, traced.received_at, traced.first_start, traced.last_start,
    trim_scale(stated.value)::text as value, trim_scale(stated.counts_now)::text as counts_now,
    trim_scale(stated.counts_then)::text as counts_then, coalesce(stated.rows, 0) as rows, traced.superseded_by,
    traced.superseded, trim_scale(stated.event_at)::text as event_at, delivery.shape_version,
    coalesce(result.rows_refused, 0) as rows_refused
  from traced
  left join stated on stated.receive_number = traced.receive_number
  ${withDelivery('traced')}
  order by traced.receive_number desc
  limit $limit::int4`,
)

/** How many members of a distinct count each of some deliveries was the first to have, of the one cell that matches. */
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
