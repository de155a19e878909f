import { defineExpiry } from '../../platform/database/expired-rows.ts'

/** Deletes credentials whose overlap was over. */
export const deleteEndedCredentials = defineExpiry('credentials', 'credential_hash', 'ends_at')
