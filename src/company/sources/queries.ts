import { freshnessSql, type FreshnessRow } from '../../people/companies/freshness.ts'
import type { Format } from '../../engine/formats/formats.ts'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../../platform/database/within-bytes.ts'
import type { Delivers, Field, Metric } from '../../engine/declarations/declaration.ts'

export interface SourceRow {
  source_id: string
  name: string
  system_kind: string
  channel: 'push' | 'webhook'
  format: Format | null
  shape_version: number
  revision: number
  paused_at: Date | null
  paused_by: string | null
  paused_by_name: string | null
  pause_reason: string | null
  created_at: Date
  delivers: Delivers
  projection_id: number
  samples_version: string
  /** Null on a push source. */
  signing_secret_created_at: Date | null
  /** When the signing secret before the current one ends; null where none still works. */
  previous_signing_secret_ends_at: Date | null
}

export interface ShapeVersionRow {
  shape_version: number
  fields: Field[]
  event_time: string
  metrics: Metric[]
  delivers: Delivers
  saved_by: string | null
  saved_by_name: string | null
  saved_at: Date
}

export const insertSource = defineStatement<
  never,
  {
    companyId: string
    sourceId: string
    name: string
    systemKind: string
    channel: SourceRow['channel']
    format: SourceRow['format']
    distinctSalt: Buffer
    createdAt: Date
  }
>(
  'sources.insert',
  `insert into sources
     (company_id, source_id, name, system_kind, channel, format, shape_version, projection_id,
      distinct_salt, created_at)
   values ($companyId::uuid, $sourceId::uuid, $name::text, $systemKind::text, $channel::text,
     $format::text, 1, 1, $distinctSalt::bytea, $createdAt::timestamptz)`,
)

/** The first projection is complete from the start: there is nothing to parse yet. */
export const insertFirstProjection = defineStatement<
  never,
  { companyId: string; sourceId: string; createdAt: Date }
>(
  'sources.insert-first-projection',
  `insert into projections
     (company_id, source_id, projection_id, shape_version, state, enumerated, samples_version, created_at)
   values ($companyId::uuid, $sourceId::uuid, 1, 1, 'current', true, 0, $createdAt::timestamptz)`,
)

export const insertShape = defineStatement<
  never,
  {
    companyId: string
    sourceId: string
    shapeVersion: number
    fields: string
    eventTime: string
    metrics: string
    delivers: Delivers
    savedBy: string | null
    savedAt: Date
  }
>(
  'sources.insert-shape',
  `insert into shapes
     (company_id, source_id, shape_version, fields, event_time, metrics, delivers, saved_by, saved_at)
   values ($companyId::uuid, $sourceId::uuid, $shapeVersion::integer, $fields::jsonb, $eventTime::text,
     $metrics::jsonb, $delivers::text, $savedBy::uuid, $savedAt::timestamptz)`,
)

const sourceColumns = `sources.source_id, sources.name, sources.system_kind, sources.channel,
     sources.format, sources.shape_version, sources.revision, sources.paused_at, sources.paused_by,
     members.name as paused_by_name, sources.pause_reason, sources.created_at, shapes.delivers,
     sources.projection_id, projections.samples_version,
     (
       select webhook_secrets.created_at from webhook_secrets
       where webhook_secrets.company_id = sources.company_id and webhook_secrets.source_id = sources.source_id
         and webhook_secrets.ends_at is null
     ) as signing_secret_created_at,
     (
       select max(webhook_secrets.ends_at) from webhook_secrets
       where webhook_secrets.company_id = sources.company_id and webhook_secrets.source_id = sources.source_id
         and webhook_secrets.ends_at > $at::timestamptz
     ) as previous_signing_secret_ends_at`
const currentShape = `sources
     join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
       and shapes.shape_version = sources.shape_version
     join projections on projections.company_id = sources.company_id
       and projections.source_id = sources.source_id and projections.projection_id = sources.projection_id
     left join members on members.member_id = sources.paused_by`

