import { defineStatement } from '../../../platform/database/define-statement.ts'
import { selectsFromTable } from '../../../platform/database/schemas.ts'
import { cellRules } from '../../aggregations/aggregations.ts'

/**
 * What projecting writes: contributions, distinct values, samples and periods. Values go in and come out as text
 * (`numeric`), arrays as binary buffers (`database/binary-array.ts`). Arrays of rows to lock are sorted: all workers
 * lock in the same order, so they cannot deadlock.
 */

export type ContributionArrays = Record<
  | 'companyIds'
  | 'cellIds'
  | 'receiveNumbers'
  | 'artifactIds'
  | 'receivedAts'
  | 'values'
  | 'eventAts'
  | 'rowCounts',
  Buffer
>

export const addContributions = defineStatement<never, ContributionArrays>(
  'parsing.add-contributions',
  `
  insert into contributions (company_id, cell_id, receive_number, artifact_id, received_at, value, event_at, rows)
  select said.company_id, said.cell_id, said.receive_number, said.artifact_id, said.received_at, said.value::numeric,
    said.event_at::numeric, said.rows
  from unnest($companyIds::uuid[], $cellIds::uuid[], $receiveNumbers::int8[], $artifactIds::uuid[],
    $receivedAts::timestamptz[], $values::text[], $eventAts::text[], $rowCounts::int4[])
    as said (company_id, cell_id, receive_number, artifact_id, received_at, value, event_at, rows)
  where ${selectsFromTable}`,
)

/** Sorted by cell and hash. */
export type DistinctValueArrays = Record<
  'companyIds' | 'cellIds' | 'valueHashes' | 'receiveNumbers' | 'receivedAts',
  Buffer
>

/**
 * Adds members of distinct counts and returns the cell of each new one; null for one that was there. The first delivery that
 * had a member is stored, so that the count can be read as of an earlier moment.
 */
export const addDistinctValues = defineStatement<{ cell_id: string | null }, DistinctValueArrays>(
  'parsing.add-distinct-values',
  `
  insert into distinct_values (company_id, cell_id, value_hash, first_receive_number, first_received_at)
  select member.company_id, member.cell_id, member.value_hash, member.receive_number, member.received_at
  from unnest($companyIds::uuid[], $cellIds::uuid[], $valueHashes::bytea[], $receiveNumbers::int8[],
    $receivedAts::timestamptz[]) as member (company_id, cell_id, value_hash, receive_number, received_at)
  where ${selectsFromTable}
  on conflict (company_id, cell_id, value_hash) do update
  set first_receive_number = least(distinct_values.first_receive_number, excluded.first_receive_number),
    first_received_at = least(distinct_values.first_received_at, excluded.first_received_at)
  where excluded.first_receive_number < distinct_values.first_receive_number
    or excluded.first_received_at < distinct_values.first_received_at
  -- An inserted row has no earlier version.
  returning case when xmax = 0 then cell_id end as cell_id`,
)

/** Cells, sorted by their ids. */
export type CellArrays = Record<
  | 'companyIds'
  | 'cellIds'
  | 'sourceIds'
  | 'projectionIds'
  | 'sandbox'
  | 'periodStarts'
  | 'metrics'
  | 'labels'
  | 'values'
  | 'eventAts'
  | 'valueReceiveNumbers'
  | 'artifactIds'
  | 'receiveNumbers',
  Buffer
>

/** A statement that writes cells and returns the company of each new one; null for one that was there. */
function writeSamples(onConflict: string): string {
  return `
  insert into samples (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value,
    event_at, value_receive_number, artifact_id, receive_number)
  select cell.company_id, cell.cell_id, cell.source_id, cell.projection_id, cell.sandbox, cell.period_start, cell.metric,
    cell.labels, cell.value::numeric, cell.event_at::numeric, cell.value_receive_number, cell.artifact_id,
    cell.receive_number
  from unnest($companyIds::uuid[], $cellIds::uuid[], $sourceIds::uuid[], $projectionIds::int4[], $sandbox::bool[],
    $periodStarts::date[], $metrics::text[], $labels::text[], $values::text[], $eventAts::text[],
    $valueReceiveNumbers::int8[], $artifactIds::uuid[], $receiveNumbers::int8[])
    as cell (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value, event_at,
    value_receive_number, artifact_id, receive_number)
  where ${selectsFromTable}
  on conflict (company_id, cell_id) do update set ${onConflict}
  -- An inserted row has no earlier version.
  returning case when xmax = 0 then company_id end as company_id`
}

/** A cell that was written. */
export interface WrittenCell {
  /** Null if the cell is not new. */
  company_id: string | null
}

