import { defineStatement } from '../../database/define-statement.ts'
import type { DeliveryFormat } from '../../deliveries/intake/delivery.ts'
import { companyTurns } from '../../backlog/company-turns.ts'

/**
 * The reader's statements. Values go in and come out as text (`numeric`), arrays as binary buffers
 * (`database/binary-array.ts`). Wherever several rows are locked, the arrays are sorted, so that workers meet
 * in one order and none deadlock.
 */

/** What a backlog row is found by, whatever lane it is in. */
export interface BacklogKey {
  company_id: string
  receive_number: string
  /** Null for all active projections, which is 0 in the table: what nearly every row has costs least. */
  projection_id: number | null
}

export interface ClaimedRow extends BacklogKey {
  /** Where the backlog row lies; it stays there while it is locked. */
  position: string
  source_id: string
  artifact_id: string
  /** How often it was tried, this time counted where that was written down before; null for never. */
  attempts: number | null
  /** The active projections it is to be read into, `projection:shape version` with commas; null for none. */
  projections: string | null
  /** Null, like all that follows, where the delivery is not there any more. */
  sandbox: boolean | null
  received_at: Date
  shape_version: number
  format: DeliveryFormat
  /** As it is stored; null where it is long, and then it is read in parts. */
  content: Buffer | null
  stored_bytes: number
  content_encoding: 'identity' | 'zstd'
  /** Before compression. */
  content_bytes: number
}

/** The parameters of a claim. */
export type ClaimParams = [
  lane: number,
  afterCompany: string,
  companiesMax: number,
  rowsMax: number,
  bytesMax: number,
  companiesLeftAlone: Buffer,
]

/** The one row of a claim that took nothing. */
export interface NothingClaimed {
  company_id: null
  /** There are companies in the lane: others have locked all that the search came to. */
  is_locked: boolean
  /** The last company of a search that ended at its bound; null where it has been at all of them. */
  searched_to: string | null
}

/**
 * Takes a lane's oldest rows that nobody else has, of each company its share: at most $4 rows, of which as many come back
 * as $5 bytes of content hold, at least one, each company's first before any one's second. The companies $6 are left
 * out, and do not count as searched. Where there is nothing to take, one row says so (`NothingClaimed`). The locks are the lease: they end with the transaction, however it ends.
 */
const claim = `
  with recursive ${companyTurns('backlog', 'b.lane = $1::int2', 'b.lane, b.company_id', '$6')}, claimed as materialized (
    select t.turn, b.*
    from turns t
    cross join lateral (
      select b.ctid, b.receive_number, b.projection_id, b.company_id, b.source_id, b.artifact_id, b.content_bytes, b.attempts
      from backlog b
      where b.lane = $1::int2 and b.company_id = t.company_id
      order by b.lane, b.company_id, b.receive_number, b.projection_id
      limit (select greatest(1, $4::int4 / greatest(1, max(turn))) from turns)
      for update skip locked
    ) b
    where t.turn > 0 and t.company_id <> all ($6::uuid[])
  ), placed as (
    select *, row_number() over (partition by turn order by receive_number, projection_id) as place from claimed
  ), counted as (
    select *, sum(content_bytes) over so_far - content_bytes as bytes_before from placed
    window so_far as (order by place, turn rows unbounded preceding)
  ), fitting as (
    select *, bytes_before + content_bytes <= $5::int8 or bytes_before = 0 as fits from counted
  )`

/** `NothingClaimed`, where the claimed row `c` is none. */
const nothingClaimed = `
    case when c.turn is null then (select max(turn) > 0 from turns) end as is_locked,
    case when c.turn is null then (
      select t.company_id from turns t where t.turn = $3::int4 and t.company_id <> all ($6::uuid[])
    ) end as searched_to`

/** What is read of a claimed row `c`; content that is stored in more than that many bytes is left out. */
const details = (bytesMax: string): string => `
    c.ctid::text as position, c.receive_number, nullif(c.projection_id, 0) as projection_id, c.company_id, c.source_id,
    c.artifact_id, nullif(c.attempts, 0) as attempts,
    (
      select string_agg(f.projection_id || ':' || f.shape_version, ',' order by f.projection_id)
      from projections f
      where f.company_id = c.company_id and f.source_id = c.source_id and f.state <> 'retired'
        and c.projection_id in (0, f.projection_id)
    ) as projections,
    d.sandbox, d.received_at, d.shape_version, d.format,
    case when octet_length(d.content) <= ${bytesMax} then d.content end as content,
    octet_length(d.content) as stored_bytes, d.content_encoding, d.content_bytes`

