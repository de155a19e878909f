import { defineStatement } from '../../platform/database/define-statement.ts'
import { isParsedElsewhere } from '../../people/companies/moves/elsewhere.ts'
import { companyTurns } from '../backlog/company-turns.ts'
import { selectQueue } from '../backlog/queues.ts'

/** Statements about whole projections: beginning, filling, switching, comparing and removing them. */

/** A `trial` is only filled, to be compared with the current one. */
export type ProjectionState = 'building' | 'current' | 'trial' | 'retired'

export type SourceKey = {
  companyId: string
  sourceId: string
}

export type ProjectionKey = SourceKey & { projectionId: number }

export interface ProjectionRow {
  company_id: string
  source_id: string
  projection_id: number
  shape_version: number
  state: ProjectionState
  /** All stored deliveries are in its backlog. */
  enumerated: boolean
  /** The receive number up to which they are. */
  enumerated_to: string
  created_at: Date
}

const ofSource = `company_id = $companyId::uuid and source_id = $sourceId::uuid`
const ofProjection = `${ofSource} and projection_id = $projectionId::int4`

/**
 * One transaction at a time begins or switches projections of a source. Taken before locks of projections: no deadlock.
 */
export const lockSource = defineStatement<never, SourceKey>(
  'projections.lock-source',
  `select from sources where ${ofSource} for no key update`,
)

export const retireBuilding = defineStatement<never, SourceKey>(
  'projections.retire-building',
  `update projections set state = 'retired' where ${ofSource} and state = 'building'`,
)

/** A projection that is to be built by a shape version, of whose deliveries none is in its backlog yet. */
export const selectWaitingBuilding = defineStatement<
  { projection_id: number },
  SourceKey & { shapeVersion: number }
>(
  'projections.select-waiting-building',
  `
  select projection_id from projections
  where ${ofSource} and state = 'building' and shape_version = $shapeVersion::int4
    and not enumerated and enumerated_to = 0
  limit 1`,
)

export const insertProjection = defineStatement<
  { projection_id: number },
  SourceKey & { shapeVersion: number; state: ProjectionState; createdAt: string }
>(
  'projections.insert',
  `
  with numbered as (
    update sources set last_projection_id = last_projection_id + 1
    where ${ofSource}
    returning company_id, source_id, last_projection_id
  )
  insert into projections (company_id, source_id, projection_id, shape_version, state, enumerated, samples_version, created_at)
  select numbered.company_id, numbered.source_id, numbered.last_projection_id, $shapeVersion::int4, $state::text, false, 0,
    $createdAt::timestamptz
  from numbered
  returning projection_id`,
)

export interface UnfinishedProjectionRow extends ProjectionRow {
  /** Deliveries that were not tried before wait to be parsed into it. */
  is_filling: boolean
}

export type CompanyTurnsParams = {
  /** The shard of the connection. */
  shard: number
  afterCompany: string
  companiesMax: number
  projectionsMax: number
}

function ofEachCompany(state: string, isFilling: string, condition = 'true'): string {
  const isSelected = `projections.state ${state} and ${condition}`
  return `
  with recursive ${companyTurns('projections', isSelected, 'projections.company_id')}
  select oldest.company_id, oldest.source_id, oldest.projection_id, oldest.shape_version, oldest.state, oldest.enumerated,
    oldest.enumerated_to, oldest.created_at${isFilling}
  from turns
  cross join lateral (
    select projections.company_id, projections.source_id, projections.projection_id, projections.shape_version,
      projections.state, projections.enumerated, projections.enumerated_to, projections.created_at
    from projections where ${isSelected} and projections.company_id = turns.company_id
    order by projections.company_id, projections.created_at, projections.source_id
    limit $projectionsMax::int4
  ) oldest
  where turns.turn > 0 and not ${isParsedElsewhere('turns.company_id')}
  order by turns.turn, oldest.created_at, oldest.source_id, oldest.projection_id`
}

/**
 * Projections that are being filled or wait for it: of at most `$companiesMax` companies after `$afterCompany`,
 * wrapping around, and of each at most the oldest `$projectionsMax`. None of companies that are parsed elsewhere.
 */
export const readUnfinishedProjections = defineStatement<UnfinishedProjectionRow, CompanyTurnsParams>(
  'projections.read-unfinished',
  ofEachCompany(
    `in ('building', 'trial')`,
    `, exists (
      select from backlog
      where backlog.company_id = oldest.company_id and backlog.source_id = oldest.source_id
        and backlog.projection_id = oldest.projection_id and backlog.projection_id <> 0 and backlog.not_before is null
    ) as is_filling`,
  ),
)

/**
 * Projections to be removed, selected in the same way: those from which samples were never read, and those from which they
 * were, once that is `$graceMs` ago by the database's clock.
 */
export const readRetiredProjections = defineStatement<
  ProjectionRow,
  CompanyTurnsParams & { graceMs: number }
