import type { PoolClient } from 'pg'
import type { Clock } from '../clock/clock.ts'
import { listCompaniesOfMember } from '../companies/list-companies.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import type { Signed } from '../identity/signing.ts'
import { appPermissions } from '../access/app-permissions.ts'
import { endInstantFor } from './consent-end.ts'
import type { ConsentRecord } from './consent-text.ts'
import { toHeldAccess, type HeldAccess } from './held-access.ts'
import {
  endExpiredAppConnection,
  insertAppConnection,
  insertChosenCompanies,
  insertConsent,
  lockHeldAccess,
  widenAppConnection,
} from './queries.ts'

/** What a record adds, its companies found among those that the member belongs to now. */
interface Signing extends Signed {
  terms: ConsentRecord
  companyIds: string[]
  clock: Clock
}

/**
 * The active connection, locked; one that is past its end is ended in passing. Not by a clock that is at fault: an end
 * cannot be undone.
 */
async function lockActive(
  client: PoolClient,
  { terms, signedAtMs, clock }: Signing,
): Promise<HeldAccess | undefined> {
  const row = await lockHeldAccess.first(client, { clientId: terms.client_id, memberId: terms.member_id })
  if (row === undefined) return undefined
  if (row.expires_at.getTime() > signedAtMs || clock.fault?.() !== undefined) return toHeldAccess(row)
  await endExpiredAppConnection.run(client, { connectionId: row.connection_id })
  return undefined
}

/** Undefined where another consent made a connection in the same moment. */
async function make(
  client: PoolClient,
  { terms, companyIds, signedAtMs }: Signing,
): Promise<HeldAccess | undefined> {
  const made: HeldAccess = {
    connectionId: terms.connection_id,
    permissions: terms.permissions,
    everyCompany: terms.companies === 'every',
    companyIds,
    resources: terms.resources,
    expiresAt: new Date(endInstantFor(signedAtMs, terms.end_date)),
  }
  const inserted = await insertAppConnection.first(client, {
    connectionId: made.connectionId,
    clientId: terms.client_id,
    memberId: terms.member_id,
    clientName: terms.client_name,
    redirectHost: terms.redirect_host,
    permissions: made.permissions,
    everyCompany: made.everyCompany,
    resources: made.resources,
    consentedAt: new Date(signedAtMs),
    expiresAt: made.expiresAt,
  })
  return inserted && made
}

/** Nothing is taken away, and the end does not move. */
async function widen(
  client: PoolClient,
  { terms, companyIds }: Signing,
  held: HeldAccess,
): Promise<HeldAccess> {
  const permissions = new Set([...held.permissions, ...terms.permissions])
  const widened: HeldAccess = {
    ...held,
    permissions: appPermissions.filter((permission) => permissions.has(permission)),
    everyCompany: held.everyCompany || terms.companies === 'every',
    companyIds: [...new Set([...held.companyIds, ...companyIds])],
    resources: [...new Set([...held.resources, ...terms.resources])],
  }
  const { connectionId, everyCompany, resources } = widened
  await widenAppConnection.run(client, {
    connectionId,
    permissions: widened.permissions,
    everyCompany,
    resources,
  })
  return widened
}

async function makeOrWiden(client: PoolClient, signing: Signing): Promise<HeldAccess | undefined> {
  const { terms, companyIds } = signing
  for (;;) {
    const held = await lockActive(client, signing)
    if (held !== undefined) {
      const isOther = terms.adds && held.connectionId !== terms.connection_id
      return isOther ? undefined : widen(client, signing, held)
    }
    if (terms.adds || (terms.companies !== 'every' && companyIds.length === 0)) return undefined
    const made = await make(client, signing)
    // Otherwise another was made since this looked: the next round finds it.
    if (made !== undefined) return made
  }
}

/**
 * Does what was signed, in the transaction that stores the signature: makes the connection, or adds to the existing
 * one. Any number may sign at once, and one connection is the outcome. Companies that the member has lost since the
 * signing began are left out.
 *
 * @returns undefined where nothing was done: the connection to be added to has ended, or no company is left
 */
export async function storeConsent(
  client: PoolClient,
  signed: Signed,
  clock: Clock,
): Promise<HeldAccess | undefined> {
  const terms = signed.record as unknown as ConsentRecord
  const companies = await listCompaniesOfMember({ pool: client }, terms.member_id)
  const companyIds =
    terms.companies === 'every'
      ? []
      : companies.filter(({ orgnr }) => terms.companies.includes(orgnr)).map(({ companyId }) => companyId)
  const held = await makeOrWiden(client, { ...signed, terms, companyIds, clock })
  if (held === undefined) return undefined
  const signedAt = new Date(signed.signedAtMs)
  if (companyIds.length > 0)
    await insertChosenCompanies.run(client, { connectionId: held.connectionId, companyIds })
  await insertConsent.run(client, {
    consentId: uuidv7(signed.signedAtMs),
    connectionId: held.connectionId,
    signatureId: signed.signatureId,
    signedAt,
  })
  return held
}
