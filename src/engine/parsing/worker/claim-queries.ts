import type { Format } from '../../formats/formats.ts'
import { defineStatement } from '../../../platform/database/define-statement.ts'
import { isParsedElsewhere } from '../../../people/companies/moves/elsewhere.ts'
import { companyTurns } from '../../backlog/company-turns.ts'
import { selectQueue, queues } from '../../backlog/queues.ts'

/**
 * What a worker claims from the backlog, and what it stores of attempts. Arrays are binary buffers
 * (`database/binary-array.ts`). Arrays of rows to lock are sorted: all workers lock in the same order, so they cannot
 * deadlock. Nothing of a company that is parsed elsewhere is claimed or changed: its rows are being copied, or are what
 * is left of a move.
 */

/** Identifies a backlog row in any queue. */
export interface BacklogKey {
  company_id: string
  receive_number: string
  /** Null for all active projections (0 in the table), which is nearly always the case and cheapest to transfer. */
  projection_id: number | null
}

/** Keys of backlog rows, as arrays. */
export type KeyArrays = Record<'companyIds' | 'receiveNumbers' | 'projectionIds', Buffer>

/** Rows in the shard of the connection. */
export type RowsToChange = KeyArrays & { shard: number }

export interface ClaimedRow extends BacklogKey {
  /** The row's `ctid`, which cannot change while the row is locked. */
  position: string
  source_id: string
  artifact_id: string
  /** How often it was tried, including this time if that is stored already; null for never. */
  attempts: number | null
  /** The active projections to parse it into, as comma-separated `projection:shape version`; null for none. */
  projections: string | null
  /** Null, like everything below, if the delivery no longer exists. */
  sandbox: boolean | null
  received_at: Date
  shape_version: number
  format: Format
  /** As stored; null if it is long, since it is then fetched in parts. */
  content: Buffer | null
  stored_bytes: number
  content_encoding: 'identity' | 'zstd'
  /** Before compression. */
  content_bytes: number
}

export type ClaimParams = {
  /** The shard of the connection. */
  shard: number
  /** A number of `queues`. */
  queue: number
  afterCompany: string
  companiesMax: number
  rowsMax: number
  bytesMax: number
  companiesLeftAlone: Buffer
}

/** How long a delivery is left alone after an attempt, doubling each time. */
export type AttemptPauses = {
  /** When the attempt is made, in milliseconds since 1970. */
  atMs: number
  pauseMs: number
  pauseMsMax: number
}

/** The single row of a claim that took nothing. */
export interface NothingClaimed {
  company_id: null
  /** The queue has companies, but others have locked all rows that the search came to. */
  is_locked: boolean
  /** The last company of a search that ended at its bound; null if it went through all of them. */
  searched_to: string | null
}

/**
 * Locks a queue's oldest rows that no other worker has, each company's share of them, at most `$rowsMax`. Returns those
 * whose contents fit into `$bytesMax` bytes, at least one, with every company's first before any second one. The
 * companies `$companiesLeftAlone` are skipped and do not count as searched. If there is nothing to claim, one row says
 * so (`NothingClaimed`). The locks are the lease: they end with the transaction, however it ends.
 */
const claim = `
  with recursive ${companyTurns(
    'backlog',
    'backlog.queue = $queue::int2',
    'backlog.queue, backlog.company_id',
    '$companiesLeftAlone',
  )}, locked as materialized (
    select turns.turn, oldest.*
    from turns
    cross join lateral (
      select backlog.ctid, backlog.receive_number, backlog.projection_id, backlog.company_id, backlog.source_id,
        backlog.artifact_id, backlog.content_bytes, backlog.attempts
      from backlog
      where backlog.queue = $queue::int2 and backlog.company_id = turns.company_id
      order by backlog.queue, backlog.company_id, backlog.receive_number, backlog.projection_id
      limit (select greatest(1, $rowsMax::int4 / greatest(1, max(turn))) from turns)
      for update skip locked
    ) oldest
    where turns.turn > 0 and turns.company_id <> all ($companiesLeftAlone::uuid[])
      and not ${isParsedElsewhere('turns.company_id')}
  ), placed as (
    select locked.*, row_number() over (partition by turn order by receive_number, projection_id) as place from locked
  ), counted as (
    select placed.*, sum(content_bytes) over so_far - content_bytes as bytes_before from placed
    window so_far as (order by place, turn rows unbounded preceding)
  ), fitting as (
    select counted.*, bytes_before + content_bytes <= $bytesMax::int8 or bytes_before = 0 as fits from counted
  )`