>(
  'projections.read-retired',
  ofEachCompany(
    `= 'retired'`,
    '',
    `(projections.retired_at is null
        or projections.retired_at <= clock_timestamp() - $graceMs::int4 * interval '1 millisecond')`,
  ),
)

/**
 * Makes this process the only one that maintains the shard’s projections until the transaction ends, with a lock timeout of
 * `$lockTimeout`. False if another one does so already.
 */
export const tryMaintenance = defineStatement<{ mine: boolean }, { shard: number; lockTimeout: string }>(
  'projections.try-maintenance',
  `select pg_try_advisory_xact_lock(7862693115 + $shard::int4) as mine,
     set_config('lock_timeout', $lockTimeout::text, true)`,
)

/** How far a projection's backlog has been filled. To be read while holding the maintenance lock. */
export const readEnumerated = defineStatement<
  { state: ProjectionState; enumerated: boolean; enumerated_to: string },
  ProjectionKey
>(
  'projections.read-enumerated',
  `select state, enumerated, enumerated_to from projections where ${ofProjection}`,
)

function storedAfter(sandbox: boolean): string {
  return `
    (
      select receive_number, company_id, source_id, artifact_id, content_bytes
      from deliveries
      where ${ofSource} and sandbox = ${sandbox} and receive_number > $after::int8
      order by receive_number
      limit $deliveriesMax::int4
    )`
}

/**
 * Puts stored deliveries of a source into the backlog of one of its projections, at most `$deliveriesMax` after the
 * receive number `$after`; returns how many, and the last one's receive number.
 */
export const enumerateDeliveries = defineStatement<
  { deliveries: number; last: string | null },
  ProjectionKey & { queuedAt: string; after: string; deliveriesMax: number }
>(
  'projections.enumerate-deliveries',
  `
  with part as materialized (
    select receive_number, company_id, source_id, artifact_id, content_bytes
    from (${storedAfter(false)} union all ${storedAfter(true)}) as both_kinds
    order by receive_number
    limit $deliveriesMax::int4
  ), queued as (
    insert into backlog (
      receive_number, projection_id, company_id, source_id, artifact_id, content_bytes, queued_at, queue
    )
    select
      receive_number, $projectionId::int4, company_id, source_id, artifact_id, content_bytes, $queuedAt::timestamptz,
      ${selectQueue('$projectionId::int4', 'content_bytes')}
    from part
    on conflict do nothing
  )
  select count(*)::int4 as deliveries, max(receive_number) as last from part`,
)

/**
 * Stores how far a projection's backlog has been filled: up to `$enumeratedTo`, with `$added` deliveries more than
 * before, and completely if `$enumerated`.
 */
export const setEnumerated = defineStatement<
  never,
  ProjectionKey & { enumeratedTo: string; enumerated: boolean; added: number }
>(
  'projections.set-enumerated',
  `
  update projections set enumerated_to = $enumeratedTo::int8, enumerated = $enumerated::bool,
    deliveries = deliveries + $added::int4
  where ${ofProjection} and state <> 'retired'`,
)

/** A projection's progress: how many deliveries are still to be parsed into it. No row if it no longer exists. */
export const readProgress = defineStatement<
  { state: ProjectionState; enumerated: boolean; waiting: number },
  ProjectionKey
>(
  'projections.read-progress',
  `
  select state, enumerated, (
    select count(*)::int4 from backlog where ${ofProjection} and projection_id <> 0
  ) as waiting
  from projections
  where ${ofProjection}`,
)

/** Locks the projections of a source that are not retired, in the order in which workers lock them. */
export const lockProjections = defineStatement<
  { projection_id: number; state: ProjectionState; enumerated: boolean },
  SourceKey
>(
  'projections.lock',
  `
  select projection_id, state, enumerated
  from projections
  where ${ofSource} and state <> 'retired'
  order by projection_id
  for no key update`,
)

export const isBacklogEmpty = defineStatement<{ empty: boolean }, ProjectionKey>(
  'projections.is-backlog-empty',
  `select not exists (select from backlog where ${ofProjection} and projection_id <> 0) as empty`,
)

/** From the commit on, samples are read from this projection. */
export const switchProjection = defineStatement<never, ProjectionKey>(
  'projections.switch',
  `
  with replaced as (
    update projections set state = 'retired', retired_at = statement_timestamp()
    where ${ofSource} and projection_id <> $projectionId::int4 and state = 'current'
  ), completed as (
    update projections set state = 'current'
    where ${ofProjection} and state = 'building'
  )
  update sources set projection_id = $projectionId::int4 where ${ofSource}`,
)

export const retireProjection = defineStatement<never, ProjectionKey>(
  'projections.retire',
  `update projections set state = 'retired' where ${ofProjection} and state in ('building', 'trial')`,
)

/** Some cells of a projection. */
export const readCells = defineStatement<{ cell_id: string }, ProjectionKey & { cellsMax: number }>(
  'projections.read-cells',
  `select cell_id from samples where ${ofProjection} limit $cellsMax::int4`,
)

