import type { Format } from '../../../engine/formats/formats.ts'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import { valueSql, type Aggregation } from '../../../engine/aggregations/aggregations.ts'
import type { Delivers, Field, Metric } from '../../../engine/declarations/declaration.ts'
import { withParseResult } from '../queries.ts'

export interface StoredDeliveryRow {
  receive_number: string
  source_id: string
  sandbox: boolean
  format: Format
  shape_version: number
  projection_id: number
  content_encoding: 'identity' | 'zstd'
  content_bytes: number
  stored_bytes: number
  state: 'parsed' | 'unreadable' | null
  rows_refused: number | null
  refusals: object[] | null
  /** In the version that it is parsed under. */
  fields: Field[]
  event_time: string
  /** In the current version. */
  current_fields: Field[]
  /** In the version of the current projection. */
  projection_event_time: string
  metrics: Metric[]
  delivers: Delivers
  time_zone: string
  distinct_salt: Buffer
}

/** What is needed to read a delivery's content, without the content itself. */
export const selectStoredDelivery = defineStatement<
  StoredDeliveryRow,
  { companyId: string; artifactId: string }
>(
  'delivery-log.select-stored',
  `
  select deliveries.receive_number, deliveries.source_id, deliveries.sandbox, deliveries.format,
    deliveries.shape_version, sources.projection_id, deliveries.content_encoding, deliveries.content_bytes,
    octet_length(deliveries.content) as stored_bytes, result.state, result.rows_refused, result.refusals,
    own.fields, own.event_time, current_shape.fields as current_fields, projected.event_time as projection_event_time,
    projected.metrics, projected.delivers, companies.time_zone, sources.distinct_salt
  from deliveries
  ${withParseResult}
  join companies on companies.company_id = deliveries.company_id
  join shapes own on own.company_id = deliveries.company_id and own.source_id = deliveries.source_id
    and own.shape_version = deliveries.shape_version
  join shapes current_shape on current_shape.company_id = sources.company_id
    and current_shape.source_id = sources.source_id and current_shape.shape_version = sources.shape_version
  join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  join shapes projected on projected.company_id = projections.company_id and projected.source_id = projections.source_id
    and projected.shape_version = projections.shape_version
  where deliveries.company_id = $companyId::uuid and deliveries.artifact_id = $artifactId::uuid`,
)

export interface CellChangeRow {
  /** From 1, in the order of the request. */
  place: string
  before: string | null
  gave: string
  rows: number
  after: string
  superseded: boolean
}

/** The delivery's own contribution to a cell. Lateral with a limit: one index lookup under any plan. */
const ownContribution = `
    select contributions.value, contributions.rows
    from contributions
    where contributions.company_id = $companyId::uuid and contributions.cell_id = requested.cell_id
      and contributions.receive_number = $receiveNumber::int8
    limit 1`

/** The delivery that owned a period before. */
const ownerBefore = `
      select period_deliveries.receive_number
      from period_deliveries
      where period_deliveries.company_id = $companyId::uuid and period_deliveries.source_id = $sourceId::uuid
        and period_deliveries.projection_id = $projectionId::int4 and period_deliveries.sandbox = $sandbox::bool
        and period_deliveries.metric = requested.metric and period_deliveries.period_start = requested.period_start
        and period_deliveries.receive_number < $receiveNumber::int8
      order by period_deliveries.receive_number desc
      limit 1`

/** The value of an events cell from the deliveries whose receive numbers are `comparison` (an operator) the delivery's. */
const valueOfDeliveries = (comparison: '<' | '<=', sum: string): string =>
  valueSql('requested.aggregation', {
    contributions: `
          from contributions
          where contributions.company_id = $companyId::uuid and contributions.cell_id = requested.cell_id
            and contributions.receive_number ${comparison} $receiveNumber::int8`,
    distinctValues: `
          from distinct_values
          where distinct_values.company_id = $companyId::uuid and distinct_values.cell_id = requested.cell_id
            and distinct_values.first_receive_number ${comparison} $receiveNumber::int8`,
    sum,
  })

const sumBefore = `(
          select sum(contributions.value) from contributions
          where contributions.company_id = $companyId::uuid and contributions.cell_id = requested.cell_id
            and contributions.receive_number < $receiveNumber::int8
        )`

/**
 * What a delivery changed of some cells of an events source, each with its metric's aggregation: values come from the
 * cell's contributions in the order of receipt, so they read as an `as_of` between two deliveries does.
 */
export const selectEventChanges = defineStatement<
  CellChangeRow,
  { companyId: string; receiveNumber: string; cellIds: Buffer; aggregations: Aggregation[] }
