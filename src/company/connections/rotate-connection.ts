import type { PoolClient } from 'pg'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { hashSecret, getLastFour, newSecret } from '../../platform/keys/secrets.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { requireRecentSignIn } from '../../people/members/require-recent-sign-in.ts'
import { lockRole, lockRoleInEach } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { ApiError, conflict, invalidArgument } from '../../platform/http/errors/errors.ts'
import type { Connection } from './connection.ts'
import { findOwnConnection } from './find-connection.ts'
import {
  deletePreviousCredentials,
  endCurrentCredential,
  insertCredential,
  lockConnectionRow,
  selectConnection,
  type ConnectionRow,
} from './queries.ts'
import { toConnection } from './to-connection.ts'

const hourMs = 60 * 60_000
export const overlapHoursDefault = 24
/** How long a rotated credential may keep working; more is 400. */
export const overlapHoursMax = 7 * 24

export interface RotatedConnection {
  connection: Connection
  /** The new client secret or static credential, returned only here. */
  credential: string
}

/**
 * Gives a connection a new secret or static credential, which works immediately. The old one keeps working for the overlap;
 * one from an earlier rotation ends [conn.rotate]. The end date does not change. Allowed to the connection's creator, and
 * to a member who could create the same connection now: a developer in every company that it acts on [conn.who].
 *
 * @param overlapHours 0 to 168
 * @throws 400 with field `overlap_hours`; 403, 404 as `requireRole`; 403, 404 as `findOwnConnection`; 403
 *   `permission_denied` for a member who is neither its creator nor a developer in every company that it acts on; 403
 *   `sign_in_again`; 409 `conflict` if it is not signed, expired or revoked
 */
export async function rotateConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  actor: Actor,
  companyId: string,
  connectionId: string,
  overlapHours: number = overlapHoursDefault,
): Promise<RotatedConnection> {
  if (!Number.isInteger(overlapHours) || overlapHours < 0 || overlapHours > overlapHoursMax) {
    throw invalidArgument(`It must be a whole number from 0 to ${overlapHoursMax}.`, 'overlap_hours')
  }
  return inDirectoryTransaction(context.pool, async (client) => {
    const company = await lockRole(client, actor, companyId, 'developer')
    await lockConnectionRow.run(client, { companyId, connectionId })
    const now = context.clock.now()
    const at = new Date(now)
    const row = await findOwnConnection(client, company, connectionId, at)
    await requireMayMake(client, actor, row)
    requireRecentSignIn(context, actor)
    const { state } = toConnection(row, now)
    if (state !== 'signed') throw conflict(`The connection is ${state}: there is nothing to rotate.`)
    if (row.kind === 'demo')
      throw conflict('The credential of the demo connection comes from the configuration.')

    const isStatic = row.credential_kind === 'static'
    const credential = newSecret(isStatic ? 'nsk_' : 'ncs_')
    // A connection never has more than two, so a rotation always costs the same.
    await deletePreviousCredentials.run(client, { connectionId })
    await endCurrentCredential.run(client, { connectionId, endsAt: new Date(now + overlapHours * hourMs) })
    await insertCredential.run(client, {
      credentialHash: hashSecret(credential),
      connectionId,
      kind: isStatic ? 'static' : 'secret',
      lastFour: getLastFour(credential),
      createdAt: at,
    })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'connection_rotated',
      subject: { kind: 'connection', id: connectionId, name: row.name },
      details: { overlap_hours: overlapHours },
      atMs: now,
    })
    const after = (await selectConnection.first(client, { at, companyId, connectionId }))!
    return { connection: toConnection(after, now), credential }
  })
}

/** A connection acts on a further company only while its creator manages it, so the creator is not checked. */
async function requireMayMake(client: PoolClient, actor: Actor, row: ConnectionRow): Promise<void> {
  if (row.created_by !== null && row.created_by === actorMemberId(actor)) return
  const furtherIds = row.further_companies.map((further) => further.company_id)
  if (await lockRoleInEach(client, actor, furtherIds, 'developer')) return
  throw new ApiError(
    'permission_denied',
    'The connection acts on companies in which you are no developer; its maker can rotate it.',
  )
}
