import { defineStatement } from '../database/define-statement.ts'
import type { DeliveryForm } from '../deliveries/delivery.ts'

/**
 * The reader's statements. Values go in and come out as text (`numeric`), arrays as binary buffers
 * (`database/binary-array.ts`). Wherever several rows are locked, the arrays are sorted, so that readers meet
 * in one order and none waits in a circle.
 */

export interface ClaimedRow {
  /** Where the backlog row lies; it stays there while it is locked. */
  position: string
  receive_number: string
  /** 0: it has not been read before. */
  fold_id: number
  company_id: string
  source_id: string
  artifact_id: string
  queued_at: Date
  /** The living folds it is to be read into, `fold:shape version` with commas; null for none. */
  folds: string | null
  /** Null, like all that follows, where the delivery is not there any more. */
  sandbox: boolean | null
  received_at: Date
  shape_version: number
  form: DeliveryForm
  /** As it is stored; null where it is long, and then it is read in parts. */
  content: Buffer | null
  stored_bytes: number
  content_encoding: 'identity' | 'zstd'
  /** Before compression. */
  content_bytes: number
  /** How many rows were taken, of which some may not have come back. */
  taken: number
}

/**
 * Takes the oldest backlog rows that nobody else has: at most $1 rows, of which as many come back as $2 bytes of
 * content hold, at least one. $3 are receive numbers to leave alone. The locks are the lease: they end with the
 * transaction, however it ends. What was just received goes first (fold 0), then what is folded anew; with $4 at 1
 * only the latter is taken, so that it gets on under load too. Content that is stored in more than $5 bytes is left out.
 *
 * Backlog, delivery and folds are seen in one snapshot; beginning a fold counts on it (`begin-fold.ts`).
 */
export const claimBacklog = defineStatement<ClaimedRow, [number, number, Buffer, 0 | 1, number]>(
  'reading.claim-backlog',
  `
  with claimed as materialized (
    select ctid, receive_number, fold_id, company_id, source_id, artifact_id, content_bytes, queued_at
    from backlog
    where fold_id >= $4::int4 and receive_number <> all ($3::int8[])
    order by fold_id, receive_number
    limit $1::int4
    for update skip locked
  ), counted as (
    select *, sum(content_bytes) over (order by fold_id, receive_number, company_id) as bytes,
      row_number() over (order by fold_id, receive_number, company_id) as place, (count(*) over ())::int4 as taken
    from claimed
  )
  select c.ctid::text as position, c.receive_number, c.fold_id, c.company_id, c.source_id, c.artifact_id, c.queued_at,
    (
      select string_agg(f.fold_id || ':' || f.shape_version, ',' order by f.fold_id)
      from folds f
      where f.company_id = c.company_id and f.source_id = c.source_id and f.state <> 'retired'
        and c.fold_id in (0, f.fold_id)
    ) as folds,
    d.sandbox, d.received_at, d.shape_version, d.form,
    case when octet_length(d.content) <= $5::int4 then d.content end as content,
    octet_length(d.content) as stored_bytes, d.content_encoding, d.content_bytes, c.taken
  from counted c
  left join deliveries d on d.company_id = c.company_id and d.artifact_id = c.artifact_id
  where c.bytes <= $2::int8 or c.place = 1
  order by c.place`,
)

/** $4 bytes of a delivery's content as it is stored, from the byte $3 on, counted from 1. */
export const readContentPart = defineStatement<{ part: Buffer }, [string, string, number, number]>(
  'reading.read-content-part',
  `
  select substring(content from $3::int4 for $4::int4) as part
  from deliveries
  where company_id = $1::uuid and artifact_id = $2::uuid`,
)

/** Puts deliveries into the backlog of further folds. */
export const queueForFolds = defineStatement<never, [Buffer, Buffer, Buffer, Buffer]>(
  'reading.queue-for-folds',
  `
  insert into backlog (receive_number, fold_id, company_id, source_id, artifact_id, content_bytes, queued_at)
  select d.receive_number, q.fold_id, d.company_id, d.source_id, d.artifact_id, d.content_bytes, q.queued_at
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::timestamptz[]) as q (company_id, artifact_id, fold_id, queued_at)
  join deliveries d on d.company_id = q.company_id and d.artifact_id = q.artifact_id
  on conflict do nothing`,
)

