import { defineStatement } from '../../platform/database/define-statement.ts'
import { ofMetric, type MetricParams } from './queries.ts'
import { valueSql, type Aggregation } from '../../engine/aggregations/aggregations.ts'
import { combinations, type Combination } from '../../engine/aggregations/aggregation-definition.ts'

export type ReportParams = MetricParams & {
  /** `date[]`: the first and the last day of each period, in the order of the answer. Both null: nothing. */
  firstDays: Buffer
  lastDays: Buffer
  /** How values combine. */
  combine: Combination
  /** JSON: label names with lists of included values. */
  where: string
  /** The same for excluded values. */
  except: string
}

export type SeriesParams = ReportParams & {
  /** How many of the first periods are shown; each further one is the year before of the one at the same place. */
  shownPeriods: number
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
  /** An object of the year before, as in each of the series, or null. */
  year_before: string
  other_year_before: string | null
  /** The number of shown periods with a total in both years. */
  compared: number
  /** Lists of objects. */
  series: string
  labels: string
  /** The combined rest after the series. */
  other_values: string | null
  other_row_total: string | null
  /** The number of series without the limit. */
  keys: number
  /** `YYYY-MM-DD`: the last period of the metric with samples in each period, under any labels. */
  known_to: (string | null)[]
}

// `offset 0` forces a loop over the periods, each a range of the index, so that nothing outside them is read.
export const listedPeriods = `periods as materialized (
    select listed.place, listed.first_day, listed.last_day
    from unnest($firstDays::date[], $lastDays::date[]) with ordinality as listed (first_day, last_day, place)
  )`

const inPeriod = (table: string): string =>
  `${ofMetric(table)} and ${table}.period_start >= periods.first_day and ${table}.period_start <= periods.last_day`

export const combined = (value: string, condition = ''): string =>
  `case $combine::text ${combinations.map((each) => `when '${each}' then ${each}(${value})${condition}`).join(' ')} end`

/** A value as JSON. */
const json = (value: string): string => `coalesce('"' || trim_scale(${value}) || '"', 'null')`

/** The values of a slot at some of its places. */
const listed = (condition: string): string =>
  `'[' || coalesce(string_agg(${json('placed.value')}, ',' order by placed.place) filter (where ${condition}), '') || ']'`

/** Whether a label set is included. */
export const matches = (labels: string): string => `(($where::jsonb = '{}' or not exists (
      select from jsonb_each($where::jsonb) as wanted
      where not wanted.value ? coalesce(${labels}::jsonb ->> wanted.key, '')
    )) and ($except::jsonb = '{}' or not exists (
      select from jsonb_each($except::jsonb) as unwanted
      where unwanted.value ? coalesce(${labels}::jsonb ->> unwanted.key, '')
    )))`

const isShown = (table: string): string => `${table}.place <= $shownPeriods::int4`

/** The series, the largest first. */
const listedSeries = `(
    select '[' || coalesce(string_agg('{"key":' || case when $by::text is null then 'null' else to_json(by_size.key)::text end ||
      ',"values":' || lists.listed || ',"row_total":' || lists.row_total || ',"year_before":' || lists.year_before || '}', ','
      order by by_size.slot), '') || ']'
    from lists
    join by_size on by_size.slot = lists.slot
    where lists.slot <= $seriesMax::int4 and by_size.slot <= $seriesMax::int4
  )`

/** The metric's labels with their values, independent of the request. */
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

/** The last day with a sample in each period. */
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

/** One list of values for each slot, and its year before. Sums over both years count only the places with a total in both. */
const listsOfSlots = `compared as materialized (
    select (by_slot.place - 1) % $shownPeriods::int4 as place
    from by_slot
    where by_slot.slot = 0
    group by (by_slot.place - 1) % $shownPeriods::int4
    having count(by_slot.value) = 2
  ),
  placed as materialized (
    select by_slot.slot, by_slot.place, by_slot.value, ${isShown('by_slot')} as is_shown,
      (by_slot.place - 1) % $shownPeriods::int4 in (select compared.place from compared) as is_compared
    from by_slot
  ),
  lists as materialized (
    select placed.slot, ${listed('placed.is_shown')} as listed,
      ${json(combined('placed.value', ' filter (where placed.is_shown)'))} as row_total,
      case when bool_and(placed.is_shown) then 'null' else '{"values":' || ${listed('not placed.is_shown')} || ',"row_total":' ||
        ${json(combined('placed.value', ' filter (where not placed.is_shown and placed.is_compared)'))} ||
        ',"compared_total":' ||
        ${json(combined('placed.value', ' filter (where placed.is_shown and placed.is_compared)'))} || '}' end as year_before
    from placed
    group by placed.slot
  )`