const ofDelivery = `
  left join deliveries d on d.company_id = c.company_id and d.artifact_id = c.artifact_id`

/**
 * Claims backlog of a lane (`claim`), to be read in the same transaction. Content that is stored in more than $7 bytes is
 * left out.
 *
 * Backlog, delivery and projections are seen in one snapshot; beginning a projection counts on it (`begin-projection.ts`).
 */
export const claimBacklog = defineStatement<ClaimedRow | NothingClaimed, [...ClaimParams, number]>(
  'parsing.claim-backlog',
  `${claim}
  select ${details('$7::int4')}, ${nothingClaimed}
  from (select) as one
  left join (fitting c ${ofDelivery}) on c.fits
  order by c.place, c.turn`,
)

/**
 * Claims rows of a lane, at most $4 of the companies from $2 to $3 in their order; content as `claimBacklog`. Setting it up
 * costs half as much, so it takes what came while nothing waited.
 */
export const claimFirst = defineStatement<ClaimedRow, [number, string, string, number, number]>(
  'parsing.claim-first',
  `
  with claimed as materialized (
    select b.ctid, b.receive_number, b.projection_id, b.company_id, b.source_id, b.artifact_id, b.attempts
    from backlog b
    where b.lane = $1::int2 and b.company_id between $2::uuid and $3::uuid
    order by b.lane, b.company_id, b.receive_number, b.projection_id
    limit $4::int4
    for update skip locked
  )
  select ${details('$5::int4')}
  from claimed c ${ofDelivery}
  order by c.company_id, c.receive_number, c.projection_id`,
)

/** Pause before a further attempt, after `attempts` of them: twice as long each time. */
const pause = (attempts: string, pauseMs: string, pauseMsMax: string): string =>
  `least(${pauseMsMax}, ${pauseMs} * 2 ^ least(${attempts}, 30)) * interval '1 millisecond'`

const anAttempt = (at: string, pauseMs: string, pauseMsMax: string): string => `
    attempts = least(b.attempts, 9999) + 1, not_before = ${at} + ${pause('b.attempts', pauseMs, pauseMsMax)}`

/**
 * Claims backlog of a lane (`claim`) and writes down that it is tried, at the instant $7 with pauses from $8 up to $9 ms: by
 * itself, before it is read. So a delivery that ends its reader, its process or its machine is known by it, and others go
 * first until its pause is over. Only who can lock the rows again has them (`takeMarked`).
 */
export const markBacklog = defineStatement<
  BacklogKey | NothingClaimed,
  [...ClaimParams, string, number, number]
>(
  'parsing.mark-backlog',
  `${claim}, marked as (
    update backlog b set ${anAttempt('$7::timestamptz', '$8::int4', '$9::int4')}
    from fitting c
    where b.ctid = c.ctid and c.fits
    returning b.company_id, b.receive_number, b.projection_id, c.place, c.turn
  )
  select c.company_id, c.receive_number, c.projection_id, ${nothingClaimed}
  from (select) as one
  left join marked c on true
  order by c.place, c.turn`,
)

const retry = (when: string): string => `
        select * from (
          select b.ctid
          from backlog b
          where b.not_before is not null and b.company_id = t.company_id and ${when}
          order by b.company_id, b.not_before, b.receive_number
          limit 1
          for update skip locked
        ) of_company`

/**
 * Marks one row that was tried before and whose pause is over at the instant $1, of the next company behind $2 that has
 * one. A pause that ends more than $5 ms from now was written by a clock that was wrong: it counts as over.
 */
export const markRetry = defineStatement<BacklogKey, [string, string, number, number, number]>(
  'parsing.mark-retry',
  `
  with recursive ${companyTurns('backlog', 'b.not_before is not null', 'b.company_id')}, due as materialized (
    select d.ctid
    from turns t
    cross join lateral (
      ${retry('b.not_before <= $1::timestamptz')}
      union all
      ${retry(`b.not_before > $1::timestamptz + $5::int4 * interval '1 millisecond'`)}
      limit 1
    ) d
    where t.turn > 0
    limit 1
  )
  update backlog b set ${anAttempt('$1::timestamptz', '$4::int4', '$5::int4')}
  from due
  where b.ctid = due.ctid
  returning b.company_id, b.receive_number, b.projection_id`,
)