export interface ShapeRow {
  source_id: string
  shape_version: number
  fields: unknown
  event_time: string
  metrics: unknown
  delivers: 'events' | 'statements'
  time_zone: string
  distinct_salt: Buffer
}

/** Shape versions, with what else folding needs of their source and company. */
export const readShapes = defineStatement<ShapeRow, [Buffer, Buffer, Buffer]>(
  'reading.read-shapes',
  `
  select h.source_id, h.shape_version, h.fields, h.event_time, h.metrics, h.delivers, c.time_zone, s.distinct_salt
  from unnest($1::uuid[], $2::uuid[], $3::int4[]) as wanted (company_id, source_id, shape_version)
  join shapes h on h.company_id = wanted.company_id and h.source_id = wanted.source_id
    and h.shape_version = wanted.shape_version
  join sources s on s.company_id = h.company_id and s.source_id = h.source_id
  join companies c on c.company_id = h.company_id`,
)

/**
 * Writes down what reading deliveries found out. Only what comes back may be projected: the rest was read before,
 * by another backlog row of the same delivery. Sorted by company, source, fold, receive number.
 */
export const addReadings = defineStatement<
  { fold_id: number; receive_number: string },
  [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, string]
>(
  'reading.add-readings',
  `
  insert into readings (company_id, source_id, fold_id, receive_number, artifact_id, state, reason, rows_accepted,
    rows_refused, rows_date_alone, refusals, read_at)
  select r.company_id, r.source_id, r.fold_id, r.receive_number, r.artifact_id, r.state, r.reason, r.rows_accepted,
    r.rows_refused, r.rows_date_alone, r.refusals::jsonb, $12::timestamptz
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::int8[], $5::uuid[], $6::text[], $7::text[], $8::int4[],
    $9::int4[], $10::int4[], $11::text[]) as r (company_id, source_id, fold_id, receive_number, artifact_id, state,
    reason, rows_accepted, rows_refused, rows_date_alone, refusals)
  on conflict do nothing
  returning fold_id, receive_number`,
)

