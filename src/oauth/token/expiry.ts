import { defineExpiry } from '../../platform/database/expired-rows.ts'

/** Access tokens of service connections. */
export const deleteExpiredTokens = defineExpiry('tokens', 'token_hash')

/** Codes that were not exchanged in time, and used ones whose connection was past its end. */
export const deleteExpiredCodes = defineExpiry('authorization_codes', 'code_hash')

/**
 * Tokens of apps. A refresh token, used or not, expires with its connection: as long as that lasts, a second use is
 * noticed.
 */
export const deleteExpiredAppTokens = defineExpiry('app_tokens', 'token_hash')
