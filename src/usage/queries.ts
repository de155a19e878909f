import type { CompanyLimits } from '../config/config.ts'
import { defineStatement } from '../database/define-statement.ts'
import { lanes } from '../backlog/lanes.ts'

export type LimitsRow = Record<keyof CompanyLimits, string | null>

const limitColumns = `l.sources, l.connections, l.members, l.shape_versions, l.cells, l.stored_bytes, l.waiting_bytes,
  l.waiting_deliveries`

/** What the operator set for a company; no row where nothing was. */
export const selectLimits = defineStatement<LimitsRow, [companyId: string]>(
  'usage.select_limits',
  `select ${limitColumns} from company_limits l where l.company_id = $1::uuid`,
)

export const upsertLimits = defineStatement<
  never,
  [
    companyId: string,
    sources: number | null,
    connections: number | null,
    members: number | null,
    shapeVersions: number | null,
    cells: number | null,
    storedBytes: number | null,
    waitingBytes: number | null,
    waitingDeliveries: number | null,
  ]
>(
  'usage.upsert_limits',
  `insert into company_limits (company_id, sources, connections, members, shape_versions, cells, stored_bytes,
     waiting_bytes, waiting_deliveries)
   values ($1::uuid, $2::int8, $3::int8, $4::int8, $5::int8, $6::int8, $7::int8, $8::int8, $9::int8)
   on conflict (company_id) do update set sources = excluded.sources, connections = excluded.connections,
     members = excluded.members, shape_versions = excluded.shape_versions, cells = excluded.cells,
     stored_bytes = excluded.stored_bytes, waiting_bytes = excluded.waiting_bytes,
     waiting_deliveries = excluded.waiting_deliveries`,
)

/** What is counted when one more is made: what a company has of it, at most $3 counted. */
export const countHeld = {
  sources: defineStatement<{ held: number }, [companyId: string, at: Date, max: number]>(
    'usage.count_sources',
    `select count(*)::int4 as held
     from (select from sources where company_id = $1::uuid and $2::timestamptz is not null limit $3::int8) as counted`,
  ),
  /** Those that are not revoked and not expired. */
  connections: defineStatement<{ held: number }, [companyId: string, at: Date, max: number]>(
    'usage.count_connections',
    `select count(*)::int4 as held
     from (
       select from connections
       where company_id = $1::uuid and revoked_at is null and (expires_at is null or expires_at > $2::timestamptz)
       limit $3::int8
     ) as counted`,
  ),
  members: defineStatement<{ held: number }, [companyId: string, at: Date, max: number]>(
    'usage.count_members',
    `select count(*)::int4 as held
     from (select from memberships where company_id = $1::uuid and $2::timestamptz is not null limit $3::int8) as counted`,
  ),
}

/** Connections ever made, at most $2 counted: what is revoked or expired stays as a record. */
export const countMadeConnections = defineStatement<{ held: number }, [companyId: string, max: number]>(
  'usage.count_made_connections',
  `select count(*)::int4 as held
   from (select from connections where company_id = $1::uuid limit $2::int8) as counted`,
)

/**
 * Adds to what companies hold, or takes from it. Sorted by company, and last in the caller's transaction: until it ends,
 * nobody else adds to these companies.
 */
export const addUsage = defineStatement<
  never,
  [companyIds: Buffer, deliveries: Buffer, storedBytes: Buffer, cells: Buffer]
>(
  'usage.add',
  `insert into company_usage as usage (company_id, deliveries, stored_bytes, cells)
   select added.company_id, added.deliveries, added.stored_bytes, added.cells
   from unnest($1::uuid[], $2::int8[], $3::int8[], $4::int8[]) as added (company_id, deliveries, stored_bytes, cells)
   order by added.company_id
   on conflict (company_id) do update set deliveries = greatest(usage.deliveries + excluded.deliveries, 0),
     stored_bytes = greatest(usage.stored_bytes + excluded.stored_bytes, 0),
     cells = greatest(usage.cells + excluded.cells, 0)`,
)

/** Until the transaction ends, one process counts; false where another one does. */
export const tryCounting = defineStatement<{ mine: boolean }, []>(
  'usage.try_counting',
  `select pg_try_advisory_xact_lock(7862693116) as mine`,
)