export const selectSource = defineStatement<SourceRow, { at: Date; companyId: string; sourceId: string }>(
  'sources.select',
  `select ${sourceColumns} from ${currentShape}
   where sources.company_id = $companyId::uuid and sources.source_id = $sourceId::uuid`,
)

export const selectSources = defineStatement<
  SourceRow,
  { at: Date; companyId: string; after: string | null; limit: number }
>(
  'sources.select-all',
  `select ${sourceColumns} from ${currentShape}
   where sources.company_id = $companyId::uuid and ($after::uuid is null or sources.source_id > $after::uuid)
   order by sources.source_id
   limit $limit::integer`,
)

export const selectSourceNames = defineStatement<{ source_id: string; name: string }, { companyId: string }>(
  'sources.select-names',
  `select source_id, name from sources where company_id = $companyId::uuid`,
)

/** One save or rotation at a time: the one that waits sees what the other wrote. */
export const lockSourceRow = defineStatement<
  { shape_version: number; name: string; paused: boolean },
  { companyId: string; sourceId: string }
>(
  'sources.lock',
  `select shape_version, name, paused_at is not null as paused from sources
   where company_id = $companyId::uuid and source_id = $sourceId::uuid
   for no key update`,
)

/** The versions of a source below `$before` (null: all), newest first. */
export const selectShapes = defineStatement<
  ShapeVersionRow & WithinBytes,
  { companyId: string; sourceId: string; before: string | null; limit: number }
>(
  'sources.select-shapes',
  withinBytes(`select shapes.shape_version, shapes.fields, shapes.event_time, shapes.metrics, shapes.delivers,
     shapes.saved_by, members.name as saved_by_name, shapes.saved_at
   from shapes left join members on members.member_id = shapes.saved_by
   where shapes.company_id = $companyId::uuid and shapes.source_id = $sourceId::uuid
     and ($before::bigint is null or shapes.shape_version < $before::bigint)
   order by shapes.shape_version desc
   limit $limit::integer`),
)

export const selectShape = defineStatement<
  ShapeVersionRow,
  { companyId: string; sourceId: string; shapeVersion: number }
>(
  'sources.select-shape',
  `select shapes.shape_version, shapes.fields, shapes.event_time, shapes.metrics, shapes.delivers,
     shapes.saved_by, members.name as saved_by_name, shapes.saved_at
   from shapes left join members on members.member_id = shapes.saved_by
   where shapes.company_id = $companyId::uuid and shapes.source_id = $sourceId::uuid
     and shapes.shape_version = $shapeVersion::integer`,
)

export const updateShapeVersion = defineStatement<
  never,
  { companyId: string; sourceId: string; shapeVersion: number }
