import type { Context } from '../../context.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { readLimits } from './limits.ts'
import { countUsed, countCreatedConnections } from './queries.ts'

/** Connections of a company with those that are revoked or expired, which stay as a record; one more is 409. */
const connectionsKeptMax = 100_000

type QuotaContext = Pick<Context, 'config' | 'clock'>

function full(max: number, what: string): Error {
  return conflict(
    `The company has ${max} ${what}, which is its limit; the operator of this service can raise it.`,
  )
}

/**
 * Checks that a company may have one more source, connection or member. Call it in the transaction that creates it, with
 * the company locked (`lockCompany`): until that ends, no other one is created.
 *
 * @throws 409 `conflict` with the limit
 */
export async function requireQuota(
  context: QuotaContext,
  client: Queryable,
  companyId: string,
  what: keyof typeof countUsed,
): Promise<void> {
  const max = (await readLimits(context, client, companyId))[what]
  const at = new Date(context.clock.now())
  const { used } = (await countUsed[what].first(client, { companyId, at, max }))!
  if (used >= max) throw full(max, what)
  if (what !== 'connections') return
  const created = (await countCreatedConnections.first(client, { companyId, max: connectionsKeptMax }))!
  if (created.used >= connectionsKeptMax)
    throw full(connectionsKeptMax, 'connections, revoked and expired ones counted')
}

/**
 * Checks that a source may have one more shape version.
 *
 * @throws 409 `conflict` with the limit
 */
export async function requireShapeVersion(
  context: QuotaContext,
  client: Queryable,
  companyId: string,
  shapeVersion: number,
): Promise<void> {
  const max = (await readLimits(context, client, companyId)).shape_versions
  if (shapeVersion > max) {
    throw conflict(
      `The source has ${max} shape versions, which is the limit; the operator of this service can raise it.`,
    )
  }
}
