import { defineStatement } from '../../platform/database/define-statement.ts'
import { shownKeyCharactersMax } from '../formats/dropped-keys.ts'
import { valueSql } from '../aggregations/aggregations.ts'
import type { Remarks } from '../parsing/plan/remarks.ts'
import type { Delivers, Metric } from '../declarations/declaration.ts'

/** Where samples are read from: one projection of a source, test or production. */
export type ProjectionParams = {
  companyId: string
  sourceId: string
  projectionId: number
  sandbox: boolean
}

/** The days, and the filters: a metric, and labels as a JSON object; null for all. */
export type WindowParams = {
  from: string
  to: string
  metric: string | null
  labels: string | null
  /** With it the samples of the last day begin at this cell; null: at its first. */
  startCell: string | null
  samplesMax: number
  /** Of all samples of the answer as JSON, with a comma each. */
  bytesMax: number
}

export interface RenderedSamples {
  /** The samples of the answer as JSON, separated by commas; null if there are none. */
  samples: string | null
  truncated: boolean
  /** If it is truncated: the day of the first sample that is left out, counted from 1970-01-01, and its cell: `20528 0197…`. */
  next: string | null
}

/**
 * Samples as JSON text, rendered in the database: five columns of thousands of rows would cost the server, the driver
 * and the event loop more. `rows` selects the columns in the order of the answer, one row more than `$samplesMax`.
 *
 * Only as many samples are joined as fit into `$bytesMax`, commas included. A sample's length is known before its
 * labels are fetched (out-of-line values have their lengths in the row), so what is cut off is never read. The rows
 * stay in the order of the window functions; another `order by` would sort them again.
 */
function render(rows: string): string {
  return `
  select
    string_agg(head || labels || tail, ',') filter (where fits) as samples,
    coalesce(bool_or(not fits), false) as truncated,
    (array_agg(period_start - '1970-01-01'::date || ' ' || cell_id) filter (where not fits))[1] as next
  from (
    select head, labels, tail, period_start, cell_id, place <= $samplesMax::int4 and bytes <= $bytesMax::int4 as fits
    from (
      select head, labels, tail, period_start, cell_id, row_number() over so_far as place,
        sum(octet_length(head) + octet_length(labels) + octet_length(tail) + 1) over so_far as bytes
      from (
        select '{"metric":' || to_json(metric) || ',"period_start":"' || period_start || '","value":"' ||
            trim_scale(value) || '","labels":' as head,
          labels,
          case when $sandbox::bool then ',"sandbox":true' else ',"sandbox":false' end || ',"artifact_id":"' ||
            artifact_id || '"}' as tail,
          period_start, cell_id
        from (${rows}) as ordered
        offset 0
      ) as written
      window so_far as (rows unbounded preceding)
    ) as placed
  ) as cut`
}

const inWindow = `
      samples.company_id = $companyId::uuid and samples.source_id = $sourceId::uuid
      and samples.projection_id = $projectionId::int4 and samples.sandbox = $sandbox::bool
      and samples.period_start >= $from::date and samples.period_start < $to::date
      and ($metric::text is null or samples.metric = $metric::text)
      and ($labels::text is null or samples.labels::jsonb @> $labels::jsonb)
      and ($startCell::uuid is null or samples.period_start < $to::date - 1 or (samples.metric, samples.label_order) >= (
        select start.metric, start.label_order from samples as start
        where start.company_id = $companyId::uuid and start.cell_id = $startCell::uuid
          and start.source_id = $sourceId::uuid and start.sandbox = $sandbox::bool
      ))`

/**
 * [read.order]; labels' values compare by `label_order`. A long one is stored compressed and would be decompressed for
 * every comparison: so its beginning, which sorts like the whole and nearly always decides, is extracted once.
 */
const inOrder = `order by cells.period_start desc, cells.metric, cells.label_order_begin, cells.label_order`
const labelOrder = `samples.label_order, left(samples.label_order, 400) as label_order_begin`

/** The cells of a window in the order of the answer. As a subquery, so that only cells that are needed are computed. */
const cellsInOrder = `(
      select cells.company_id, cells.cell_id, cells.source_id, cells.projection_id, cells.sandbox, cells.metric,
        cells.period_start, cells.labels, cells.label_order, cells.label_order_begin
      from (
        select samples.company_id, samples.cell_id, samples.source_id, samples.projection_id, samples.sandbox,
          samples.metric, samples.period_start, samples.labels, ${labelOrder}
        from samples
        where ${inWindow}
      ) as cells
      ${inOrder}
    ) as cells`

/** The samples of a window [read.order], [read.window]. */
export const renderSamples = defineStatement<RenderedSamples, ProjectionParams & WindowParams>(
  'samples.render',
  render(`
    select cells.cell_id, cells.metric, cells.period_start, cells.value, cells.labels, cells.artifact_id
    from (
      select samples.cell_id, samples.metric, samples.period_start, samples.value, samples.labels, samples.artifact_id, ${labelOrder}
      from samples
      where ${inWindow}
        and samples.value is not null
    ) as cells
    ${inOrder}
    limit $samplesMax::int4 + 1`),
)

