import { deleteExpiredBy } from '../../database/expired-rows.ts'
import type { Context } from '../../service/context.ts'
import { deleteAppTokensPast } from './app-token-queries.ts'
import { deleteCodesPast } from './code-queries.ts'
import { deleteTokensPast } from './token-queries.ts'

/** Deletes access tokens of service connections that opened nothing any more (`DeleteExpired`). */
export function deleteExpiredTokens({ pool }: Pick<Context, 'pool'>, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteTokensPast, pool, atMs)
}

/**
 * Deletes codes that were not exchanged in their five minutes, and used ones whose connection was past its end
 * (`DeleteExpired`).
 */
export function deleteExpiredCodes({ pool }: Pick<Context, 'pool'>, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteCodesPast, pool, atMs)
}

/**
 * Deletes apps' tokens that were past their time (`DeleteExpired`). A refresh token's is the end of its connection,
 * used or not: as long as the connection lives, a second use is seen.
 */
export function deleteExpiredAppTokens({ pool }: Pick<Context, 'pool'>, atMs: number): Promise<number> {
  return deleteExpiredBy(deleteAppTokensPast, pool, atMs)
}