/**
 * Takes marked rows, in the order given, to be read in the same transaction; not those that somebody else has read by now.
 * It waits for rows that are locked: a claim that began before they were marked may have come upon them, and lets them go.
 */
export const takeMarked = defineStatement<ClaimedRow, [Buffer, Buffer, Buffer, number]>(
  'parsing.take-marked',
  `
  with claimed as materialized (
    select b.ctid, b.receive_number, b.projection_id, b.company_id, b.source_id, b.artifact_id, b.attempts, k.place
    from unnest($1::uuid[], $2::int8[], $3::int4[]) with ordinality as k (company_id, receive_number, projection_id, place)
    join backlog b on b.lane = 4 and b.company_id = k.company_id and b.receive_number = k.receive_number
      and b.projection_id = k.projection_id
    order by k.place
    for update of b
  )
  select ${details('$4::int4')}
  from claimed c ${ofDelivery}
  order by c.place`,
)

/** Of rows by their keys, those that nobody reads right now: a batch that failed may have been taken by another worker. */
const ofKeys = (set: string): string => `
  with found as materialized (
    select b.ctid
    from unnest($1::uuid[], $2::int8[], $3::int4[]) as k (company_id, receive_number, projection_id)
    cross join unnest('{0,1,2,3,4}'::int2[]) as l (lane)
    join backlog b on b.lane = l.lane and b.company_id = k.company_id and b.receive_number = k.receive_number
      and b.projection_id = k.projection_id
    for update of b skip locked
  )
  update backlog b set ${set} from found where b.ctid = found.ctid`

/** Writes down that an attempt to read rows failed, at the instant $4, with pauses from $5 up to $6 ms. */
export const addAttempt = defineStatement<never, [Buffer, Buffer, Buffer, string, number, number]>(
  'parsing.add-attempt',
  ofKeys(anAttempt('$4::timestamptz', '$5::int4', '$6::int4')),
)

/** Lets rows be tried one by one from the instant $4 on; $5 is 1 where the attempt that failed was counted. */
export const takeApart = defineStatement<never, [Buffer, Buffer, Buffer, string, 0 | 1]>(
  'parsing.take-apart',
  ofKeys(`attempts = greatest(0, b.attempts - $5::int2), not_before = $4::timestamptz`),
)

/** Puts rows that were marked for the first time back to where they were: they have not been tried after all. */
export const giveBack = defineStatement<never, [Buffer, Buffer, Buffer]>(
  'parsing.give-back',
  ofKeys('attempts = 0, not_before = null'),
)

/** $4 bytes of a delivery's content as it is stored, from the byte $3 on, counted from 1. */
export const readContentPart = defineStatement<{ part: Buffer }, [string, string, number, number]>(
  'parsing.read-content-part',
  `
  select substring(content from $3::int4 for $4::int4) as part
  from deliveries
  where company_id = $1::uuid and artifact_id = $2::uuid`,
)