/** How a projection aggregates. */
export const readProjection = defineStatement<
  { delivers: Delivers; metrics: Metric[] },
  { companyId: string; sourceId: string; projectionId: number }
>(
  'samples.read-projection',
  `
  select shapes.delivers, shapes.metrics
  from projections
  join shapes on shapes.company_id = projections.company_id and shapes.source_id = projections.source_id
    and shapes.shape_version = projections.shape_version
  where projections.company_id = $companyId::uuid and projections.source_id = $sourceId::uuid
    and projections.projection_id = $projectionId::int4`,
)

const contributionsUntil = `
        from contributions
        where contributions.company_id = cells.company_id and contributions.cell_id = cells.cell_id and contributions.received_at <= $asOf::timestamptz`

/**
 * The samples of an events source as of an earlier instant, from what was received until `$asOf`. `$aggregations` is
 * each metric's aggregation, as JSON. A cell may have hundreds of thousands of contributions: one pass over them returns
 * its last delivery and their sum, without sorting. The subqueries of aggregations run for their own metrics only.
 */
export const renderEventsAsOf = defineStatement<
  RenderedSamples,
  ProjectionParams & WindowParams & { asOf: string; aggregations: string }
>(
  'samples.render-events-as-of',
  render(`
    select cells.cell_id, cells.metric, cells.period_start, cells.labels,
      (
        select contributions.artifact_id from contributions
        where contributions.company_id = cells.company_id and contributions.cell_id = cells.cell_id and contributions.receive_number = walked.receive_number
      ) as artifact_id,
      ${valueSql('$aggregations::jsonb ->> cells.metric', {
        contributions: contributionsUntil,
        distinctValues: `
        from distinct_values
        where distinct_values.company_id = cells.company_id and distinct_values.cell_id = cells.cell_id
          and distinct_values.first_received_at <= $asOf::timestamptz`,
        sum: 'walked.sum',
      })} as value
    from ${cellsInOrder}
    cross join lateral (
      select max(contributions.receive_number) as receive_number, sum(contributions.value) as sum ${contributionsUntil}
    ) as walked
    where walked.receive_number is not null
    ${inOrder}
    limit $samplesMax::int4 + 1`),
)

/** The samples of a statements source as of an earlier instant: the contributions of the delivery that owned the period then. */
export const renderStatementsAsOf = defineStatement<
  RenderedSamples,
  ProjectionParams & WindowParams & { asOf: string }
>(
  'samples.render-statements-as-of',
  render(`
    select cells.cell_id, cells.metric, cells.period_start, stated.value, cells.labels, stated.artifact_id
    from ${cellsInOrder}
    cross join lateral (
      select period_deliveries.receive_number from period_deliveries
      where period_deliveries.company_id = cells.company_id and period_deliveries.source_id = cells.source_id and period_deliveries.projection_id = cells.projection_id
        and period_deliveries.sandbox = cells.sandbox and period_deliveries.metric = cells.metric and period_deliveries.period_start = cells.period_start
        and period_deliveries.received_at <= $asOf::timestamptz
      order by period_deliveries.receive_number desc
      limit 1
    ) as owner
    cross join lateral (
      select contributions.value, contributions.artifact_id from contributions
      where contributions.company_id = cells.company_id and contributions.cell_id = cells.cell_id
        and contributions.receive_number = owner.receive_number
      limit 1
    ) as stated
    ${inOrder}
    limit $samplesMax::int4 + 1`),
)

export interface TracedCellRow {
  /** Null: the owner of the period does not mention the cell. */
  value: string | null
  /** Statements: the delivery that owns the period, and how many deliveries touch it; null for events. */
  owner_artifact_id: string | null
  deliveries: number | null
}

export const readCell = defineStatement<TracedCellRow, { companyId: string; cellId: string }>(
  'samples.read-cell',
  `
  select trim_scale(samples.value)::text as value, period_owners.artifact_id as owner_artifact_id,
    period_owners.deliveries
  from samples
  left join period_owners on period_owners.company_id = samples.company_id
    and period_owners.source_id = samples.source_id and period_owners.projection_id = samples.projection_id
    and period_owners.sandbox = samples.sandbox and period_owners.metric = samples.metric
    and period_owners.period_start = samples.period_start
  where samples.company_id = $companyId::uuid and samples.cell_id = $cellId::uuid`,
)

/** Above every receive number, for no bound: a condition with "or null" could not use the index. */
const last = '9223372036854775807'

export interface TracedContributionRow {
  receive_number: string
  artifact_id: string
  received_at: Date
  value: string
  rows: number
  event_at: string | null
  step: string | null
  running: string | null
}

