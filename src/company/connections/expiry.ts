import { defineExpiry } from '../../platform/database/expired-rows.ts'

/** Credentials whose overlap is over. */
export const deleteEndedCredentials = defineExpiry('credentials', 'credential_hash', 'ends_at')
