import { defineStatement } from '../database/define-statement.ts'
import { deleteSomeRows } from '../database/expired-rows.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'
import { takeSealed } from '../keys/sealed-rows.ts'
import type { Delivers, Field, Metric } from './declaration.ts'

export interface SourceRow {
  source_id: string
  name: string
  system_kind: string
  delivery_way: 'push' | 'webhook'
  document_form: 'json' | 'json_lines' | 'csv' | 'sie' | null
  shape_version: number
  paused_at: Date | null
  created_at: Date
  delivers: Delivers
  projection_id: number
  samples_version: string
  /** Null on a push source. */
  signing_secret_made_at: Date | null
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
    deliveryWay: SourceRow['delivery_way']
    documentFormat: SourceRow['document_form']
    distinctSalt: Buffer
    createdAt: Date
  }
>(
  'sources.insert',
  `insert into sources
     (company_id, source_id, name, system_kind, delivery_way, document_form, shape_version, projection_id,
      distinct_salt, created_at)
   values ($companyId::uuid, $sourceId::uuid, $name::text, $systemKind::text, $deliveryWay::text,
     $documentFormat::text, 1, 1, $distinctSalt::bytea, $createdAt::timestamptz)`,
)

/** The first projection is complete as it is made: there is nothing to read yet. */
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

const sourceColumns = `sources.source_id, sources.name, sources.system_kind, sources.delivery_way,
     sources.document_form, sources.shape_version, sources.paused_at, sources.created_at, shapes.delivers,
     sources.projection_id, projections.samples_version,
     (
       select webhook_secrets.created_at from webhook_secrets
       where webhook_secrets.company_id = sources.company_id and webhook_secrets.source_id = sources.source_id
         and webhook_secrets.ends_at is null
     ) as signing_secret_made_at,
     (
       select max(webhook_secrets.ends_at) from webhook_secrets
       where webhook_secrets.company_id = sources.company_id and webhook_secrets.source_id = sources.source_id
         and webhook_secrets.ends_at > $at::timestamptz
     ) as previous_signing_secret_ends_at`
const currentShape = `sources
     join shapes on shapes.company_id = sources.company_id and shapes.source_id = sources.source_id
       and shapes.shape_version = sources.shape_version
     join projections on projections.company_id = sources.company_id
       and projections.source_id = sources.source_id and projections.projection_id = sources.projection_id`

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

/** One save or rotation at a time: the one that waits sees what the other made. */
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
  `update sources set shape_version = $shapeVersion::integer
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

export const updateSource = defineStatement<
  never,
  {
    companyId: string
    sourceId: string
    name: string
    systemKind: string
    deliveryWay: SourceRow['delivery_way']
    documentFormat: SourceRow['document_form']
  }
>(
  'sources.update',
  `update sources
   set name = $name::text, system_kind = $systemKind::text, delivery_way = $deliveryWay::text,
     document_form = $documentFormat::text
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

/** A source that is already paused keeps the moment at which it was paused. */
export const markPaused = defineStatement<never, { companyId: string; sourceId: string; at: Date }>(
  'sources.mark-paused',
  `update sources set paused_at = $at::timestamptz
   where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

export const markActive = defineStatement<never, { companyId: string; sourceId: string }>(
  'sources.mark-active',
  `update sources set paused_at = null
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

/** No row for a webhook source that was made before there were signing secrets. */
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

export const deletePreviousSigningSecrets = defineStatement<never, { companyId: string; sourceId: string }>(
  'sources.delete-previous-signing-secrets',
  `delete from webhook_secrets
   where company_id = $companyId::uuid and source_id = $sourceId::uuid and ends_at is not null`,
)

export const deleteSigningSecrets = defineStatement<never, { companyId: string; sourceId: string }>(
  'sources.delete-signing-secrets',
  `delete from webhook_secrets where company_id = $companyId::uuid and source_id = $sourceId::uuid`,
)

export const deleteSigningSecretsEndedBy = defineStatement<never, { at: Date; rowsMax: number }>(
  'sources.delete-signing-secrets-ended-by',
  deleteSomeRows('webhook_secrets', 'company_id, source_id, secret_id', 'ends_at <= $at::timestamptz'),
)

interface SealedSigningSecretRow {
  company_id: string
  source_id: string
  secret_id: string
  sealed: Buffer
}

export const takeSigningSecretsUnder = defineStatement<
  SealedSigningSecretRow,
  { fingerprint: Buffer; rowsMax: number }
>(
  'sources.take-signing-secrets-under',
  takeSealed('webhook_secrets', 'company_id, source_id, secret_id', 'sealed'),
)

export const updateSealedSigningSecrets = defineStatement<
  never,
  { companyIds: string[]; sourceIds: string[]; secretIds: string[]; sealed: Buffer[] }
>(
  'sources.update-sealed-signing-secrets',
  `update webhook_secrets set sealed = resealed.sealed
   from unnest($companyIds::uuid[], $sourceIds::uuid[], $secretIds::uuid[], $sealed::bytea[])
     as resealed (company_id, source_id, secret_id, sealed)
   where webhook_secrets.company_id = resealed.company_id and webhook_secrets.source_id = resealed.source_id
     and webhook_secrets.secret_id = resealed.secret_id`,
)