/**
 * Retires a trial rebuild if it is a day old at `$at` and by the database's own clock: its data is deleted for good.
 */
export const retireTrial = defineStatement<never, ProjectionKey & { at: string }>(
  'projections.retire-trial',
  `
  update projections set state = 'retired'
  where ${ofProjection} and state = 'trial'
    and created_at < least($at::timestamptz, statement_timestamp()) - interval '24 hours'`,
)

function deleteSome(table: string, where: string): string {
  return `
  delete from ${table} where ctid = any (array(select ctid from ${table} where ${where} limit $rowsMax::int4))`
}

const ofCells = `company_id = $companyId::uuid and cell_id = any ($cellIds::uuid[])`

export type CellsToDelete = {
  companyId: string
  cellIds: Buffer
  /** A cell may have millions of contributions. */
  rowsMax: number
}

export const deleteContributions = defineStatement<never, CellsToDelete>(
  'projections.delete-contributions',
  deleteSome('contributions', ofCells),
)
export const deleteDistinctValues = defineStatement<never, CellsToDelete>(
  'projections.delete-distinct-values',
  deleteSome('distinct_values', ofCells),
)
export const deleteSamples = defineStatement<never, CellsToDelete>(
  'projections.delete-samples',
  deleteSome('samples', ofCells),
)

/** Delete at most `$rowsMax` rows of a projection each, table by table; the projection itself last. */
export const deleteOfProjection = (
  ['period_deliveries', 'period_owners', 'parse_results', 'backlog', 'projections'] as const
).map((table) =>
  defineStatement<never, ProjectionKey & { rowsMax: number }>(
    `projections.delete-${table.replaceAll('_', '-')}`,
    deleteSome(table, table === 'backlog' ? `${ofProjection} and projection_id <> 0` : ofProjection),
  ),
)

export interface ProjectionDifference {
  sandbox: boolean
  metric: string
  period_start: string
  labels: string
  /** `null` here or in `rebuilt_value`: that projection has no such sample. */
  current_value: string | null
  rebuilt_value: string | null
  current_event_at: string | null
  rebuilt_event_at: string | null
  current_artifact_id: string | null
  rebuilt_artifact_id: string | null
}

/** Two projections of a source. */
export type ComparedProjections = SourceKey & { currentId: number; trialId: number }

function selectSamples(projectionId: string): string {
  return `
    select sandbox, metric, period_start, labels, value, event_at, artifact_id from samples
    where ${ofSource} and projection_id = ${projectionId}::int4`
}

/** Samples that differ between two projections or are in only one of them. */
export const compareSamples = defineStatement<
  ProjectionDifference,
  ComparedProjections & { differencesMax: number }
>(
  'projections.compare-samples',
  `
  with of_current as (${selectSamples('$currentId')}
  ), of_trial as (${selectSamples('$trialId')}
  )
  select sandbox, metric, period_start, labels,
    trim_scale(of_current.value)::text as current_value, trim_scale(of_trial.value)::text as rebuilt_value,
    trim_scale(of_current.event_at)::text as current_event_at, trim_scale(of_trial.event_at)::text as rebuilt_event_at,
    of_current.artifact_id as current_artifact_id, of_trial.artifact_id as rebuilt_artifact_id
  from of_current
  full join of_trial using (sandbox, metric, period_start, labels)
  where (of_current.value, of_current.event_at, of_current.artifact_id)
    is distinct from (of_trial.value, of_trial.event_at, of_trial.artifact_id)
  order by period_start desc, metric, labels, sandbox
  limit $differencesMax::int4`,
)

function parsedInto(projectionId: string): string {
  return `select receive_number from parse_results where ${ofSource} and projection_id = ${projectionId}::int4`
}

/** How many deliveries were parsed into one of two projections but not the other. */
export const countInOneProjectionOnly = defineStatement<{ deliveries: number }, ComparedProjections>(
  'projections.count-in-one-projection-only',
  `
  select count(*)::int4 as deliveries
  from (${parsedInto('$currentId')}) of_current
  full join (${parsedInto('$trialId')}) of_trial using (receive_number)
  where of_current.receive_number is null or of_trial.receive_number is null`,
)

/**
 * The sources to rebuild, with their current projection and its shape version. Null for all of the shard; what is left of
 * companies that moved to another is none of them.
 */
export const readSourcesToCompare = defineStatement<
  { company_id: string; source_id: string; projection_id: number; shape_version: number },
  { shard: number; companyId: string | null; sourceId: string | null }
>(
  'projections.read-sources-to-compare',
  `
  select sources.company_id, sources.source_id, sources.projection_id, projections.shape_version
  from sources
  join projections on projections.company_id = sources.company_id and projections.source_id = sources.source_id
    and projections.projection_id = sources.projection_id
  join companies on companies.company_id = sources.company_id and companies.shard = $shard::int4
  where ($companyId::uuid is null or sources.company_id = $companyId::uuid)
    and ($sourceId::uuid is null or sources.source_id = $sourceId::uuid)
  order by sources.company_id, sources.source_id`,
)