/** The contributions to a cell, the latest first, below the receive number `$before`. */
export const readContributions = defineStatement<
  TracedContributionRow,
  {
    companyId: string
    cellId: string
    before: string | null
    limit: number
    hasSteps: boolean
    hasRunning: boolean
  }
>(
  'samples.read-contributions',
  `
  select recent.receive_number, recent.artifact_id, recent.received_at, trim_scale(recent.value)::text as value,
    recent.rows, trim_scale(recent.event_at)::text as event_at,
    case when $hasSteps::bool then trim_scale(recent.value - lead(recent.value) over latest)::text end as step,
    case when $hasRunning::bool then trim_scale(start.value -
      coalesce(sum(recent.value) over (latest rows between unbounded preceding and 1 preceding), 0))::text end as running
  from (
    select receive_number, artifact_id, received_at, value, rows, event_at
    from contributions
    where company_id = $companyId::uuid and cell_id = $cellId::uuid
      and receive_number < coalesce($before::int8, ${last})
    order by receive_number desc
    limit $limit::int4
  ) as recent
  -- The sum up to the first delivery of this page.
  cross join (
    select case when $hasRunning::bool then (
      select samples.value from samples where samples.company_id = $companyId::uuid and samples.cell_id = $cellId::uuid
    ) - (
      select coalesce(sum(contributions.value), 0)
      from contributions
      where contributions.company_id = $companyId::uuid and contributions.cell_id = $cellId::uuid
        and contributions.receive_number >= coalesce($before::int8, ${last})
    ) end as value
  ) as start
  window latest as (order by recent.receive_number desc)
  order by recent.receive_number desc
  limit $limit::int4`,
)

/** How many members of a distinct count each of these deliveries was the first to have. */
export const countFirstValues = defineStatement<
  { receive_number: string; added: number },
  { companyId: string; cellId: string; receiveNumbers: Buffer }
>(
  'samples.count-first-values',
  `
  select first_receive_number as receive_number, count(*)::int4 as added
  from distinct_values
  where company_id = $companyId::uuid and cell_id = $cellId::uuid
    and first_receive_number = any ($receiveNumbers::int8[])
  group by first_receive_number`,
)

export interface DeliveryRow {
  receive_number: string
  artifact_id: string
  source_id: string
  sandbox: boolean
  received_at: Date
  shape_version: number
  delivers: Delivers
  dropped_keys: string[]
  content_bytes: number
  /** Null, like everything below, while it is queued. */
  state: 'parsed' | 'unreadable' | null
  reason: string | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  refusals: object[] | null
  /** Null, too, for what was parsed before there were any. */
  remarks: Partial<Remarks> | null
}

const shortKeys = `array(
      select left(names.name, ${shownKeyCharactersMax})
      from unnest(deliveries.dropped_keys) with ordinality as names (name, place)
      order by names.place
    )`
// With what parsing found for the current projection.
const deliveryColumns = `deliveries.receive_number, deliveries.artifact_id, deliveries.source_id, deliveries.sandbox,
    deliveries.received_at, deliveries.shape_version, deliveries.delivers, ${shortKeys} as dropped_keys,
    deliveries.content_bytes, result.state, result.reason, result.rows_accepted, result.rows_refused,
    result.rows_date_alone`
// Lateral with a limit forces one index look-up for each delivery.
const withParseResult = `
  join sources on sources.company_id = deliveries.company_id and sources.source_id = deliveries.source_id
  left join lateral (
    select state, reason, rows_accepted, rows_refused, rows_date_alone, refusals, remarks
    from parse_results
    where parse_results.company_id = deliveries.company_id and parse_results.source_id = deliveries.source_id
      and parse_results.projection_id = sources.projection_id
      and parse_results.receive_number = deliveries.receive_number
    limit 1
  ) as result on true`

export const selectDelivery = defineStatement<DeliveryRow, { companyId: string; artifactId: string }>(
  'samples.read-delivery',
  `
  select ${deliveryColumns}, result.refusals, result.remarks
  from deliveries
  ${withParseResult}
  where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = $artifactId::uuid`,
)

export interface ReadableSourceRow {
  source_id: string
  name: string
  delivers: Delivers
  shape_version: number
  paused: boolean
}

/** The sources that a connection may name: its own, or all of the company if it is bound to none; on request only those that take pushes. */
export const readSources = defineStatement<
  ReadableSourceRow,
  {
    companyId: string
    boundSourceId: string | null
    pushOnly: boolean
    after: string | null
    limit: number
  }
>(
  'samples.read-sources',
  `
  select sources.source_id, sources.name, shapes.delivers, sources.shape_version,
    sources.paused_at is not null as paused
  from sources
  join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
    and shapes.shape_version = sources.shape_version
  where sources.company_id = $companyId::uuid
    and ($boundSourceId::uuid is null or sources.source_id = $boundSourceId::uuid)
    and (not $pushOnly::bool or sources.channel = 'push')
    and ($after::uuid is null or sources.source_id > $after::uuid)
  order by sources.source_id
  limit $limit::int4`,
)