/**
 * Values by period and label, from `cells` (place, period_start, labels, value): one list for each series, all of equal
 * length, rendered as JSON here so that thousands of values do not occupy the event loop. The planner cannot estimate the
 * number of cells, so large sets are grouped and never joined: it would choose a nested loop.
 */
const inSeries = (cells: string): string => `
  with ${listedPeriods},
  cells as materialized (${cells}),
  label_sets as materialized (
    select distinct cells.labels from cells where ${isShown('cells')}
  ),
  by_key as materialized (
    select cells.place, coalesce(cells.labels::jsonb ->> $by::text, '') as key, ${combined('cells.value')} as value
    from cells
    where ${matches('cells.labels')}
    group by cells.place, coalesce(cells.labels::jsonb ->> $by::text, '')
  ),
  by_size as materialized (
    select by_key.key, row_number() over (
        order by sum(abs(by_key.value)) filter (where ${isShown('by_key')}) desc nulls last, by_key.key collate "C"
      ) as slot
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
  ${listsOfSlots}
  select totals.listed as totals, totals.row_total, totals.year_before,
    others.listed as other_values, others.row_total as other_row_total, others.year_before as other_year_before,
    (select count(*)::int4 from compared) as compared,
    (select shown.keys from shown) as keys,
    ${listedSeries} as series, ${listedLabels} as labels, ${knownTo} as known_to
  from lists as totals
  left join lists as others on others.slot = $seriesMax::int4 + 1
  where totals.slot = 0
  limit 1`

/** As known now. */
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

/** An events source as known at `$asOf`: from the contributions received until then. */
export const readEventsSeriesAsOf = defineStatement<
  SeriesRow,
  SeriesParams & { asOf: string; aggregation: Aggregation }
>(
  'reports.read-events-series-as-of',
  inSeries(`
    select periods.place, cell.period_start, cell.labels,
      ${valueSql('$aggregation::text', {
        contributions: contributionsUntil,
        distinctValues: `
        from distinct_values
        where distinct_values.company_id = cell.company_id and distinct_values.cell_id = cell.cell_id
          and distinct_values.first_received_at <= $asOf::timestamptz`,
        sum: 'walked.sum',
      })} as value
    from periods
    cross join lateral (
      select samples.company_id, samples.cell_id, samples.period_start, samples.labels
      from samples
      where ${inPeriod('samples')}
      offset 0
    ) as cell
    cross join lateral (
      select count(*) as contributions, sum(contributions.value) as sum ${contributionsUntil}
    ) as walked
    where walked.contributions > 0`),
)

/** The delivery that owned a period at `$asOf`. */
export const ownerThen = `
      select period_deliveries.receive_number, period_deliveries.received_at
      from period_deliveries
      where ${ofMetric('period_deliveries')} and period_deliveries.period_start = owned.period_start
        and period_deliveries.received_at <= $asOf::timestamptz
      order by period_deliveries.receive_number desc
      limit 1`

export const ownedPeriods = `
      select period_owners.period_start, period_owners.receive_number, period_owners.artifact_id
      from period_owners
      where ${inPeriod('period_owners')}
      offset 0`

/** The contribution of the delivery `owner` to a cell of its period; the sample's own value if it is still the owner. */
export const statedCells = `
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

/** A statements source as known at `$asOf`: the contributions of the deliveries that owned their periods then. */
export const readStatementsSeriesAsOf = defineStatement<SeriesRow, SeriesParams & { asOf: string }>(
  'reports.read-statements-series-as-of',
  inSeries(`
    select periods.place, owned.period_start, cell.labels, cell.value
    from periods
    cross join lateral (${ownedPeriods}) as owned
    cross join lateral (${ownerThen}) as owner
    cross join lateral (${statedCells}) as cell`),
)