export const addContributions = defineStatement<
  never,
  [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
>(
  'reading.add-contributions',
  `
  insert into contributions (company_id, cell_id, receive_number, artifact_id, received_at, value, event_at, rows)
  select c.company_id, c.cell_id, c.receive_number, c.artifact_id, c.received_at, c.value::numeric,
    c.event_at::numeric, c.rows
  from unnest($1::uuid[], $2::uuid[], $3::int8[], $4::uuid[], $5::timestamptz[], $6::text[], $7::text[],
    $8::int4[]) as c (company_id, cell_id, receive_number, artifact_id, received_at, value, event_at, rows)`,
)

/**
 * Adds members of distinct counts and says for each cell how many were new. The first delivery that had a member
 * is kept, so that the count can be read as of an earlier moment. Sorted by cell and hash.
 */
export const addDistinctValues = defineStatement<
  { cell_id: string; added: number },
  [Buffer, Buffer, Buffer, Buffer, Buffer]
>(
  'reading.add-distinct-values',
  `
  with written as (
    insert into distinct_values (company_id, cell_id, value_hash, first_receive_number, first_received_at)
    select v.company_id, v.cell_id, v.value_hash, v.receive_number, v.received_at
    from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::int8[], $5::timestamptz[])
      as v (company_id, cell_id, value_hash, receive_number, received_at)
    on conflict (company_id, cell_id, value_hash) do update
    set first_receive_number = least(distinct_values.first_receive_number, excluded.first_receive_number),
      first_received_at = least(distinct_values.first_received_at, excluded.first_received_at)
    where excluded.first_receive_number < distinct_values.first_receive_number
      or excluded.first_received_at < distinct_values.first_received_at
    -- A row that was inserted has no earlier version.
    returning cell_id, xmax = 0 as is_new
  )
  select cell_id, (count(*) filter (where is_new))::int4 as added from written group by cell_id`,
)

/** The arrays of cells that every projection takes, sorted by cell. */
export type CellArrays = [
  companyIds: Buffer,
  cellIds: Buffer,
  sourceIds: Buffer,
  foldIds: Buffer,
  sandbox: Buffer,
  periodStarts: Buffer,
  metrics: Buffer,
  labels: Buffer,
  values: Buffer,
  eventAts: Buffer,
  valueReceiveNumbers: Buffer,
  artifactIds: Buffer,
  receiveNumbers: Buffer,
]

/** Says of how many cells there was nothing before, by company. */
export interface NewCellsRow {
  company_id: string
  cells: number
}

const writeSamples = (onConflict: string): string => `
  with written as (
  insert into samples (company_id, cell_id, source_id, fold_id, sandbox, period_start, metric, labels, value,
    event_at, value_receive_number, artifact_id, receive_number)
  select c.company_id, c.cell_id, c.source_id, c.fold_id, c.sandbox, c.period_start, c.metric, c.labels,
    c.value::numeric, c.event_at::numeric, c.value_receive_number, c.artifact_id, c.receive_number
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int4[], $5::bool[], $6::date[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::int8[], $12::uuid[], $13::int8[]) as c (company_id, cell_id, source_id, fold_id,
    sandbox, period_start, metric, labels, value, event_at, value_receive_number, artifact_id, receive_number)
  on conflict (company_id, cell_id) do update set ${onConflict}
  -- A row that was inserted has no earlier version.
  returning company_id, xmax = 0 as is_new
  )
  select company_id, count(*)::int4 as cells from written where is_new group by company_id`

const lastChanged = `
    artifact_id = case when excluded.receive_number > samples.receive_number
      then excluded.artifact_id else samples.artifact_id end,
    receive_number = greatest(samples.receive_number, excluded.receive_number)`

const isLater = `(excluded.event_at, excluded.value_receive_number) > (samples.event_at, samples.value_receive_number)`

/** How the cells of an events source take in what a batch adds (`fold.events`): any order gives the same. */
export const writeEventSamples = {
  add: defineStatement<NewCellsRow, CellArrays>(
    'reading.samples-add',
    writeSamples(`value = samples.value + excluded.value, ${lastChanged}`),
  ),
  min: defineStatement<NewCellsRow, CellArrays>(
    'reading.samples-min',
    writeSamples(`value = least(samples.value, excluded.value), ${lastChanged}`),
  ),
  max: defineStatement<NewCellsRow, CellArrays>(
    'reading.samples-max',
    writeSamples(`value = greatest(samples.value, excluded.value), ${lastChanged}`),
  ),
  last: defineStatement<NewCellsRow, CellArrays>(
    'reading.samples-last',
    writeSamples(`
    value = case when ${isLater} then excluded.value else samples.value end,
    event_at = case when ${isLater} then excluded.event_at else samples.event_at end,
    value_receive_number = case when ${isLater}
      then excluded.value_receive_number else samples.value_receive_number end,
    ${lastChanged}`),
  ),
}

/**
 * The cells of a statements source: the delivery that came last speaks. Its value is null where it does not own the
 * period. Only under the lock of the periods' owners.
 */
export const writeStatementSamples = defineStatement<NewCellsRow, CellArrays>(
  'reading.samples-replace',
  writeSamples(`
    value = excluded.value, event_at = excluded.event_at, value_receive_number = excluded.value_receive_number,
    artifact_id = excluded.artifact_id, receive_number = excluded.receive_number
  where excluded.receive_number > samples.receive_number`),
)

/** The arrays of periods, sorted by company, source, fold, sandbox flag, metric, period. */
export type PeriodArrays = [
  companyIds: Buffer,
  sourceIds: Buffer,
  foldIds: Buffer,
  sandbox: Buffer,
  metrics: Buffer,
  periodStarts: Buffer,
  receiveNumbers: Buffer,
]

export const addPeriodDeliveries = defineStatement<never, [...PeriodArrays, Buffer, Buffer]>(
  'reading.add-period-deliveries',
  `
  insert into period_deliveries (company_id, source_id, fold_id, sandbox, metric, period_start, receive_number,
    artifact_id, received_at)
  select p.company_id, p.source_id, p.fold_id, p.sandbox, p.metric, p.period_start, p.receive_number,
    p.artifact_id, p.received_at
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::bool[], $5::text[], $6::date[], $7::int8[], $8::uuid[],
    $9::timestamptz[]) as p (company_id, source_id, fold_id, sandbox, metric, period_start, receive_number,
    artifact_id, received_at)`,
)

export interface OwnerRow {
  source_id: string
  fold_id: number
  sandbox: boolean
  metric: string
  period_start: string
  receive_number: string
  deliveries: number
}

/**
 * Lets the latest delivery of a batch have its periods, unless a later one has them already; says who has them now.
 * $9 is how many deliveries of the batch touch the period. Holds the owners' locks until the transaction ends:
 * that makes one reader at a time settle a period.
 */
export const settleOwners = defineStatement<OwnerRow, [...PeriodArrays, Buffer, Buffer]>(
  'reading.settle-owners',
  `
  insert into period_owners (company_id, source_id, fold_id, sandbox, metric, period_start, receive_number,
    artifact_id, deliveries)
  select p.company_id, p.source_id, p.fold_id, p.sandbox, p.metric, p.period_start, p.receive_number,
    p.artifact_id, p.deliveries
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::bool[], $5::text[], $6::date[], $7::int8[], $8::uuid[],
    $9::int4[]) as p (company_id, source_id, fold_id, sandbox, metric, period_start, receive_number,
    artifact_id, deliveries)
  on conflict (company_id, source_id, fold_id, sandbox, metric, period_start) do update set
    deliveries = period_owners.deliveries + excluded.deliveries,
    artifact_id = case when excluded.receive_number > period_owners.receive_number
      then excluded.artifact_id else period_owners.artifact_id end,
    receive_number = greatest(period_owners.receive_number, excluded.receive_number)
  returning source_id, fold_id, sandbox, metric, period_start, receive_number, deliveries`,
)

/** Empties the cells of periods that the new owner does not mention. After `writeStatementSamples`. */
export const clearPeriods = defineStatement<never, PeriodArrays>(
  'reading.clear-periods',
  `
  update samples s set value = null, event_at = null, value_receive_number = null
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::bool[], $5::text[], $6::date[], $7::int8[])
    as p (company_id, source_id, fold_id, sandbox, metric, period_start, receive_number)
  where s.company_id = p.company_id and s.source_id = p.source_id and s.fold_id = p.fold_id
    and s.sandbox = p.sandbox and s.period_start = p.period_start and s.metric = p.metric
    and s.receive_number < p.receive_number and s.value is not null`,
)

/**
 * Ends a round: the backlog rows at $1 are gone, and the versions of the folds that were written to have grown by
 * $5 (0 or 1). Gives back the folds that still live; one that was retired meanwhile must not have been written to.
 * The folds' rows are the most wanted ones, so they are locked last. Sorted by company, source, fold.
 */
export const finishRound = defineStatement<{ fold_id: number }, [string[], Buffer, Buffer, Buffer, Buffer]>(
  'reading.finish-round',
  `
  with done as (
    delete from backlog where ctid = any ($1::tid[])
  ), locked as materialized (
    select f.company_id, f.source_id, f.fold_id, w.growth
    from unnest($2::uuid[], $3::uuid[], $4::int4[], $5::int4[]) with ordinality
      as w (company_id, source_id, fold_id, growth, place)
    join folds f on f.company_id = w.company_id and f.source_id = w.source_id and f.fold_id = w.fold_id
    where f.state <> 'retired'
    order by w.place
    for no key update of f
  )
  update folds f set samples_version = f.samples_version + l.growth
  from locked l
  where f.company_id = l.company_id and f.source_id = l.source_id and f.fold_id = l.fold_id
    and f.state <> 'retired'
  returning f.fold_id`,
)

/** How many deliveries wait, at most $1 counted, and since when the oldest does; null when there is none. */
export const measureBacklog = defineStatement<{ deliveries: number; oldest: Date | null }, [number]>(
  'reading.measure-backlog',
  `
  select
    (select count(*)::int4 from (select 1 from backlog where fold_id = 0 limit $1::int4) as counted) as deliveries,
    (select queued_at from backlog where fold_id = 0 order by receive_number limit 1) as oldest`,
)