/** Puts the deliveries of the claimed backlog rows at $1 into the backlog of further projections. */
export const queueForProjections = defineStatement<never, [string[], Buffer]>(
  'parsing.queue-for-projections',
  `
  insert into backlog (receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at)
  select b.receive_number, q.projection_id, b.company_id, b.source_id, b.artifact_id, b.content_bytes, b.queued_at
  from unnest($1::tid[], $2::int4[]) as q (position, projection_id)
  join backlog b on b.ctid = q.position
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

/** Shape versions, with what else aggregating needs of their source and company. */
export const readShapes = defineStatement<ShapeRow, [Buffer, Buffer, Buffer]>(
  'parsing.read-shapes',
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
 * by another backlog row of the same delivery. Sorted by company, source, projection, receive number.
 */
export const addParseResults = defineStatement<
  { projection_id: number; receive_number: string },
  [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, string]
>(
  'parsing.add-parse-results',
  `
  insert into parse_results (company_id, source_id, projection_id, receive_number, artifact_id, state, reason, rows_accepted,
    rows_refused, rows_date_alone, refusals, read_at)
  select r.company_id, r.source_id, r.projection_id, r.receive_number, r.artifact_id, r.state, r.reason, r.rows_accepted,
    r.rows_refused, r.rows_date_alone, r.refusals::jsonb, $12::timestamptz
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::int8[], $5::uuid[], $6::text[], $7::text[], $8::int4[],
    $9::int4[], $10::int4[], $11::text[]) as r (company_id, source_id, projection_id, receive_number, artifact_id, state,
    reason, rows_accepted, rows_refused, rows_date_alone, refusals)
  on conflict do nothing
  returning projection_id, receive_number`,
)

export const addContributions = defineStatement<
  never,
  [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
>(
  'parsing.add-contributions',
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
  'parsing.add-distinct-values',
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
  projectionIds: Buffer,
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

/** Says for each company how many of the cells there were not before. */
const writeSamples = (onConflict: string): string => `
  with written as (
  insert into samples (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value,
    event_at, value_receive_number, artifact_id, receive_number)
  select c.company_id, c.cell_id, c.source_id, c.projection_id, c.sandbox, c.period_start, c.metric, c.labels,
    c.value::numeric, c.event_at::numeric, c.value_receive_number, c.artifact_id, c.receive_number
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::int4[], $5::bool[], $6::date[], $7::text[], $8::text[],
    $9::text[], $10::text[], $11::int8[], $12::uuid[], $13::int8[]) as c (company_id, cell_id, source_id, projection_id,
    sandbox, period_start, metric, labels, value, event_at, value_receive_number, artifact_id, receive_number)
  on conflict (company_id, cell_id) do update set ${onConflict}
  -- A row that was inserted has no earlier version.
  returning company_id, xmax = 0 as is_new
  )
  select company_id, count(*)::int4 as added from written where is_new group by company_id`

/** Cells that were not there before, of one company. */
export interface AddedCells {
  company_id: string
  added: number
}

const lastChanged = `
    artifact_id = case when excluded.receive_number > samples.receive_number
      then excluded.artifact_id else samples.artifact_id end,
    receive_number = greatest(samples.receive_number, excluded.receive_number)`

const isLater = `(excluded.event_at, excluded.value_receive_number) > (samples.event_at, samples.value_receive_number)`

/** How the cells of an events source take in what a batch adds [fold.events]: any order gives the same. */
export const writeEventSamples = {
  add: defineStatement<AddedCells, CellArrays>(
    'parsing.samples-add',
    writeSamples(`value = samples.value + excluded.value, ${lastChanged}`),
  ),
  min: defineStatement<AddedCells, CellArrays>(
    'parsing.samples-min',
    writeSamples(`value = least(samples.value, excluded.value), ${lastChanged}`),
  ),
  max: defineStatement<AddedCells, CellArrays>(
    'parsing.samples-max',
    writeSamples(`value = greatest(samples.value, excluded.value), ${lastChanged}`),
  ),
  last: defineStatement<AddedCells, CellArrays>(
    'parsing.samples-last',
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
export const writeStatementSamples = defineStatement<AddedCells, CellArrays>(
  'parsing.samples-replace',
  writeSamples(`
    value = excluded.value, event_at = excluded.event_at, value_receive_number = excluded.value_receive_number,
    artifact_id = excluded.artifact_id, receive_number = excluded.receive_number
  where excluded.receive_number > samples.receive_number`),
)

/** The arrays of periods, sorted by company, source, projection, sandbox flag, metric, period. */
export type PeriodArrays = [
  companyIds: Buffer,
  sourceIds: Buffer,
  projectionIds: Buffer,
  sandbox: Buffer,
  metrics: Buffer,
  periodStarts: Buffer,
  receiveNumbers: Buffer,
]

export const addPeriodDeliveries = defineStatement<never, [...PeriodArrays, Buffer, Buffer]>(
  'parsing.add-period-deliveries',
  `
  insert into period_deliveries (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number,
    artifact_id, received_at)
  select p.company_id, p.source_id, p.projection_id, p.sandbox, p.metric, p.period_start, p.receive_number,
    p.artifact_id, p.received_at
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::bool[], $5::text[], $6::date[], $7::int8[], $8::uuid[],
    $9::timestamptz[]) as p (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number,
    artifact_id, received_at)`,
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
 * Lets the latest delivery of a batch have its periods, unless a later one has them already; says who has them now.
 * $9 is how many deliveries of the batch touch the period. Holds the owners' locks until the transaction ends:
 * that makes one worker at a time settle a period.
 */
export const settleOwners = defineStatement<OwnerRow, [...PeriodArrays, Buffer, Buffer]>(
  'parsing.settle-owners',
  `
  insert into period_owners (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number,
    artifact_id, deliveries)
  select p.company_id, p.source_id, p.projection_id, p.sandbox, p.metric, p.period_start, p.receive_number,
    p.artifact_id, p.deliveries
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::bool[], $5::text[], $6::date[], $7::int8[], $8::uuid[],
    $9::int4[]) as p (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number,
    artifact_id, deliveries)
  on conflict (company_id, source_id, projection_id, sandbox, metric, period_start) do update set
    deliveries = period_owners.deliveries + excluded.deliveries,
    artifact_id = case when excluded.receive_number > period_owners.receive_number
      then excluded.artifact_id else period_owners.artifact_id end,
    receive_number = greatest(period_owners.receive_number, excluded.receive_number)
  returning source_id, projection_id, sandbox, metric, period_start, receive_number, deliveries`,
)

/** Empties the cells of periods that the new owner does not mention. After `writeStatementSamples`. */
export const clearPeriods = defineStatement<never, PeriodArrays>(
  'parsing.clear-periods',
  `
  update samples s set value = null, event_at = null, value_receive_number = null
  from unnest($1::uuid[], $2::uuid[], $3::int4[], $4::bool[], $5::text[], $6::date[], $7::int8[])
    as p (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number)
  where s.company_id = p.company_id and s.source_id = p.source_id and s.projection_id = p.projection_id
    and s.sandbox = p.sandbox and s.period_start = p.period_start and s.metric = p.metric
    and s.receive_number < p.receive_number and s.value is not null`,
)

/**
 * Ends a round: the backlog rows at $1 are gone, and the versions of the projections that were written to have grown by
 * $5 (0 or 1). Gives back the projections that still live; one that was retired meanwhile must not have been written to.
 * The projections' rows are the most wanted ones, so they are locked last. Sorted by company, source, projection.
 */
export const finishRound = defineStatement<
  { projection_id: number },
  [string[], Buffer, Buffer, Buffer, Buffer]
>(
  'parsing.finish-round',
  `
  with done as (
    delete from backlog where ctid = any ($1::tid[])
  ), locked as materialized (
    select f.company_id, f.source_id, f.projection_id, w.growth
    from unnest($2::uuid[], $3::uuid[], $4::int4[], $5::int4[]) with ordinality
      as w (company_id, source_id, projection_id, growth, place)
    join projections f on f.company_id = w.company_id and f.source_id = w.source_id and f.projection_id = w.projection_id
    where f.state <> 'retired'
    order by w.place
    for no key update of f
  )
  update projections f set samples_version = f.samples_version + l.growth
  from locked l
  where f.company_id = l.company_id and f.source_id = l.source_id and f.projection_id = l.projection_id
    and f.state <> 'retired'
  returning f.projection_id`,
)

/** Waiting deliveries of a lane that are counted for its figure; beyond it the figure says this number. */
export const measuredDeliveriesMax = 50_000

/** Companies of a lane that are looked at for its oldest delivery; those behind them are not looked at. */
export const measuredCompaniesMax = 1_000

/**
 * How many deliveries wait in each lane, at most $1 counted, and since when the oldest does of the first $2 companies; null
 * where there is none. Those that are being read count too.
 */
export const measureBacklog = defineStatement<
  { lane: number; deliveries: number; oldest: Date | null },
  [number, number]
>(
  'parsing.measure-backlog',
  `
  select l.lane,
    (
      select count(*)::int4 from (select 1 from backlog b where b.lane = l.lane limit $1::int4) as counted
    ) as deliveries,
    (
      with recursive companies (place, company_id, queued_at) as (
        (
          select 1, b.company_id, b.queued_at from backlog b where b.lane = l.lane
          order by b.lane, b.company_id, b.receive_number
          limit 1
        )
        union all
        select c.place + 1, n.company_id, n.queued_at
        from companies c
        cross join lateral (
          select b.company_id, b.queued_at from backlog b where b.lane = l.lane and b.company_id > c.company_id
          order by b.lane, b.company_id, b.receive_number
          limit 1
        ) n
        where c.place < $2::int4
      )
      select min(queued_at) from companies
    ) as oldest
  from unnest('{0,1,2,3,4}'::int2[]) as l (lane)`,
)
