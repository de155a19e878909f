import type { PoolClient } from 'pg'
import type { Clock } from '../../platform/clock/clock.ts'
import { listCompaniesOfMember } from '../../people/companies/list-companies.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import type { Signed } from '../../people/identity/signing.ts'
import { appPermissions } from '../../people/access/app-permissions.ts'
import { toEndMs } from './end-date.ts'
import type { ConsentRecord } from './consent-text.ts'
import { toGrantedAccess, type GrantedAccess } from './granted-access.ts'
import {
  endExpiredAppConnection,
  insertAppConnection,
  insertChosenCompanies,
  insertConsent,
  lockGrantedAccess,
  widenAppConnection,
} from './queries.ts'

/** What a record adds, with those of its companies that are the member's now. */
interface Signing extends Signed {
  terms: ConsentRecord
  companyIds: string[]
  clock: Clock
}

/**
 * The active connection, locked. One that is past its end is ended, unless the clock is at fault: an end cannot be undone.
 */
async function lockActive(
  client: PoolClient,
  { terms, signedAtMs, clock }: Signing,
): Promise<GrantedAccess | undefined> {
  const row = await lockGrantedAccess.first(client, { clientId: terms.client_id, memberId: terms.member_id })
  if (row === undefined) return undefined
  if (row.expires_at.getTime() > signedAtMs || clock.fault?.() !== undefined) return toGrantedAccess(row)
  await endExpiredAppConnection.run(client, { connectionId: row.connection_id })
  return undefined
}

/** Undefined if a concurrent consent created a connection. */
async function create(
  client: PoolClient,
  { terms, companyIds, signedAtMs }: Signing,
): Promise<GrantedAccess | undefined> {
  const created: GrantedAccess = {
    connectionId: terms.connection_id,
    permissions: terms.permissions,
    everyCompany: terms.companies === 'every',
    companyIds,
    resources: terms.resources,
    expiresAt: new Date(toEndMs(signedAtMs, terms.end_date)),
  }
  const inserted = await insertAppConnection.first(client, {
    ...created,
    clientId: terms.client_id,
    memberId: terms.member_id,
    clientName: terms.client_name,
    redirectHost: terms.redirect_host,
    consentedAt: new Date(signedAtMs),
  })
  return inserted && created
}

/** Removes nothing, and does not change the end. */
async function widen(
  client: PoolClient,
  { terms, companyIds }: Signing,
  granted: GrantedAccess,
): Promise<GrantedAccess> {
  const permissions = new Set([...granted.permissions, ...terms.permissions])
  const widened: GrantedAccess = {
    ...granted,
    permissions: appPermissions.filter((permission) => permissions.has(permission)),
    everyCompany: granted.everyCompany || terms.companies === 'every',
    companyIds: [...new Set([...granted.companyIds, ...companyIds])],
    resources: [...new Set([...granted.resources, ...terms.resources])],
  }
  await widenAppConnection.run(client, { ...widened })
  return widened
}

async function createOrWiden(client: PoolClient, signing: Signing): Promise<GrantedAccess | undefined> {
  const { terms, companyIds } = signing
  for (;;) {
    const granted = await lockActive(client, signing)
    if (granted !== undefined) {
      const isOther = terms.adds && granted.connectionId !== terms.connection_id
      return isOther ? undefined : widen(client, signing, granted)
    }
    if (terms.adds || (terms.companies !== 'every' && companyIds.length === 0)) return undefined
    const created = await create(client, signing)
    // Otherwise the next round finds the other connection.
    if (created !== undefined) return created
  }
}

/**
 * Does what was signed, in the transaction that stores the signature: creates the connection, or adds to the existing
 * one. Concurrent signatures result in one connection. Companies that the member has lost since the signing began are left
 * out.
 *
 * @returns undefined if nothing was done: the connection to be added to has ended, or no company is left
 */
export async function storeConsent(
  client: PoolClient,
  signed: Signed,
  clock: Clock,
): Promise<GrantedAccess | undefined> {
  const terms = signed.record as unknown as ConsentRecord
  const companies = await listCompaniesOfMember({ pool: client }, terms.member_id)
  const companyIds =
    terms.companies === 'every'
      ? []
      : companies.filter(({ orgnr }) => terms.companies.includes(orgnr)).map(({ companyId }) => companyId)
  const granted = await createOrWiden(client, { ...signed, terms, companyIds, clock })
  if (granted === undefined) return undefined
  const signedAt = new Date(signed.signedAtMs)
  if (companyIds.length > 0)
    await insertChosenCompanies.run(client, { connectionId: granted.connectionId, companyIds })
  await insertConsent.run(client, {
    consentId: uuidv7(signed.signedAtMs),
    connectionId: granted.connectionId,
    signatureId: signed.signatureId,
    signedAt,
  })
  return granted
}
