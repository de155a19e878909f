import { defineExpiry } from '../../platform/database/expired-rows.ts'

export const deleteExpiredSessions = defineExpiry('sessions', 'session_hash')