const lastChanged = `
    artifact_id = case when excluded.receive_number > samples.receive_number
      then excluded.artifact_id else samples.artifact_id end,
    receive_number = greatest(samples.receive_number, excluded.receive_number)`

/** How a batch is merged into the cells of an events source, by rule [fold.events]; the order does not matter. */
export const writeEventSamples = new Map(
  cellRules.map((rule) => [
    rule,
    defineStatement<WrittenCell, CellArrays>(
      `parsing.write-${rule.name}-samples`,
      writeSamples(`${rule.update}, ${lastChanged}`),
    ),
  ]),
)

/**
 * The cells of a statements source: the latest delivery decides. Its value is null if it does not own the period. To be
 * run only while holding the locks of the periods' owners.
 */
export const writeStatementSamples = defineStatement<WrittenCell, CellArrays>(
  'parsing.replace-samples',
  writeSamples(`
    value = excluded.value, event_at = excluded.event_at, value_receive_number = excluded.value_receive_number,
    artifact_id = excluded.artifact_id, receive_number = excluded.receive_number
  where excluded.receive_number > samples.receive_number`),
)

/** Periods, sorted by company, source, projection, sandbox flag, metric, period. */
export type PeriodArrays = Record<
  'companyIds' | 'sourceIds' | 'projectionIds' | 'sandbox' | 'metrics' | 'periodStarts' | 'receiveNumbers',
  Buffer
>

export const addPeriodDeliveries = defineStatement<
  never,
  PeriodArrays & { artifactIds: Buffer; receivedAts: Buffer }
>(
  'parsing.add-period-deliveries',
  `
  insert into period_deliveries (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number,
    artifact_id, received_at)
  select touched.company_id, touched.source_id, touched.projection_id, touched.sandbox, touched.metric,
    touched.period_start, touched.receive_number, touched.artifact_id, touched.received_at
  from unnest($companyIds::uuid[], $sourceIds::uuid[], $projectionIds::int4[], $sandbox::bool[], $metrics::text[],
    $periodStarts::date[], $receiveNumbers::int8[], $artifactIds::uuid[], $receivedAts::timestamptz[])
    as touched (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number, artifact_id,
    received_at)
  where ${selectsFromTable}`,
)

export interface OwnerRow {
  source_id: string
  projection_id: number
  sandbox: boolean
  metric: string
  period_start: string
  receive_number: string
  deliveries: number
}

/**
 * Gives periods to the latest delivery of a batch that touches them, unless a later one owns them already; returns
 * their owners. `$deliveryCounts` is how many deliveries of the batch touch each. The owners' locks are held until the
 * transaction ends, so one worker at a time settles a period.
 */
export const settleOwners = defineStatement<
  OwnerRow,
  PeriodArrays & { artifactIds: Buffer; deliveryCounts: Buffer }
>(
  'parsing.settle-owners',
  `
  insert into period_owners (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number,
    artifact_id, deliveries)
  select latest.company_id, latest.source_id, latest.projection_id, latest.sandbox, latest.metric, latest.period_start,
    latest.receive_number, latest.artifact_id, latest.deliveries
  from unnest($companyIds::uuid[], $sourceIds::uuid[], $projectionIds::int4[], $sandbox::bool[], $metrics::text[],
    $periodStarts::date[], $receiveNumbers::int8[], $artifactIds::uuid[], $deliveryCounts::int4[])
    as latest (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number, artifact_id,
    deliveries)
  where ${selectsFromTable}
  on conflict (company_id, source_id, projection_id, sandbox, metric, period_start) do update set
    deliveries = period_owners.deliveries + excluded.deliveries,
    artifact_id = case when excluded.receive_number > period_owners.receive_number
      then excluded.artifact_id else period_owners.artifact_id end,
    receive_number = greatest(period_owners.receive_number, excluded.receive_number)
  returning source_id, projection_id, sandbox, metric, period_start, receive_number, deliveries`,
)

/** Empties cells that their period's new owner does not mention. To be run after `writeStatementSamples`. */
export const clearPeriods = defineStatement<never, PeriodArrays>(
  'parsing.clear-periods',
  `
  update samples set value = null, event_at = null, value_receive_number = null
  from unnest($companyIds::uuid[], $sourceIds::uuid[], $projectionIds::int4[], $sandbox::bool[], $metrics::text[],
    $periodStarts::date[], $receiveNumbers::int8[])
    as taken (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number)
  where samples.company_id = taken.company_id and samples.source_id = taken.source_id
    and samples.projection_id = taken.projection_id and samples.sandbox = taken.sandbox
    and samples.period_start = taken.period_start and samples.metric = taken.metric
    and samples.receive_number < taken.receive_number and samples.value is not null`,
)
