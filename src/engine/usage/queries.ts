import type { CompanyLimits } from '../../platform/config/config.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { selectsFromTable } from '../../platform/database/schemas.ts'
import { queues } from '../backlog/queues.ts'

type LimitsRow = Record<keyof CompanyLimits, string | null>

const limitColumns = `sources, connections, members, shape_versions, cells, stored_bytes, waiting_bytes,
     waiting_deliveries`

/** What the operator set for a company; no row where nothing was. */
export const selectLimits = defineStatement<LimitsRow, { companyId: string }>(
  'usage.select-limits',
  `select ${limitColumns} from company_limits where company_id = $companyId::uuid`,
)

export const upsertLimits = defineStatement<
  never,
  {
    companyId: string
    sources: number | null
    connections: number | null
    members: number | null
    shapeVersions: number | null
    cells: number | null
    storedBytes: number | null
    waitingBytes: number | null
    waitingDeliveries: number | null
  }
>(
  'usage.upsert-limits',
  `insert into company_limits (company_id, sources, connections, members, shape_versions, cells, stored_bytes,
     waiting_bytes, waiting_deliveries)
   values ($companyId::uuid, $sources::int8, $connections::int8, $members::int8, $shapeVersions::int8,
     $cells::int8, $storedBytes::int8, $waitingBytes::int8, $waitingDeliveries::int8)
   on conflict (company_id) do update set sources = excluded.sources, connections = excluded.connections,
     members = excluded.members, shape_versions = excluded.shape_versions, cells = excluded.cells,
     stored_bytes = excluded.stored_bytes, waiting_bytes = excluded.waiting_bytes,
     waiting_deliveries = excluded.waiting_deliveries`,
)

/** How many of something a company has, counted when one more is created, up to `$max`. */
export const countUsed = {
  sources: defineStatement<{ used: number }, { companyId: string; at: Date; max: number }>(
    'usage.count-sources',
    `select count(*)::int4 as used
     from (select from sources where company_id = $companyId::uuid limit $max::int8) as counted`,
  ),
  /** Those that are not revoked and not expired. */
  connections: defineStatement<{ used: number }, { companyId: string; at: Date; max: number }>(
    'usage.count-connections',
    `select count(*)::int4 as used
     from (
       select from connections
       where company_id = $companyId::uuid and revoked_at is null
         and (expires_at is null or expires_at > $at::timestamptz)
       limit $max::int8
     ) as counted`,
  ),
  members: defineStatement<{ used: number }, { companyId: string; at: Date; max: number }>(
    'usage.count-members',
    `select count(*)::int4 as used
     from (select from memberships where company_id = $companyId::uuid limit $max::int8) as counted`,
  ),
}

/** All connections created, counted up to `$max`: those that are revoked or expired stay as a record. */
export const countCreatedConnections = defineStatement<{ used: number }, { companyId: string; max: number }>(
  'usage.count-created-connections',
  `select count(*)::int4 as used
   from (select from connections where company_id = $companyId::uuid limit $max::int8) as counted`,
)

/**
 * Adds to the usage of companies, or subtracts from it. Sorted by company, and last in the caller's transaction: until it
 * ends, no other one adds to these companies.
 */
export const upsertUsage = defineStatement<
  never,
  { companyIds: Buffer; deliveries: Buffer; storedBytes: Buffer; cells: Buffer }
>(
  'usage.add',
  `insert into company_usage as usage (company_id, deliveries, stored_bytes, cells)
   select added.company_id, added.deliveries, added.stored_bytes, added.cells
   from unnest($companyIds::uuid[], $deliveries::int8[], $storedBytes::int8[], $cells::int8[])
     as added (company_id, deliveries, stored_bytes, cells)
   where ${selectsFromTable}
   order by added.company_id
   on conflict (company_id) do update set deliveries = greatest(usage.deliveries + excluded.deliveries, 0),
     stored_bytes = greatest(usage.stored_bytes + excluded.stored_bytes, 0),
     cells = greatest(usage.cells + excluded.cells, 0)`,
)

