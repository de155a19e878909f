import { defineStatement } from '../database/define-statement.ts'
import { companyTurns } from '../backlog/company-turns.ts'

/** Statements about whole projections: beginning, filling, switching, comparing and removing them. */

/**
 * How long a statement of an operator's rebuild may run, such as the one that compares all samples of a source, in
 * milliseconds. Then the server ends it, and the command fails.
 */
export const wholeSourceTimeoutMs = 10 * 60_000

export type ProjectionState = 'building' | 'current' | 'shadow' | 'retired'

export interface ProjectionRow {
  company_id: string
  source_id: string
  projection_id: number
  shape_version: number
  state: ProjectionState
  /** All stored deliveries are in its backlog. */
  enumerated: boolean
  /** Those up to this receive number are. */
  enumerated_to: string
  created_at: Date
}

/** One at a time begins or switches projections of a source. Before any projection's lock, so that nobody deadlock. */
export const lockSource = defineStatement<{ shape_version: number }, [string, string]>(
  'projections.lock-source',
  `select shape_version from sources where company_id = $1::uuid and source_id = $2::uuid for no key update`,
)

export const retireBuilding = defineStatement<never, [string, string]>(
  'projections.retire-building',
  `
  update projections set state = 'retired'
  where company_id = $1::uuid and source_id = $2::uuid and state = 'building'`,
)

/** $4 is the state: `building` or `shadow`. */
export const insertProjection = defineStatement<
  { projection_id: number },
  [string, string, number, ProjectionState, string]
>(
  'projections.insert',
  `
  insert into projections (company_id, source_id, projection_id, shape_version, state, enumerated, samples_version, created_at)
  values ($1::uuid, $2::uuid, nextval('projection_ids'), $3::int4, $4::text, false, 0, $5::timestamptz)
  returning projection_id`,
)

export interface UnfinishedProjectionRow extends ProjectionRow {
  /** Deliveries wait to be read into it, beside those that were tried before. */
  is_filling: boolean
}

const ofEachCompany = (states: string, isFilling: string): string => `
  with recursive ${companyTurns('projections', `b.state ${states} and $1::bool`, 'b.company_id')}
  select f.company_id, f.source_id, f.projection_id, f.shape_version, f.state, f.enumerated, f.enumerated_to, f.created_at${isFilling}
  from turns t
  cross join lateral (
    select * from projections b where b.state ${states} and b.company_id = t.company_id
    order by b.company_id, b.projection_id
    limit $4::int4
  ) f
  where t.turn > 0
  order by t.turn, f.projection_id`

/**
 * Projections that are being filled, or wait for it: of the companies behind $2, going around, at most $3 of them and the oldest
 * $4 of each. $1 is true.
 */
export const readUnfinishedProjections = defineStatement<
  UnfinishedProjectionRow,
  [true, string, number, number]
>(
  'projections.read-unfinished',
  ofEachCompany(
    `in ('building', 'shadow')`,
    `, exists (
      select from backlog b
      where b.company_id = f.company_id and b.source_id = f.source_id and b.projection_id = f.projection_id and b.projection_id <> 0
        and b.not_before is null
    ) as is_filling`,
  ),
)

/** Projections that are to be removed, likewise. */
export const readRetiredProjections = defineStatement<ProjectionRow, [true, string, number, number]>(
  'projections.read-retired',
  ofEachCompany(`= 'retired'`, ''),
)

/**
 * Until the transaction ends, one process does the maintenance of projections, and waits for a lock as long as $1 says. False where
 * another one is at it.
 */
export const tryMaintenance = defineStatement<{ mine: boolean }, [string]>(
  'projections.try-maintenance',
  `select pg_try_advisory_xact_lock(7862693115) as mine, set_config('lock_timeout', $1::text, true)`,
)

/** Up to which receive number a projection's source is in the backlog so far; under the lock of the maintenance. */
export const readEnumerated = defineStatement<
  { state: ProjectionState; enumerated: boolean; enumerated_to: string },
  [string, string, number]
>(
  'projections.read-enumerated',
  `
  select state, enumerated, enumerated_to from projections
  where company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4`,
)

