import { expiredRowsMax } from '../../database/expired-rows.ts'
import type { Context } from '../../service/context.ts'
import { deleteAppTokensPast } from './app-token-queries.ts'
import { deleteCodesPast } from './code-queries.ts'
import { deleteTokensPast } from './token-queries.ts'

/** Deletes access tokens of service connections that opened nothing any more (`DeleteExpired`). */
export async function deleteExpiredTokens({ pool }: Pick<Context, 'pool'>, atMs: number): Promise<number> {
  const deleted = await deleteTokensPast.run(pool, { at: new Date(atMs), rowsMax: expiredRowsMax })
  return deleted.rowCount ?? 0
}

/**
 * Deletes codes that were not exchanged in their five minutes, and used ones whose connection was past its end
 * (`DeleteExpired`).
 */
export async function deleteExpiredCodes({ pool }: Pick<Context, 'pool'>, atMs: number): Promise<number> {
  const deleted = await deleteCodesPast.run(pool, { at: new Date(atMs), rowsMax: expiredRowsMax })
  return deleted.rowCount ?? 0
}

/**
 * Deletes apps' tokens that were past their time (`DeleteExpired`). A refresh token's is the end of its connection,
 * used or not: as long as the connection lives, a second use is seen.
 */
export async function deleteExpiredAppTokens({ pool }: Pick<Context, 'pool'>, atMs: number): Promise<number> {
  const deleted = await deleteAppTokensPast.run(pool, { at: new Date(atMs), rowsMax: expiredRowsMax })
  return deleted.rowCount ?? 0
}
