import { defineExpiry } from '../../../platform/database/expired-rows.ts'

/** Signing secrets whose overlap is over. */
export const deleteEndedSigningSecrets = defineExpiry(
  'webhook_secrets',
  'company_id, source_id, secret_id',
  'ends_at',
)