/** Until the transaction ends, one process counts the shard; false where another one does. Locks are the database's, not a schema's. */
export const tryCounting = defineStatement<{ mine: boolean }, { shard: number }>(
  'usage.try-counting',
  `select pg_try_advisory_xact_lock(786269311, $shard::int4) as mine`,
)

/**
 * Records that it is counted now; no row where it was a moment ago: after `$after`, and not in the future of this
 * clock.
 */
export const beginCount = defineStatement<{ begun: boolean }, { now: Date; after: Date }>(
  'usage.begin-count',
  `insert into usage_counts as counts (counted_at) values ($now::timestamptz)
   on conflict (only_row) do update set counted_at = excluded.counted_at
   where counts.counted_at <= $after::timestamptz or counts.counted_at > excluded.counted_at
   returning true as begun`,
)

/**
 * The queues of deliveries that have not been parsed into any projection. Every index of the backlog that fits begins
 * with the queue.
 */
const waitingQueues = `'{${[queues.small, queues.large, queues.retry].join()}}'::int2[]`

/**
 * Counts what waits to be parsed by company: of each at most one delivery more than its limit, by the default
 * `$waitingDeliveries`, and at most `$deliveriesMax`. It steps from company to company in the index. Returns the companies
 * for which it differs from what was counted before, in their order.
 */
export const countWaiting = defineStatement<
  { company_id: string; deliveries: string; bytes: string },
  { waitingDeliveries: number; deliveriesMax: number }
>(
  'usage.count-waiting',
  `with recursive turns (queue, company_id) as (
     select queue, '00000000-0000-0000-0000-000000000000'::uuid from unnest(${waitingQueues}) as queue
     union all
     select turns.queue, next.company_id
     from turns
     cross join lateral (
       select backlog.company_id
       from backlog
       where backlog.queue = turns.queue and backlog.company_id > turns.company_id
       order by backlog.queue, backlog.company_id
       limit 1
     ) as next
   ), waiting as (
     select waits.company_id, counted.deliveries, counted.bytes
     from (select distinct company_id from turns) as waits
     left join company_limits on company_limits.company_id = waits.company_id
     cross join lateral (
       select count(*) as deliveries, sum(content_bytes) as bytes
       from (
         select backlog.content_bytes
         from backlog
         where backlog.queue = any (${waitingQueues}) and backlog.company_id = waits.company_id
           and backlog.projection_id = 0
         limit least(coalesce(company_limits.waiting_deliveries, $waitingDeliveries::int8) + 1, $deliveriesMax::int8)
       ) as bounded
     ) as counted
     where counted.deliveries > 0
   )
   select company_id, coalesce(waiting.deliveries, 0) as deliveries, coalesce(waiting.bytes, 0) as bytes
   from waiting
   full join (
     select company_id, waiting_deliveries, waiting_bytes
     from company_usage
     where waiting_deliveries > 0
   ) as before using (company_id)
   where (waiting.deliveries, waiting.bytes) is distinct from (before.waiting_deliveries, before.waiting_bytes)
   order by company_id`,
)

/** Stores what waits of companies, in their order. */
export const setWaiting = defineStatement<never, { companyIds: Buffer; deliveries: Buffer; bytes: Buffer }>(
  'usage.set-waiting',
  `insert into company_usage as usage (company_id, waiting_deliveries, waiting_bytes)
   select counted.company_id, counted.deliveries, counted.bytes
   from unnest($companyIds::uuid[], $deliveries::int8[], $bytes::int8[]) as counted (company_id, deliveries, bytes)
   where ${selectsFromTable}
   order by counted.company_id
   on conflict (company_id) do update
   set waiting_deliveries = excluded.waiting_deliveries, waiting_bytes = excluded.waiting_bytes`,
)

/**
 * The companies whose reached limit is not the one marked, by the defaults given; with null, among all of the shard. Of the
 * directory, which has the companies of every shard, it reads only those that are marked.
 */
export const selectReached = defineStatement<
  { company_id: string; reached: string | null },
  {
    shard: number
    cells: number
    storedBytes: number
    waitingBytes: number
    waitingDeliveries: number
    companyId: string | null
  }