const storedAfter = (sandbox: boolean): string => `
    (
      select receive_number, company_id, source_id, artifact_id, content_bytes
      from deliveries
      where company_id = $1::uuid and source_id = $2::uuid and sandbox = ${sandbox} and receive_number > $5::int8
      order by receive_number
      limit $6::int4
    )`

/**
 * Puts stored deliveries of a source into the backlog of one of its projections, $6 of them behind the receive number $5; gives
 * their number and the last one's.
 */
export const enumerateDeliveries = defineStatement<
  { deliveries: number; last: string | null },
  [string, string, number, string, string, number]
>(
  'projections.enumerate-deliveries',
  `
  with part as materialized (
    select * from (${storedAfter(false)} union all ${storedAfter(true)}) as both_kinds
    order by receive_number
    limit $6::int4
  ), queued as (
    insert into backlog (receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at)
    select receive_number, $3::int4, company_id, source_id, artifact_id, content_bytes, $4::timestamptz
    from part
    on conflict do nothing
  )
  select count(*)::int4 as deliveries, max(receive_number) as last from part`,
)

/** How far a source is in the backlog: up to the receive number $4, which is all of it where $5 is true. */
export const setEnumerated = defineStatement<never, [string, string, number, string, boolean]>(
  'projections.set-enumerated',
  `
  update projections set enumerated_to = $4::int8, enumerated = $5::bool
  where company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4 and state <> 'retired'`,
)

/** How far a projection is: how many deliveries are still to be read into it. No row for a projection that is gone. */
export const readProgress = defineStatement<
  { state: ProjectionState; enumerated: boolean; waiting: number },
  [string, string, number]
>(
  'projections.read-progress',
  `
  select f.state, f.enumerated, (
    select count(*)::int4 from backlog b
    where b.company_id = f.company_id and b.source_id = f.source_id and b.projection_id = f.projection_id and b.projection_id <> 0
  ) as waiting
  from projections f
  where f.company_id = $1::uuid and f.source_id = $2::uuid and f.projection_id = $3::int4`,
)

/** The active projections of a source, locked; sorted, as workers lock them too. */
export const lockProjections = defineStatement<
  { projection_id: number; state: ProjectionState; enumerated: boolean },
  [string, string]
>(
  'projections.lock',
  `
  select projection_id, state, enumerated
  from projections
  where company_id = $1::uuid and source_id = $2::uuid and state <> 'retired'
  order by projection_id
  for no key update`,
)

export const isBacklogEmpty = defineStatement<{ empty: boolean }, [string, string, number]>(
  'projections.is-backlog-empty',
  `
  select not exists (
    select from backlog where company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4 and projection_id <> 0
  ) as empty`,
)

/** From the commit on, the projection $3 is read. */
export const switchProjection = defineStatement<never, [string, string, number]>(
  'projections.switch',
  `
  with states as (
    update projections set state = case when projection_id = $3::int4 then 'current' else 'retired' end
    where company_id = $1::uuid and source_id = $2::uuid
      and (projection_id = $3::int4 and state = 'building' or projection_id <> $3::int4 and state = 'current')
  )
  update sources set projection_id = $3::int4 where company_id = $1::uuid and source_id = $2::uuid`,
)

export const retireProjection = defineStatement<never, [string, string, number]>(
  'projections.retire',
  `
  update projections set state = 'retired'
  where company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4 and state in ('building', 'shadow')`,
)

/** Some cells of a projection, at most $4. */
export const readCells = defineStatement<{ cell_id: string }, [string, string, number, number]>(
  'projections.read-cells',
  `
  select cell_id from samples
  where company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4
  limit $4::int4`,
)

/** Only a shadow that is a day old at $4, and by the database's own clock: what it holds is removed for good. */
export const retireShadow = defineStatement<never, [string, string, number, string]>(
  'projections.retire-shadow',
  `
  update projections set state = 'retired'
  where company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4 and state = 'shadow'
    and created_at < least($4::timestamptz, clock_timestamp()) - interval '24 hours'`,
)

