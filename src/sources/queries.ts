import { defineStatement } from '../database/define-statement.ts'
import { withinBytes, type WithinBytes } from '../database/within-bytes.ts'
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

export interface ShapeRow {
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
  [
    companyId: string,
    sourceId: string,
    name: string,
    systemKind: string,
    deliveryWay: SourceRow['delivery_way'],
    documentFormat: SourceRow['document_form'],
    distinctSalt: Buffer,
    createdAt: Date,
  ]
>(
  'sources.insert',
  `insert into sources
     (company_id, source_id, name, system_kind, delivery_way, document_form, shape_version, projection_id, distinct_salt,
      created_at)
   values ($1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, 1, 1, $7::bytea, $8::timestamptz)`,
)

/** The first projection is complete as it is made: there is nothing to read yet. */
export const insertFirstProjection = defineStatement<
  never,
  [companyId: string, sourceId: string, createdAt: Date]
>(
  'sources.insert_first_projection',
  `insert into projections
     (company_id, source_id, projection_id, shape_version, state, enumerated, samples_version, created_at)
   values ($1::uuid, $2::uuid, 1, 1, 'current', true, 0, $3::timestamptz)`,
)

export const insertShape = defineStatement<
  never,
  [
    companyId: string,
    sourceId: string,
    shapeVersion: number,
    fields: string,
    eventTime: string,
    metrics: string,
    delivers: Delivers,
    savedBy: string | null,
    savedAt: Date,
  ]
>(
  'sources.insert_shape',
  `insert into shapes
     (company_id, source_id, shape_version, fields, event_time, metrics, delivers, saved_by, saved_at)
   values ($1::uuid, $2::uuid, $3::integer, $4::jsonb, $5::text, $6::jsonb, $7::text, $8::uuid, $9::timestamptz)`,
)

const sourceColumns = `s.source_id, s.name, s.system_kind, s.delivery_way, s.document_form, s.shape_version,
     s.paused_at, s.created_at, h.delivers, s.projection_id, f.samples_version,
     (
       select w.created_at from webhook_secrets w
       where w.company_id = s.company_id and w.source_id = s.source_id and w.ends_at is null
     ) as signing_secret_made_at,
     (
       select max(w.ends_at) from webhook_secrets w
       where w.company_id = s.company_id and w.source_id = s.source_id and w.ends_at > $1::timestamptz
     ) as previous_signing_secret_ends_at`
const currentShape = `sources s
     join shapes h on h.company_id = s.company_id and h.source_id = s.source_id and h.shape_version = s.shape_version
     join projections f on f.company_id = s.company_id and f.source_id = s.source_id and f.projection_id = s.projection_id`

export const selectSource = defineStatement<SourceRow, [at: Date, companyId: string, sourceId: string]>(
  'sources.select',
  `select ${sourceColumns} from ${currentShape}
   where s.company_id = $2::uuid and s.source_id = $3::uuid`,
)

export const selectSources = defineStatement<
  SourceRow,
  [at: Date, companyId: string, after: string | null, limit: number]
>(
  'sources.select_all',
  `select ${sourceColumns} from ${currentShape}
   where s.company_id = $2::uuid and ($3::uuid is null or s.source_id > $3::uuid)
   order by s.source_id
   limit $4::integer`,
)

/** One save or rotation at a time: who waits sees what the other one made. */
export const lockSource = defineStatement<{ shape_version: number }, [companyId: string, sourceId: string]>(
  'sources.lock',
  `select shape_version from sources where company_id = $1::uuid and source_id = $2::uuid for no key update`,
)

/** The versions of a source below $3 (null: all), newest first. */
export const selectShapes = defineStatement<
  ShapeRow & WithinBytes,
  [companyId: string, sourceId: string, before: string | null, limit: number]
>(
  'sources.select_shapes',
  withinBytes(`select h.shape_version, h.fields, h.event_time, h.metrics, h.delivers, h.saved_by, m.name as saved_by_name,
     h.saved_at
   from shapes h left join members m on m.member_id = h.saved_by
   where h.company_id = $1::uuid and h.source_id = $2::uuid
     and ($3::bigint is null or h.shape_version < $3::bigint)
   order by h.shape_version desc
   limit $4::integer`),
)

export const selectShape = defineStatement<
  ShapeRow,
  [companyId: string, sourceId: string, shapeVersion: number]
>(
  'sources.select_shape',
  `select h.shape_version, h.fields, h.event_time, h.metrics, h.delivers, h.saved_by, m.name as saved_by_name,
     h.saved_at
   from shapes h left join members m on m.member_id = h.saved_by
   where h.company_id = $1::uuid and h.source_id = $2::uuid and h.shape_version = $3::integer`,
)

export const updateShapeVersion = defineStatement<
  never,
  [companyId: string, sourceId: string, shapeVersion: number]
>(
  'sources.update_shape_version',
  `update sources set shape_version = $3::integer where company_id = $1::uuid and source_id = $2::uuid`,
)

export const updateSource = defineStatement<
  never,
  [
    companyId: string,
    sourceId: string,
    name: string,
    systemKind: string,
    deliveryWay: SourceRow['delivery_way'],
    documentFormat: SourceRow['document_form'],
  ]
>(
  'sources.update',
  `update sources
   set name = $3::text, system_kind = $4::text, delivery_way = $5::text, document_form = $6::text
   where company_id = $1::uuid and source_id = $2::uuid`,
)

/** A source that is paused already keeps the moment it was paused at. */
export const pauseSourceStatement = defineStatement<
  { source_id: string },
  [companyId: string, sourceId: string, at: Date]
>(
  'sources.pause',
  `update sources set paused_at = coalesce(paused_at, $3::timestamptz)
   where company_id = $1::uuid and source_id = $2::uuid
   returning source_id`,
)

export const resumeSourceStatement = defineStatement<
  { source_id: string },
  [companyId: string, sourceId: string]
>(
  'sources.resume',
  `update sources set paused_at = null
   where company_id = $1::uuid and source_id = $2::uuid
   returning source_id`,
)

export const insertSigningSecret = defineStatement<
  never,
  [companyId: string, sourceId: string, secretId: string, sealed: Buffer, createdAt: Date]
>(
  'sources.insert_signing_secret',
  `insert into webhook_secrets (company_id, source_id, secret_id, sealed, created_at)
   values ($1::uuid, $2::uuid, $3::uuid, $4::bytea, $5::timestamptz)`,
)

/** No row where a webhook source was made before secrets were. */
export const selectCurrentSigningSecret = defineStatement<
  { sealed: Buffer },
  [companyId: string, sourceId: string]
>(
  'sources.select_current_signing_secret',
  `select sealed from webhook_secrets
   where company_id = $1::uuid and source_id = $2::uuid and ends_at is null`,
)

/** The current one becomes the previous one, which works until $3. */
export const endCurrentSigningSecret = defineStatement<
  never,
  [companyId: string, sourceId: string, endsAt: Date]
>(
  'sources.end_current_signing_secret',
  `update webhook_secrets set ends_at = $3::timestamptz
   where company_id = $1::uuid and source_id = $2::uuid and ends_at is null`,
)

export const deletePreviousSigningSecrets = defineStatement<never, [companyId: string, sourceId: string]>(
  'sources.delete_previous_signing_secrets',
  `delete from webhook_secrets
   where company_id = $1::uuid and source_id = $2::uuid and ends_at is not null`,
)

export const deleteSigningSecrets = defineStatement<never, [companyId: string, sourceId: string]>(
  'sources.delete_signing_secrets',
  `delete from webhook_secrets where company_id = $1::uuid and source_id = $2::uuid`,
)

export const deleteEndedSigningSecrets = defineStatement<never, [at: Date, rowsMax: number]>(
  'sources.delete_ended_signing_secrets',
  `delete from webhook_secrets
   where (company_id, source_id, secret_id) in (
     select company_id, source_id, secret_id
     from webhook_secrets
     where ends_at <= $1::timestamptz
     limit $2::integer
     for update skip locked
   )`,
)

interface SealedSigningSecretRow {
  company_id: string
  source_id: string
  secret_id: string
  sealed: Buffer
}

/** At most so many that are sealed under a master key, without those that another such call has taken. */
export const takeSigningSecretsUnder = defineStatement<
  SealedSigningSecretRow,
  { fingerprint: Buffer; rowsMax: number }
>(
  'sources.take_signing_secrets_under',
  `select company_id, source_id, secret_id, sealed from webhook_secrets
   where sealed_under = $fingerprint::bytea
   limit $rowsMax::integer
   for update skip locked`,
)

export const updateSealedSigningSecrets = defineStatement<
  never,
  [companyIds: string[], sourceIds: string[], secretIds: string[], sealed: Buffer[]]
>(
  'sources.update_sealed_signing_secrets',
  `update webhook_secrets as w set sealed = n.sealed
   from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bytea[]) as n (company_id, source_id, secret_id, sealed)
   where w.company_id = n.company_id and w.source_id = n.source_id and w.secret_id = n.secret_id`,
)