>(
  'sources.update-shape-version',
  `update sources set shape_version = $shapeVersion::integer, revision = revision + 1
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

export const updateSource = defineStatement<
  never,
  {
    companyId: string
    sourceId: string
    name: string
    systemKind: string
    channel: SourceRow['channel']
    format: SourceRow['format']
  }
>(
  'sources.update',
  `update sources
   set name = $name::text, system_kind = $systemKind::text, channel = $channel::text,
     format = $format::text, revision = revision + 1
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

/** Of a source that is not paused: one that is keeps when, by whom and why it was. */
export const markPaused = defineStatement<
  never,
  { companyId: string; sourceId: string; at: Date; by: string | null; reason: string | null }
>(
  'sources.mark-paused',
  `update sources
   set paused_at = $at::timestamptz, paused_by = $by::uuid, pause_reason = $reason::text
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

export const markActive = defineStatement<never, { companyId: string; sourceId: string }>(
  'sources.mark-active',
  `update sources set paused_at = null, paused_by = null, pause_reason = null
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

export const insertSigningSecret = defineStatement<
  never,
  { companyId: string; sourceId: string; secretId: string; sealed: Buffer; createdAt: Date }
>(
  'sources.insert-signing-secret',
  `insert into webhook_secrets (company_id, source_id, secret_id, sealed, created_at)
   values ($companyId::uuid, $sourceId::uuid, $secretId::uuid, $sealed::bytea, $createdAt::timestamptz)`,
)

/** No row for a webhook source from before there were signing secrets. */
export const selectCurrentSigningSecret = defineStatement<
  { sealed: Buffer },
  { companyId: string; sourceId: string }
>(
  'sources.select-current-signing-secret',
  `select sealed from webhook_secrets
   where company_id = $companyId::uuid and source_id = $sourceId::uuid and ends_at is null`,
)

/** The current one becomes the previous one, which works until `$endsAt`. */
export const endCurrentSigningSecret = defineStatement<
  never,
  { companyId: string; sourceId: string; endsAt: Date }
>(
  'sources.end-current-signing-secret',
  `update webhook_secrets set ends_at = $endsAt::timestamptz
   where company_id = $companyId::uuid and source_id = $sourceId::uuid and ends_at is null`,
)

/** Those of a source that work at `$at`, the current one first. */
export const selectActiveSigningSecrets = defineStatement<
  { created_at: Date; ends_at: Date | null },
  { companyId: string; sourceId: string; at: Date }
>(
  'sources.select-active-signing-secrets',
  `select created_at, ends_at from webhook_secrets
   where company_id = $companyId::uuid and source_id = $sourceId::uuid
     and (ends_at is null or ends_at > $at::timestamptz)
   order by ends_at desc nulls first
   limit 10`,
)

export const deletePreviousSigningSecrets = defineStatement<never, { companyId: string; sourceId: string }>(
  'sources.delete-previous-signing-secrets',
  `delete from webhook_secrets
   where company_id = $companyId::uuid and source_id = $sourceId::uuid and ends_at is not null`,
)

export const deleteSigningSecrets = defineStatement<never, { companyId: string; sourceId: string }>(
  'sources.delete-signing-secrets',
  `delete from webhook_secrets where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

export interface ActivityRow extends FreshnessRow {
  source_id: string
  /** Null, like what follows, where it has no delivery. */
  artifact_id: string | null
  idempotency_key: string
  received_at: Date
  sandbox: boolean
  /** Null, like what follows, while it is queued. */
  state: 'parsed' | 'unreadable' | null
  rows_accepted: number | null
  rows_refused: number | null
  rows_date_alone: number | null
  /** Of the rebuild that is under way; null where there is none. */
  enumerated: boolean | null
  is_begun: boolean
  total: number
  waiting: number
  /** Some of those that wait have not been tried yet. */
  has_untried: boolean
  /** When two thirds of what is done were done, and how many those were; null while nothing is. */
  two_thirds_at: Date | null
  two_thirds_done: number | null
}

/** The last delivery of a source, test or production. */
function lastDelivery(sandbox: boolean): string {
  return `(
      select deliveries.artifact_id, deliveries.idempotency_key, deliveries.received_at, deliveries.sandbox,
        deliveries.receive_number
      from deliveries
      where deliveries.company_id = sources.company_id and deliveries.source_id = sources.source_id
        and deliveries.sandbox = ${sandbox}
      order by deliveries.receive_number desc
      limit 1
    )`
}

const waitingForProjection = `from backlog
         where backlog.company_id = projections.company_id and backlog.source_id = projections.source_id
           and backlog.projection_id = projections.projection_id and backlog.projection_id <> 0`

/**
 * When two thirds of what a rebuild has done were done, and how many those were: rounds take the deliveries received first,
 * and write one time for all of theirs. What has come in since it began is parsed too, and was received later.
 */
const twoThirds = `(
       select of_round.parsed_at, begun.skipped + count(*)::int4 as done
       from (
         select greatest(0, least($skippedMax::int4, (projections.deliveries - backlogged.waiting) * 2 / 3))::int4 as skipped
       ) as begun
       cross join lateral (
         select parse_results.parsed_at
         from parse_results
         where parse_results.company_id = projections.company_id and parse_results.source_id = projections.source_id
           and parse_results.projection_id = projections.projection_id
         order by parse_results.receive_number
         offset begun.skipped
         limit greatest(0, least($roundMax::int4, projections.deliveries - backlogged.waiting - begun.skipped))
       ) as of_round
       group by of_round.parsed_at, begun.skipped
       order by of_round.parsed_at
       limit 1
     )`

const freshnessOfSource = freshnessSql({
  companyId: 'sources.company_id',
  sourceId: 'sources.source_id',
  pausedAt: 'sources.paused_at',
})

/**
 * How sources are doing at `$at`: the last delivery (in production, or without one the last test delivery), whether they
 * are late, and how far a rebuild is, of whose waiting deliveries at most `$waitingMax` are counted, and of whose parsed
 * ones at most `$skippedMax` and a round are looked through. Each is a few looks into an index.
 */
export const selectActivity = defineStatement<
  ActivityRow,
  {
    companyId: string
    sourceIds: string[]
    at: Date
    waitingMax: number
    skippedMax: number
    roundMax: number
  }
>(
  'sources.select-activity',
  `select sources.source_id, last_one.artifact_id, last_one.idempotency_key, last_one.received_at, last_one.sandbox,
     result.state, result.rows_accepted, result.rows_refused, result.rows_date_alone, freshness.last_received_at,
     freshness.usual_seconds, freshness.late, rebuild.enumerated, rebuild.is_begun, rebuild.total, rebuild.waiting,
     rebuild.has_untried, rebuild.two_thirds_at, rebuild.two_thirds_done
   from unnest($sourceIds::uuid[]) as wanted (source_id)
   join sources on sources.company_id = $companyId::uuid and sources.source_id = wanted.source_id
   left join lateral (
     select either.artifact_id, either.idempotency_key, either.received_at, either.sandbox, either.receive_number
     from (${lastDelivery(false)} union all ${lastDelivery(true)}) as either
     order by either.sandbox
     limit 1
   ) as last_one on true
   left join lateral (
     select parse_results.state, parse_results.rows_accepted, parse_results.rows_refused, parse_results.rows_date_alone
     from parse_results
     where parse_results.company_id = sources.company_id and parse_results.source_id = sources.source_id
       and parse_results.projection_id = sources.projection_id
       and parse_results.receive_number = last_one.receive_number
     limit 1
   ) as result on true
   cross join lateral ${freshnessOfSource} as freshness
   left join lateral (
     select projections.enumerated, projections.enumerated or projections.enumerated_to > 0 as is_begun,
       projections.deliveries::float8 as total, backlogged.waiting,
       exists (select ${waitingForProjection} and backlog.attempts = 0) as has_untried,
       two_thirds.parsed_at as two_thirds_at, two_thirds.done as two_thirds_done
     from projections
     cross join lateral (
       select count(*)::int4 as waiting
       from (select ${waitingForProjection} limit $waitingMax::int4 + 1) as counted
     ) as backlogged
     left join lateral ${twoThirds} as two_thirds on true
     where projections.company_id = sources.company_id and projections.source_id = sources.source_id
       and projections.state = 'building'
     limit 1
   ) as rebuild on true`,
)

/** How many deliveries of a source are stored, at most `$deliveriesMax` counted, and the bytes of those. */
export const countStoredDeliveries = defineStatement<
  { deliveries: number; content_bytes: number },
  { companyId: string; sourceId: string; deliveriesMax: number }
>(
  'sources.count-stored-deliveries',
  `select count(*)::int4 as deliveries, coalesce(sum(counted.content_bytes), 0)::float8 as content_bytes
   from (
     select deliveries.content_bytes
     from deliveries
     where deliveries.company_id = $companyId::uuid and deliveries.source_id = $sourceId::uuid
     -- By the index: where most rows are the source's, the table would be read from its beginning otherwise.
     order by deliveries.sandbox, deliveries.receive_number
     limit $deliveriesMax::int4
   ) as counted`,
)