/** Says that it is counted now; no row where it was a moment ago: after $2, and not in the future of this clock. */
export const beginCount = defineStatement<{ begun: boolean }, [now: Date, after: Date]>(
  'usage.begin_count',
  `insert into usage_counts as counts (counted_at) values ($1::timestamptz)
   on conflict (only_row) do update set counted_at = excluded.counted_at
   where counts.counted_at <= $2::timestamptz or counts.counted_at > excluded.counted_at
   returning true as begun`,
)

/** The lanes of deliveries that have not been read into any projection. Every index of the backlog that fits begins with the lane. */
const waitingLanes = `'{${[lanes.small, lanes.large, lanes.retry].join()}}'::int2[]`

/**
 * Counts what waits to be read by company: of each at most one delivery more than its limit, by the default $1, and at most
 * $2. It steps from company to company in the index. Rows are written at the end, in the order of companies.
 */
export const countWaiting = defineStatement<never, [waitingDeliveries: number, deliveriesMax: number]>(
  'usage.count_waiting',
  `with recursive turns (lane, company_id) as (
     select lane, '00000000-0000-0000-0000-000000000000'::uuid from unnest(${waitingLanes}) as lane
     union all
     select t.lane, n.company_id
     from turns t
     cross join lateral (
       select b.company_id
       from backlog b
       where b.lane = t.lane and b.company_id > t.company_id
       order by b.lane, b.company_id
       limit 1
     ) n
   ), waiting as (
     select c.company_id, w.deliveries, w.bytes
     from (select distinct company_id from turns) c
     left join company_limits l on l.company_id = c.company_id
     cross join lateral (
       select count(*) as deliveries, sum(content_bytes) as bytes
       from (
         select b.content_bytes
         from backlog b
         where b.lane = any (${waitingLanes}) and b.company_id = c.company_id and b.projection_id = 0
         limit least(coalesce(l.waiting_deliveries, $1::int8) + 1, $2::int8)
       ) as counted
     ) w
     where w.deliveries > 0
   )
   insert into company_usage as usage (company_id, waiting_deliveries, waiting_bytes)
   select company_id, coalesce(waiting.deliveries, 0), coalesce(waiting.bytes, 0)
   from waiting
   full join (
     select company_id, waiting_deliveries, waiting_bytes
     from company_usage
     where waiting_deliveries > 0
   ) as before using (company_id)
   where (waiting.deliveries, waiting.bytes) is distinct from (before.waiting_deliveries, before.waiting_bytes)
   order by company_id
   on conflict (company_id) do update
   set waiting_deliveries = excluded.waiting_deliveries, waiting_bytes = excluded.waiting_bytes`,
)

/** Says which limit each company has reached, by the defaults $1 to $4; of one company, or with null $5 of all. */
export const markOverLimit = defineStatement<
  { company_id: string; over_limit: string | null },
  [
    cells: number,
    storedBytes: number,
    waitingBytes: number,
    waitingDeliveries: number,
    companyId: string | null,
  ]
>(
  'usage.mark_over_limit',
  `with validated as (
     select c.company_id, c.over_limit as before,
       case
         when u.stored_bytes + u.waiting_bytes >= coalesce(l.stored_bytes, $2::int8) then 'stored_bytes'
         when u.cells >= coalesce(l.cells, $1::int8) then 'cells'
         when u.waiting_bytes >= coalesce(l.waiting_bytes, $3::int8) then 'waiting_bytes'
         when u.waiting_deliveries >= coalesce(l.waiting_deliveries, $4::int8) then 'waiting_deliveries'
       end as reached
     from companies c
     left join company_usage u on u.company_id = c.company_id
     left join company_limits l on l.company_id = c.company_id
     where $5::uuid is null or c.company_id = $5::uuid
   )
   update companies c set over_limit = validated.reached
   from validated
   where c.company_id = validated.company_id and validated.reached is distinct from validated.before
   returning c.company_id, c.over_limit`,
)

/** At most $2 companies whose recount was before $1 or never, those first for which it is longest. */
export const selectRecountsDue = defineStatement<{ company_id: string }, [before: Date, limit: number]>(
  'usage.select_recounts_due',
  `select c.company_id
   from companies c
   left join company_usage u on u.company_id = c.company_id
   where u.recounted_at is null or u.recounted_at < $1::timestamptz
   order by u.recounted_at nulls first, c.company_id
   limit $2::int4`,
)

