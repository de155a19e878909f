import { defineStatement } from '../../../platform/database/define-statement.ts'

export const insertSigningSecret = defineStatement<
  never,
  { companyId: string; sourceId: string; secretId: string; sealed: Buffer; createdAt: Date }
>(
  'sources.insert-signing-secret',
  `insert into webhook_secrets (company_id, source_id, secret_id, sealed, created_at)
   values ($companyId::uuid, $sourceId::uuid, $secretId::uuid, $sealed::bytea, $createdAt::timestamptz)`,
)

/** No row for a webhook source that is older than signing secrets. */
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

/** Secrets of a source that work at `$at`, the current one first. */
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