/** `NothingClaimed`, for when there is no row in `claimed`. */
const nothingClaimed = `
    case when claimed.turn is null then (select max(turn) > 0 from turns) end as is_locked,
    case when claimed.turn is null then (
      select turns.company_id from turns
      where turns.turn = $companiesMax::int4 and turns.company_id <> all ($companiesLeftAlone::uuid[])
    ) end as searched_to`

/** What a worker needs of a row of `claimed`, without stored content of more than `$partBytesMax` bytes. */
const details = `
    claimed.ctid::text as position, claimed.receive_number, nullif(claimed.projection_id, 0) as projection_id,
    claimed.company_id, claimed.source_id, claimed.artifact_id, nullif(claimed.attempts, 0) as attempts,
    (
      select string_agg(projections.projection_id || ':' || projections.shape_version, ','
        order by projections.projection_id)
      from projections
      where projections.company_id = claimed.company_id and projections.source_id = claimed.source_id
        and projections.state <> 'retired' and claimed.projection_id in (0, projections.projection_id)
    ) as projections,
    deliveries.sandbox, deliveries.received_at, deliveries.shape_version, deliveries.format,
    case when octet_length(deliveries.content) <= $partBytesMax::int4 then deliveries.content end as content,
    octet_length(deliveries.content) as stored_bytes, deliveries.content_encoding, deliveries.content_bytes`

const withDelivery = `
  left join deliveries on deliveries.company_id = claimed.company_id and deliveries.artifact_id = claimed.artifact_id`

/**
 * Claims some of a queue's backlog (`claim`), to be parsed in the same transaction. Stored content of more than
 * `$partBytesMax` bytes is left out.
 *
 * Backlog, deliveries and projections are seen in one snapshot; `begin-projection.ts` relies on it.
 */
export const claimBacklog = defineStatement<
  ClaimedRow | NothingClaimed,
  ClaimParams & { partBytesMax: number }
>(
  'parsing.claim-backlog',
  `${claim}
  select ${details}, ${nothingClaimed}
  from (select) as one
  left join (fitting claimed ${withDelivery}) on claimed.fits
  order by claimed.place, claimed.turn`,
)

/**
 * Claims at most `$rowsMax` rows of a queue, from the companies `$firstCompany` to `$lastCompany` in order; content as
 * with `claimBacklog`. It starts at half the cost, so it serves deliveries that come in while nothing else waits.
 *
 * Rows of companies that are parsed elsewhere are counted and returned too, without content: to search for others behind
 * any number of them would take long.
 */
export const claimFirst = defineStatement<
  ClaimedRow & { parsed_elsewhere: boolean },
  {
    shard: number
    queue: number
    firstCompany: string
    lastCompany: string
    rowsMax: number
    partBytesMax: number
  }
>(
  'parsing.claim-first',
  `
  with waiting as materialized (
    select backlog.ctid, backlog.receive_number, backlog.projection_id, backlog.company_id, backlog.source_id,
      backlog.artifact_id, backlog.attempts
    from backlog
    where backlog.queue = $queue::int2 and backlog.company_id between $firstCompany::uuid and $lastCompany::uuid
    order by backlog.queue, backlog.company_id, backlog.receive_number, backlog.projection_id
    limit $rowsMax::int4
    for update skip locked
  ), claimed as materialized (
    select waiting.ctid, waiting.receive_number, waiting.projection_id, waiting.company_id, waiting.source_id,
      waiting.artifact_id, waiting.attempts, ${isParsedElsewhere('waiting.company_id')} as parsed_elsewhere
    from waiting
  )
  select claimed.parsed_elsewhere, ${details}
  from claimed ${withDelivery} and not claimed.parsed_elsewhere
  order by claimed.company_id, claimed.receive_number, claimed.projection_id`,
)

/**
 * Claims some of a queue's backlog (`claim`) to store with `addAttempt`, in the same transaction and before it is parsed, that it
 * is being tried. So a delivery that brings down its worker, process or machine is known, and others go first until its
 * pause is over. The rows belong to the worker that locks them again (`claimMarked`).
 */
export const lockBacklog = defineStatement<BacklogKey | NothingClaimed, ClaimParams>(
  'parsing.lock-backlog',
  `${claim}
  select claimed.company_id, claimed.receive_number, claimed.projection_id, ${nothingClaimed}
  from (select) as one
  left join fitting claimed on claimed.fits
  order by claimed.place, claimed.turn`,
)

function retryOfCompany(when: string): string {
  return `
        select of_company.company_id, of_company.receive_number, of_company.projection_id from (
          select backlog.company_id, backlog.receive_number, backlog.projection_id
          from backlog
          where backlog.not_before is not null and backlog.company_id = turns.company_id and ${when}
          order by backlog.company_id, backlog.not_before, backlog.receive_number
          limit 1
          for update skip locked
        ) of_company`
}