const deleteSome = (table: string, where: string, limit: string): string => `
  delete from ${table} where ctid = any (array(select ctid from ${table} where ${where} limit ${limit}::int4))`

const ofCells = `company_id = $1::uuid and cell_id = any ($2::uuid[])`
const ofProjection = `company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4`

/** At most $3 contributions to the cells $2, and so on: a cell may have millions. */
export const deleteContributions = defineStatement<never, [string, Buffer, number]>(
  'projections.delete-contributions',
  deleteSome('contributions', ofCells, '$3'),
)
export const deleteDistinctValues = defineStatement<never, [string, Buffer, number]>(
  'projections.delete-distinct-values',
  deleteSome('distinct_values', ofCells, '$3'),
)
export const deleteSamples = defineStatement<never, [string, Buffer, number]>(
  'projections.delete-samples',
  deleteSome('samples', ofCells, '$3'),
)

/** At most $4 rows of a projection, table by table; the projection itself last. */
export const deleteOfProjection = (
  ['period_deliveries', 'period_owners', 'parse_results', 'backlog', 'projections'] as const
).map((table) =>
  defineStatement<never, [string, string, number, number]>(
    `result.delete-${table}`,
    deleteSome(table, table === 'backlog' ? `${ofProjection} and projection_id <> 0` : ofProjection, '$4'),
  ),
)

export interface ProjectionDifference {
  sandbox: boolean
  metric: string
  period_start: string
  labels: string
  /** `null` in the current projection, or in the projection it is compared with: there is no such sample. */
  current_value: string | null
  anew_value: string | null
  current_event_at: string | null
  anew_event_at: string | null
  current_artifact_id: string | null
  anew_artifact_id: string | null
}

/** Samples that differ between the projections $3 and $4 of a source, both ways; at most $5. */
export const compareSamples = defineStatement<ProjectionDifference, [string, string, number, number, number]>(
  'projections.compare-samples',
  `
  with of_current as (
    select sandbox, metric, period_start, labels, value, event_at, artifact_id from samples
    where company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4
  ), of_anew as (
    select sandbox, metric, period_start, labels, value, event_at, artifact_id from samples
    where company_id = $1::uuid and source_id = $2::uuid and projection_id = $4::int4
  )
  select sandbox, metric, period_start, labels,
    trim_scale(c.value)::text as current_value, trim_scale(a.value)::text as anew_value,
    trim_scale(c.event_at)::text as current_event_at, trim_scale(a.event_at)::text as anew_event_at,
    c.artifact_id as current_artifact_id, a.artifact_id as anew_artifact_id
  from of_current c
  full join of_anew a using (sandbox, metric, period_start, labels)
  where (c.value, c.event_at, c.artifact_id) is distinct from (a.value, a.event_at, a.artifact_id)
  order by period_start desc, metric, labels, sandbox
  limit $5::int4`,
)

/** Deliveries that were read into one of the projections $3 and $4 and not into the other. */
export const countReadApart = defineStatement<{ deliveries: number }, [string, string, number, number]>(
  'projections.count-read-apart',
  `
  select count(*)::int4 as deliveries
  from (
    select receive_number from parse_results where company_id = $1::uuid and source_id = $2::uuid and projection_id = $3::int4
  ) c
  full join (
    select receive_number from parse_results where company_id = $1::uuid and source_id = $2::uuid and projection_id = $4::int4
  ) a using (receive_number)
  where c.receive_number is null or a.receive_number is null`,
)

/** The sources to rebuild, with the projection that is read and its shape version. Null stands for all. */
export const readSourcesToCompare = defineStatement<
  { company_id: string; source_id: string; projection_id: number; shape_version: number },
  [string | null, string | null]
>(
  'projections.read-sources-to-compare',
  `
  select s.company_id, s.source_id, s.projection_id, f.shape_version
  from sources s
  join projections f on f.company_id = s.company_id and f.source_id = s.source_id and f.projection_id = s.projection_id
  where ($1::uuid is null or s.company_id = $1::uuid) and ($2::uuid is null or s.source_id = $2::uuid)
  order by s.company_id, s.source_id`,
)