>(
  'usage.select-reached',
  `select company_id, compared.reached
   from (
     select company_usage.company_id,
       case
         when company_usage.stored_bytes + company_usage.waiting_bytes
           >= coalesce(company_limits.stored_bytes, $storedBytes::int8) then 'stored_bytes'
         when company_usage.cells >= coalesce(company_limits.cells, $cells::int8) then 'cells'
         when company_usage.waiting_bytes >= coalesce(company_limits.waiting_bytes, $waitingBytes::int8)
           then 'waiting_bytes'
         when company_usage.waiting_deliveries
           >= coalesce(company_limits.waiting_deliveries, $waitingDeliveries::int8) then 'waiting_deliveries'
       end as reached
     from company_usage
     left join company_limits on company_limits.company_id = company_usage.company_id
     where $companyId::uuid is null or company_usage.company_id = $companyId::uuid
   ) as compared
   full join (
     select companies.company_id, companies.over_limit
     from companies
     where companies.shard = $shard::integer and companies.over_limit is not null
       and ($companyId::uuid is null or companies.company_id = $companyId::uuid)
   ) as marked using (company_id)
   where compared.reached is distinct from marked.over_limit`,
)

/** Marks the limit that each company has reached, or none. Rows are written in the order of companies. */
export const markReached = defineStatement<
  never,
  { companyIds: readonly string[]; reached: readonly (string | null)[] }
>(
  'usage.mark-reached',
  `update companies set over_limit = marked.reached
   from (
     select locked.company_id, found.reached
     from unnest($companyIds::uuid[], $reached::text[]) as found (company_id, reached)
     join companies as locked on locked.company_id = found.company_id
     order by locked.company_id
     for no key update of locked
   ) as marked
   where companies.company_id = marked.company_id`,
)

/** At most `$limit` companies of the shard recounted before `$before` or never, the longest ago first. */
export const selectRecountsDue = defineStatement<{ company_id: string }, { before: Date; limit: number }>(
  'usage.select-recounts-due',
  `select company_usage.company_id
   from company_usage
   where company_usage.recounted_at is null or company_usage.recounted_at < $before::timestamptz
   order by company_usage.recounted_at nulls first
   limit $limit::int4`,
)

/**
 * One recount of a company at a time, until the connection unlocks it or ends; false where another one is under way.
 */
export const tryRecount = defineStatement<{ mine: boolean }, { companyId: string }>(
  'usage.try-recount',
  `select pg_try_advisory_lock(hashtextextended($companyId::uuid::text, 7862693117)) as mine`,
)

export const endRecount = defineStatement<{ ended: boolean }, { companyId: string }>(
  'usage.end-recount',
  `select pg_advisory_unlock(hashtextextended($companyId::uuid::text, 7862693117)) as ended`,
)

/** Corrects a company's sums by what a recount found, and records when. */
export const correctUsage = defineStatement<
  never,
  { companyId: string; deliveries: number; storedBytes: number; cells: number; at: Date }
>(
  'usage.correct',
  `insert into company_usage as usage (company_id, deliveries, stored_bytes, cells, recounted_at)
   values ($companyId::uuid, greatest($deliveries::int8, 0), greatest($storedBytes::int8, 0),
     greatest($cells::int8, 0), $at::timestamptz)
   on conflict (company_id) do update set deliveries = greatest(usage.deliveries + $deliveries::int8, 0),
     stored_bytes = greatest(usage.stored_bytes + $storedBytes::int8, 0),
     cells = greatest(usage.cells + $cells::int8, 0),
     recounted_at = excluded.recounted_at`,
)

interface UsageRow {
  deliveries: string
  stored_bytes: string
  cells: string
  waiting_deliveries: string
  waiting_bytes: string
  recounted_at: Date | null
}

