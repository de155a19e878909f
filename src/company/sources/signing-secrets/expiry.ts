import { defineExpiry } from '../../../platform/database/expired-rows.ts'

/** Deletes signing secrets whose overlap was over. */
export const deleteEndedSigningSecrets = defineExpiry(
  'webhook_secrets',
  'company_id, source_id, secret_id',
  'ends_at',
)
