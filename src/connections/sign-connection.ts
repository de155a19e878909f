import { hashSecret, newSecret } from '../access/secrets.ts'
import { formatOrgnr } from '../companies/orgnr.ts'
import { requireRole } from '../companies/require-role.ts'
import type { Context } from '../context.ts'
import { ApiError, conflict, notFound } from '../http/errors.ts'
import type { OrderOrigin } from '../identity/identity-provider.ts'
import type { BegunOrder } from '../identity/order.ts'
import { cancelSigning, collectSigning, startSigning, type SigningProgress } from '../identity/signing.ts'
import type { Connection } from './connection.ts'
import { connectionRecord, connectionText, type ConnectionTerms } from './connection-text.ts'
import { endDateFor, endInstantFor } from './end-of-year.ts'
import { insertCredential, markSigned, selectConnection } from './queries.ts'
import { toConnection } from './to-connection.ts'

type SigningContext = Pick<Context, 'pool' | 'clock' | 'keys' | 'identity'>

export interface SignedConnection {
  connection: Connection
  /** The client secret, created by the signing: here and never again. Undefined with a static credential. */
  secret: string | undefined
}

const subjectOf = (connectionId: string): string => `connection:${connectionId}`

/** The connection, if this member made it, manages the company still, and it waits to be signed. */
const requireSignable = async (
  context: SigningContext,
  memberId: string,
  companyId: string,
  connectionId: string,
): Promise<{ connection: Connection; terms: ConnectionTerms }> => {
  const company = await requireRole(context.pool, { memberId }, companyId, 'developer')
  const now = context.clock.now()
  const row = await selectConnection.first(context.pool, [new Date(now), companyId, connectionId])
  if (row === undefined) throw notFound()
  if (row.made_by !== memberId) {
    throw new ApiError('permission_denied', 'Only the person who made a connection signs it.')
  }
  const connection = toConnection(row, now)
  if (connection.state !== 'made') throw conflict(`The connection is ${connection.state} already.`)
  const terms = { company, connection, endDate: endDateFor(now, company.timeZone) }
  return { connection, terms }
}

/**
 * Begins the signature that makes a connection work (reading `conn.sign`).
 *
 * @throws 403 `permission_denied` for anyone but its maker; 404 as `requireRole`, or where there is no such connection;
 *   409 `conflict` where it is signed or revoked
 */
export const startSigningConnection = async (
  context: SigningContext,
  memberId: string,
  companyId: string,
  connectionId: string,
  origin: OrderOrigin,
): Promise<BegunOrder & { visibleText: string }> => {
  const { terms } = await requireSignable(context, memberId, companyId, connectionId)
  const visibleText = connectionText(terms, formatOrgnr)
  const begun = await startSigning(context, origin, {
    memberId,
    companyId,
    subject: subjectOf(connectionId),
    visibleText,
    record: connectionRecord(terms),
  })
  return { ...begun, visibleText }
}

/**
 * Asks how the signature stands. Once it is made, the connection works for a year and its client secret exists, created
 * once however many ask at the same time: one call gets it.
 *
 * @throws 404 where there is no such order of this member for this connection; 409 `conflict` where it was signed
 *   with another order, or revoked, meanwhile
 */
export const collectConnectionSignature = async (
  context: SigningContext,
  memberId: string,
  companyId: string,
  connectionId: string,
  orderId: string,
): Promise<SigningProgress<SignedConnection>> => {
  const company = await requireRole(context.pool, { memberId }, companyId, 'developer')
  const own = { memberId, subject: subjectOf(connectionId) }
  return collectSigning(context, orderId, own, async (client, { signatureId, record, signedAtMs }) => {
    const signedAt = new Date(signedAtMs)
    const endsAtMs = endInstantFor(signedAtMs, String(record['end_date']), company.timeZone)
    const marked = await markSigned.first(client, [
      companyId,
      connectionId,
      signatureId,
      signedAt,
      new Date(endsAtMs),
    ])
    if (marked === undefined) throw conflict('The connection was signed or revoked meanwhile.')
    const row = (await selectConnection.first(client, [signedAt, companyId, connectionId]))!
    let secret: string | undefined
    if (row.credential_kind === 'client') {
      secret = newSecret('ncs_')
      await insertCredential.run(client, [hashSecret(secret), connectionId, 'secret', signedAt])
    }
    return { connection: toConnection(row, signedAtMs), secret }
  })
}

/** Gives up the signature; the connection stays made. @throws 404 where there is no such order */
export const cancelSigningConnection = async (
  context: SigningContext,
  memberId: string,
  connectionId: string,
  orderId: string,
): Promise<void> => cancelSigning(context, orderId, { memberId, subject: subjectOf(connectionId) })