/** What was counted for all companies of the shard; what is left of companies that moved to another does not count. */
export const selectSums = defineStatement<{ deliveries: string; stored_bytes: string }, { shard: number }>(
  'usage.sum',
  `select coalesce(sum(company_usage.deliveries), 0)::int8 as deliveries,
     coalesce(sum(company_usage.stored_bytes), 0)::int8 as stored_bytes
   from companies join company_usage on company_usage.company_id = companies.company_id
   where companies.shard = $shard::integer`,
)

/** Deliveries of the shard since an instant, by their artifacts: a search in the index for each company. */
export const countDeliveriesSince = defineStatement<{ deliveries: number }, { shard: number; since: string }>(
  'usage.count-deliveries-since',
  `select count(*)::integer as deliveries
   from companies
   cross join lateral (
     select from deliveries
     where deliveries.company_id = companies.company_id and deliveries.artifact_id >= $since::uuid
     offset 0
   ) as recent
   where companies.shard = $shard::integer`,
)

/** What the companies of a shard have stored, parsed or waiting, as last counted. */
export const selectStoredBytes = defineStatement<
  { company_id: string; stored_bytes: string },
  { shard: number }
>(
  'usage.select-stored-bytes',
  `select companies.company_id, company_usage.stored_bytes + company_usage.waiting_bytes as stored_bytes
   from companies join company_usage on company_usage.company_id = companies.company_id
   where companies.shard = $shard::integer
   order by companies.company_id`,
)

/** What was counted for a company; no row before the first count. */
export const selectUsage = defineStatement<UsageRow, { companyId: string }>(
  'usage.select',
  `select deliveries, stored_bytes, cells, waiting_deliveries, waiting_bytes, recounted_at
   from company_usage
   where company_id = $companyId::uuid`,
)

/**
 * How many members, sources, active connections and shape versions of one source a company has, and its reached
 * limit.
 */
export const selectUsed = defineStatement<
  {
    sources: string
    connections: string
    members: string
    shape_versions: string
    over_limit: string | null
  },
  { companyId: string; at: Date }
>(
  'usage.select-used',
  `select
     (select count(*) from sources where sources.company_id = companies.company_id) as sources,
     (
       select count(*) from connections
       where connections.company_id = companies.company_id and connections.revoked_at is null
         and (connections.expires_at is null or connections.expires_at > $at::timestamptz)
     ) as connections,
     (select count(*) from memberships where memberships.company_id = companies.company_id) as members,
     (
       select coalesce(max(sources.shape_version), 0)::int8 from sources
       where sources.company_id = companies.company_id
     ) as shape_versions,
     companies.over_limit
   from companies
   where companies.company_id = $companyId::uuid`,
)

/** The next `$limit` deliveries of a company after `$after`: how many of them have been parsed, and their bytes. */
export const walkDeliveries = defineStatement<
  { last: string | null; walked: number; deliveries: string; bytes: string },
  { companyId: string; after: string; limit: number }
>(
  'usage.walk-deliveries',
  `select max(artifact_id::text) as last, count(*)::int4 as walked,
     count(*) filter (where not waits) as deliveries,
     coalesce(sum(content_bytes) filter (where not waits), 0)::int8 as bytes
   from (
     select deliveries.artifact_id, deliveries.content_bytes, waiting.waits is not null as waits
     from deliveries
     left join lateral (
       select true as waits
       from backlog
       where backlog.queue = any (${waitingQueues}) and backlog.company_id = deliveries.company_id
         and backlog.receive_number = deliveries.receive_number and backlog.projection_id = 0
       limit 1
     ) as waiting on true
     where deliveries.company_id = $companyId::uuid and deliveries.artifact_id > $after::uuid
     order by deliveries.artifact_id
     limit $limit::int4
   ) as walked`,
)

/** The next `$limit` cells of a company after `$after`. */
export const walkCells = defineStatement<
  { last: string | null; walked: number },
  { companyId: string; after: string; limit: number }
>(
  'usage.walk-cells',
  `select max(cell_id::text) as last, count(*)::int4 as walked
   from (
     select cell_id from samples
     where company_id = $companyId::uuid and cell_id > $after::uuid
     order by cell_id
     limit $limit::int4
   ) as walked`,
)
