import { hashSecret, newSecret } from '../access/secrets.ts'
import type { Actor } from '../companies/actor.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../database/transaction.ts'
import { conflict, invalidArgument, notFound } from '../http/errors.ts'
import type { Connection } from './connection.ts'
import { endCredentials, insertCredential, lockConnection, selectConnection } from './queries.ts'
import { toConnection } from './to-connection.ts'

const hourMs = 60 * 60_000
export const overlapHoursDefault = 24
export const overlapHoursMax = 7 * 24

export interface RotatedConnection {
  connection: Connection
  /** The new client secret or static credential: here and never again. */
  credential: string
}

/**
 * Gives a connection a new secret, or static credential, which works at once. The old one works on for the overlap, one
 * from a rotation before that ends at once (reading `conn.rotate`). No end date moves.
 *
 * @param overlapHours 0 to 168
 * @throws 400 with field `overlap_hours`; 403, 404 as `requireRole`; 404 where there is no such connection; 409
 *   `conflict` where it is not signed, expired or revoked
 */
export const rotateConnection = async (
  context: Pick<Context, 'pool' | 'clock'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
  overlapHours: number = overlapHoursDefault,
): Promise<RotatedConnection> => {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > overlapHoursMax) {
    throw invalidArgument(`It must be a whole number from 0 to ${overlapHoursMax}.`, 'overlap_hours')
  }
  return inTransaction(context.pool, async (client) => {
    await requireRole(client, actor, companyId, 'developer')
    await lockConnection.run(client, [companyId, connectionId])
    const now = context.clock.now()
    const at = new Date(now)
    const row = await selectConnection.first(client, [at, companyId, connectionId])
    if (row === undefined) throw notFound()
    const { state } = toConnection(row, now)
    if (state !== 'signed') throw conflict(`The connection is ${state}: there is nothing to rotate.`)
    if (row.kind === 'demo')
      throw conflict('The credential of the demo connection comes from the configuration.')

    const isStatic = row.credential_kind === 'static'
    const credential = newSecret(isStatic ? 'nsk_' : 'ncs_')
    await endCredentials.run(client, [connectionId, new Date(now + overlapHours * hourMs), at])
    await insertCredential.run(client, [
      hashSecret(credential),
      connectionId,
      isStatic ? 'static' : 'secret',
      at,
    ])
    const after = (await selectConnection.first(client, [at, companyId, connectionId]))!
    return { connection: toConnection(after, now), credential }
  })
}