/**
 * Locks one row that was tried before and whose pause is over at the instant `$atMs`, from the next company after
 * `$afterCompany` that has one; to be stored like those of `lockBacklog`. A pause that ends more than `$pauseMsMax` ms from
 * now was written by a wrong clock and counts as over.
 */
export const lockRetry = defineStatement<
  BacklogKey,
  { shard: number; afterCompany: string; companiesMax: number } & Omit<AttemptPauses, 'pauseMs'>
>(
  'parsing.lock-retry',
  `
  with recursive ${companyTurns('backlog', 'backlog.not_before is not null', 'backlog.company_id')}
  select retry.company_id, retry.receive_number, retry.projection_id
  from turns
  cross join lateral (
    ${retryOfCompany('backlog.not_before <= to_timestamp($atMs::float8 / 1000)')}
    union all
    ${retryOfCompany('backlog.not_before > to_timestamp(($atMs::float8 + $pauseMsMax::int4) / 1000)')}
    limit 1
  ) retry
  where turns.turn > 0 and not ${isParsedElsewhere('turns.company_id')}
  limit 1`,
)

/**
 * Claims marked rows, in the order given, to be parsed in the same transaction, except those that another worker has
 * parsed by now. It waits for locked rows: a claim that began before they were marked may hold them, but will let them
 * go.
 */
export const claimMarked = defineStatement<ClaimedRow, RowsToChange & { partBytesMax: number }>(
  'parsing.claim-marked',
  `
  with claimed as materialized (
    select backlog.ctid, backlog.receive_number, backlog.projection_id, backlog.company_id, backlog.source_id,
      backlog.artifact_id, backlog.attempts, wanted.place
    from unnest($companyIds::uuid[], $receiveNumbers::int8[], $projectionIds::int4[]) with ordinality
      as wanted (company_id, receive_number, projection_id, place)
    join backlog on backlog.queue = ${queues.retry} and backlog.company_id = wanted.company_id
      and backlog.receive_number = wanted.receive_number and backlog.projection_id = wanted.projection_id
    where not ${isParsedElsewhere('wanted.company_id')}
    order by wanted.place
    for update of backlog
  )
  select ${details}
  from claimed ${withDelivery}
  order by claimed.place`,
)

const allQueues = `{${Object.values(queues).join()}}`

/** Updates rows by their keys, except those that a worker has right now: one may have claimed a failed batch already. */
function updateByKeys(set: string): string {
  return `
  with found as materialized (
    select backlog.ctid
    from unnest($companyIds::uuid[], $receiveNumbers::int8[], $projectionIds::int4[])
      as wanted (company_id, receive_number, projection_id)
    cross join unnest('${allQueues}'::int2[]) as queues (queue)
    join backlog on backlog.queue = queues.queue and backlog.company_id = wanted.company_id
      and backlog.receive_number = wanted.receive_number and backlog.projection_id = wanted.projection_id
    where not ${isParsedElsewhere('wanted.company_id')}
    for update of backlog skip locked
  )
  update backlog set ${set} from found where backlog.ctid = found.ctid`
}

/**
 * Stores that an attempt to parse the rows is made, or has failed. The sum of a time and an interval would depend on the session's
 * time zone: Citus refuses it here.
 */
export const addAttempt = defineStatement<never, RowsToChange & AttemptPauses>(
  'parsing.add-attempt',
  updateByKeys(`
    queue = ${queues.retry},
    attempts = least(backlog.attempts, 9999) + 1,
    not_before = to_timestamp(
      ($atMs::float8 + least($pauseMsMax::int4, $pauseMs::int4 * 2 ^ least(backlog.attempts, 30))) / 1000
    )`),
)

/**
 * Has rows tried one by one from the instant `$at` on; `$attemptsBack` is 1 if the failed attempt was counted already.
 */
export const separateBatch = defineStatement<never, RowsToChange & { at: string; attemptsBack: 0 | 1 }>(
  'parsing.separate-batch',
  updateByKeys(
    `
    queue = ${queues.retry}, attempts = greatest(0, backlog.attempts - $attemptsBack::int2),
    not_before = $at::timestamptz`,
  ),
)

/** Puts rows that were marked for the first time back into their queues: they were not tried after all. */
export const unmark = defineStatement<never, RowsToChange>(
  'parsing.unmark',
  updateByKeys(`
    queue = ${selectQueue('backlog.projection_id', 'backlog.content_bytes')}, attempts = 0, not_before = null`),
)
