import type { PoolClient } from 'pg'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { hashSecret, getLastFour, newSecret } from '../../platform/keys/secrets.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { requireRole, lockRole, lockRoleInEach } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import { ApiError, conflict } from '../../platform/http/errors/errors.ts'
import type { Language } from '../../platform/http/requests/preferred-language.ts'
import type { BegunOrder } from '../../people/identity/order.ts'
import {
  cancelSigning,
  collectSigning,
  startSigning,
  type OwnSigning,
  type SigningOrigin,
  type SigningProgress,
} from '../../people/identity/signing.ts'
import type { Connection } from './connection.ts'
import {
  connectionRecord,
  connectionText,
  type ConnectionRecord,
  type ConnectionTerms,
} from './connection-text.ts'
import { connectionEndDate, connectionEndMs } from './connection-end.ts'
import { findOwnConnection } from './find-connection.ts'
import { insertCredential, markSigned, selectConnection, type ConnectionRow } from './queries.ts'
import { toConnection } from './to-connection.ts'

type SigningContext = Pick<DirectoryContext, 'pool' | 'clock' | 'keys'> & WithIdentity

export interface SignedConnection {
  connection: Connection
  /** The client secret, created by signing and returned only here. Undefined for a static credential. */
  secret: string | undefined
}

function createSigning(memberId: string, companyId: string, connectionId: string): OwnSigning {
  return {
    memberId,
    companyId,
    subject: `connection:${connectionId}`,
  }
}

/** The connection, if this member created it, still manages the company, and it waits to be signed. */
async function requireSignable(
  context: SigningContext,
  memberId: string,
  companyId: string,
  connectionId: string,
): Promise<{ connection: Connection; terms: ConnectionTerms }> {
  const company = await requireRole(context.pool, { memberId }, companyId, 'developer')
  const now = context.clock.now()
  const row = await findOwnConnection(context.pool, company, connectionId, new Date(now))
  if (row.created_by !== memberId) {
    throw new ApiError('permission_denied', 'Only the person who created a connection can sign it.')
  }
  const connection = toConnection(row, now)
  if (connection.state !== 'unsigned') throw conflict(`The connection is ${connection.state} already.`)
  const terms = { company, connection, endDate: connectionEndDate(now, company.timeZone) }
  return { connection, terms }
}

/** The signed text names every company: the connection must still act on all of them, and the creator still manage them. */
async function requireSameCompanies(
  client: PoolClient,
  memberId: string,
  record: ConnectionRecord,
  row: ConnectionRow,
): Promise<void> {
  const signedIds = record.further_companies.map((further) => further.company_id)
  const actsOn = new Set(row.further_companies.map((further) => further.company_id))
  const isSame = signedIds.length === actsOn.size && signedIds.every((companyId) => actsOn.has(companyId))
  if (isSame && (await lockRoleInEach(client, { memberId }, signedIds, 'developer'))) return
  throw conflict('The connection now acts on fewer companies than the text says: sign it again.')
}

/**
 * Begins the signature that makes a connection work [conn.sign].
 *
 * @param language of the text that is signed
 * @throws 403 `permission_denied` for anyone but its creator; 403, 404 as `requireRole`; 403, 404 as `findOwnConnection`;
 *   409 `conflict` if it is signed or revoked
 */
export async function startSigningConnection(
  context: SigningContext,
  memberId: string,
  companyId: string,
  connectionId: string,
  language: Language,
  origin: SigningOrigin,
): Promise<BegunOrder & { visibleText: string }> {
  const { terms } = await requireSignable(context, memberId, companyId, connectionId)
  const visibleText = connectionText(terms, language)
  const begun = await startSigning(context, origin, {
    ...createSigning(memberId, companyId, connectionId),
    visibleText,
    record: connectionRecord(terms),
  })
  return { ...begun, visibleText }
}

/**
 * Polls the signature. Once it is complete, the connection works for a year, and its client secret is created: of
 * concurrent calls one gets it. Its creator must still be allowed to create it, in every company.
 *
 * @throws 403, 404 as `requireRole`; 404 if the member has no such order for this connection; 409 `conflict` if it was
 *   signed with another order or revoked in the meantime, or acts on fewer companies than the text says
 */
export async function collectConnectionSignature(
  context: SigningContext,
  memberId: string,
  companyId: string,
  connectionId: string,
  orderId: string,
): Promise<SigningProgress<SignedConnection>> {
  const company = await requireRole(context.pool, { memberId }, companyId, 'developer')
  const own = createSigning(memberId, companyId, connectionId)
  return collectSigning(context, orderId, own, async (client, { signatureId, record, signedAtMs }) => {
    await lockRole(client, { memberId }, companyId, 'developer')
    await requireKept(client, companyId)
    const signedAt = new Date(signedAtMs)
    const endsAtMs = connectionEndMs(signedAtMs, String(record['end_date']), company.timeZone)
    const marked = await markSigned.first(client, {
      companyId,
      connectionId,
      signatureId,
      signedAt,
      expiresAt: new Date(endsAtMs),
    })
    if (marked === undefined) throw conflict('The connection was signed or revoked meanwhile.')
    const row = (await selectConnection.first(client, { at: signedAt, companyId, connectionId }))!
    await requireSameCompanies(client, memberId, record as ConnectionRecord, row)
    let secret: string | undefined
    if (row.credential_kind === 'client') {
      secret = newSecret('ncs_')
      await insertCredential.run(client, {
        credentialHash: hashSecret(secret),
        connectionId,
        kind: 'secret',
        lastFour: getLastFour(secret),
        createdAt: signedAt,
      })
    }
    await recordAuditEvent(client, {
      companyId,
      actor: { memberId },
      action: 'connection_signed',
      subject: { kind: 'connection', id: connectionId, name: row.name },
      details: { kind: row.kind, signature_id: signatureId },
      atMs: signedAtMs,
    })
    const signed = (await selectConnection.first(client, { at: signedAt, companyId, connectionId }))!
    return { connection: toConnection(signed, signedAtMs), secret }
  })
}

/**
 * Cancels the signature; the connection remains unsigned.
 *
 * @throws 403, 404 as `requireRole`; 404 if the member has no such order for this connection
 */
export async function cancelSigningConnection(
  context: SigningContext,
  memberId: string,
  companyId: string,
  connectionId: string,
  orderId: string,
): Promise<void> {
  await requireRole(context.pool, { memberId }, companyId, 'developer')
  await cancelSigning(context, orderId, createSigning(memberId, companyId, connectionId))
}
