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
  /** When the previous signing secret ends; null if none still works. */
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

/** Records or changes the name that the shared schemas know of a source. */
export const upsertSourceName = defineStatement<never, { companyId: string; sourceId: string; name: string }>(
  'sources.upsert-name',
  `insert into source_names as known (source_id, company_id, name)
   values ($sourceId::uuid, $companyId::uuid, $name::text)
   on conflict (source_id) do update set name = excluded.name where known.name <> excluded.name`,
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

/** For a source that is not paused: pausing again must not change when, by whom and why it was. */
export const markPaused = defineStatement<
  never,
  { companyId: string; sourceId: string; at: Date; by: string | null; reason: string | null }
>(
  'sources.mark-paused',
  `update sources
   set paused_at = $at::timestamptz, paused_by = $by::uuid, pause_reason = $reason::text
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

/** Every source of a company. One that is paused stays as it is; its row is written too, so that a resume is waited for. */
export const markAllPaused = defineStatement<never, { companyId: string; at: Date; by: string | null }>(
  'sources.mark-all-paused',
  `update sources
   set paused_by = case when paused_at is null then $by::uuid else paused_by end,
     paused_at = coalesce(paused_at, $at::timestamptz)
   where company_id = $companyId::uuid`,
)

/** Those that were paused at an instant. */
export const markActiveAgain = defineStatement<never, { companyId: string; pausedAt: Date }>(
  'sources.mark-active-again',
  `update sources set paused_at = null, paused_by = null, pause_reason = null
   where company_id = $companyId::uuid and paused_at = $pausedAt::timestamptz`,
)

export const markActive = defineStatement<never, { companyId: string; sourceId: string }>(
  'sources.mark-active',
  `update sources set paused_at = null, paused_by = null, pause_reason = null
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)