/** One recount of a company at a time, until the connection unlocks it or ends; false where another one is under way. */
export const tryRecount = defineStatement<{ mine: boolean }, [companyId: string]>(
  'usage.try_recount',
  `select pg_try_advisory_lock(hashtextextended($1::uuid::text, 7862693117)) as mine`,
)

export const endRecount = defineStatement<{ ended: boolean }, [companyId: string]>(
  'usage.end_recount',
  `select pg_advisory_unlock(hashtextextended($1::uuid::text, 7862693117)) as ended`,
)

/** Corrects a company's sums by what a recount found, and says when that was. */
export const correctUsage = defineStatement<
  never,
  [companyId: string, deliveries: number, storedBytes: number, cells: number, at: Date]
>(
  'usage.correct',
  `insert into company_usage as usage (company_id, deliveries, stored_bytes, cells, recounted_at)
   values ($1::uuid, greatest($2::int8, 0), greatest($3::int8, 0), greatest($4::int8, 0), $5::timestamptz)
   on conflict (company_id) do update set deliveries = greatest(usage.deliveries + $2::int8, 0),
     stored_bytes = greatest(usage.stored_bytes + $3::int8, 0), cells = greatest(usage.cells + $4::int8, 0),
     recounted_at = excluded.recounted_at`,
)

export interface UsageRow {
  deliveries: string
  stored_bytes: string
  cells: string
  waiting_deliveries: string
  waiting_bytes: string
  recounted_at: Date | null
}

/** What was counted of a company; no row where nothing was yet. */
export const selectUsage = defineStatement<UsageRow, [companyId: string]>(
  'usage.select',
  `select deliveries, stored_bytes, cells, waiting_deliveries, waiting_bytes, recounted_at
   from company_usage
   where company_id = $1::uuid`,
)

/** How many members, sources, active connections and shape versions of one source a company has, and its reached limit. */
export const selectHeld = defineStatement<
  {
    sources: string
    connections: string
    members: string
    shape_versions: string
    over_limit: string | null
  },
  [companyId: string, at: Date]
>(
  'usage.select_held',
  `select
     (select count(*) from sources s where s.company_id = c.company_id) as sources,
     (
       select count(*) from connections n
       where n.company_id = c.company_id and n.revoked_at is null
         and (n.expires_at is null or n.expires_at > $2::timestamptz)
     ) as connections,
     (select count(*) from memberships m where m.company_id = c.company_id) as members,
     (select coalesce(max(s.shape_version), 0)::int8 from sources s where s.company_id = c.company_id) as shape_versions,
     c.over_limit
   from companies c
   where c.company_id = $1::uuid`,
)

/** The next $3 deliveries of a company after $2: how many of them have been read, and what they hold. */
export const walkDeliveries = defineStatement<
  { last: string | null; walked: number; deliveries: string; bytes: string },
  [companyId: string, after: string, limit: number]
>(
  'usage.walk_deliveries',
  `select max(artifact_id::text) as last, count(*)::int4 as walked,
     count(*) filter (where not waits) as deliveries,
     coalesce(sum(content_bytes) filter (where not waits), 0)::int8 as bytes
   from (
     select d.artifact_id, d.content_bytes, w.waits is not null as waits
     from deliveries d
     left join lateral (
       select true as waits
       from backlog b
       where b.lane = any (${waitingLanes}) and b.company_id = d.company_id
         and b.receive_number = d.receive_number and b.projection_id = 0
       limit 1
     ) w on true
     where d.company_id = $1::uuid and d.artifact_id > $2::uuid
     order by d.artifact_id
     limit $3::int4
   ) as walked`,
)

/** The next $3 cells of a company after $2. */
export const walkCells = defineStatement<
  { last: string | null; walked: number },
  [companyId: string, after: string, limit: number]
>(
  'usage.walk_cells',
  `select max(cell_id::text) as last, count(*)::int4 as walked
   from (
     select cell_id from samples
     where company_id = $1::uuid and cell_id > $2::uuid
     order by cell_id
     limit $3::int4
   ) as walked`,
)