>(
  'delivery-log.select-event-changes',
  `
  select requested.place, trim_scale(earlier.value)::text as before, trim_scale(own.value)::text as gave, own.rows,
    trim_scale(${valueOfDeliveries('<=', 'coalesce(earlier.value, 0) + own.value')})::text as after, false as superseded
  from unnest($cellIds::uuid[], $aggregations::text[]) with ordinality as requested (cell_id, aggregation, place)
  cross join lateral (${ownContribution}
  ) as own
  cross join lateral (
    select ${valueOfDeliveries('<', sumBefore)} as value
    offset 0
  ) as earlier
  order by requested.place`,
)

type StatementParams = {
  companyId: string
  sourceId: string
  projectionId: number
  sandbox: boolean
  receiveNumber: string
  metrics: string[]
  periodStarts: string[]
}

/** The same for a statements source, whose value before is that of the period's previous owner. */
export const selectStatementChanges = defineStatement<CellChangeRow, StatementParams & { cellIds: Buffer }>(
  'delivery-log.select-statement-changes',
  `
  select requested.place, trim_scale(stated.value)::text as before, trim_scale(own.value)::text as gave, own.rows,
    trim_scale(own.value)::text as after,
    exists (
      select from period_deliveries as later
      where later.company_id = $companyId::uuid and later.source_id = $sourceId::uuid
        and later.projection_id = $projectionId::int4 and later.sandbox = $sandbox::bool
        and later.metric = requested.metric and later.period_start = requested.period_start
        and later.receive_number > $receiveNumber::int8
    ) as superseded
  from unnest($cellIds::uuid[], $metrics::text[], $periodStarts::date[]) with ordinality
    as requested (cell_id, metric, period_start, place)
  cross join lateral (${ownContribution}
  ) as own
  left join lateral (
    select contributions.value
    from (${ownerBefore}
    ) as owner
    join contributions on contributions.company_id = $companyId::uuid and contributions.cell_id = requested.cell_id
      and contributions.receive_number = owner.receive_number
    limit 1
  ) as stated on true
  order by requested.place`,
)

/** Cells of a statement's periods that are searched for those that it removed. */
export const removedExaminedMax = 20_000

export interface RemovedCellRow {
  /** How many there are. */
  removed: number
  /** Null, like the following, in the only row of an empty page. */
  metric: string | null
  period_start: string
  labels: string
  before: string
}

/**
 * The cells that a statement removed: the previous owner of their period contributed to them, and this delivery does not.
 * Newest period first, then by metric and labels, one page after `$offset`.
 */
export const selectRemovedCells = defineStatement<
  RemovedCellRow,
  StatementParams & { offset: number; limit: number }
>(
  'delivery-log.select-removed-cells',
  `
  with removed as materialized (
    select cells.metric, cells.period_start, cells.labels, stated.value
    from (
      select requested.metric, requested.period_start, owner.receive_number, of_period.cell_id, of_period.labels
      from unnest($metrics::text[], $periodStarts::date[]) as requested (metric, period_start)
      cross join lateral (${ownerBefore}
      ) as owner
      cross join lateral (
        select samples.cell_id, samples.labels
        from samples
        where samples.company_id = $companyId::uuid and samples.source_id = $sourceId::uuid
          and samples.projection_id = $projectionId::int4 and samples.sandbox = $sandbox::bool
          and samples.period_start = requested.period_start and samples.metric = requested.metric
        limit ${removedExaminedMax}
      ) as of_period
      limit ${removedExaminedMax}
    ) as cells
    cross join lateral (
      select contributions.value
      from contributions
      where contributions.company_id = $companyId::uuid and contributions.cell_id = cells.cell_id
        and contributions.receive_number = cells.receive_number
      limit 1
    ) as stated
    left join lateral (
      select true as is_stated
      from contributions
      where contributions.company_id = $companyId::uuid and contributions.cell_id = cells.cell_id
        and contributions.receive_number = $receiveNumber::int8
      limit 1
    ) as own on true
    where own.is_stated is null
  )
  select counted.removed, page.metric, page.period_start::text as period_start, page.labels,
    trim_scale(page.value)::text as before
  from (select count(*)::int4 as removed from removed) as counted
  left join (
    select removed.metric, removed.period_start, removed.labels, removed.value
    from removed
    order by removed.period_start desc, removed.metric, removed.labels
    offset $offset::int4
    limit $limit::int4
  ) as page on true
  order by page.period_start desc, page.metric, page.labels
  limit $limit::int4 + 1`,
)
