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
  endExpiredConnection,
  insertChosenCompanies,
  insertConnection,
  insertConsent,
  lockConnection,
  widenConnection,
} from '../oauth/authorize/queries.ts'

/** What a record adds, its companies found among those that the member is in now. */
interface Signing extends Signed {
  terms: ConsentRecord
  companyIds: string[]
  clock: Clock
}

/**
 * The active connection, locked; one that is past its end is ended on the way. Not by a clock that is at fault: what it says
 * would be for good.
 */
const lockActive = async (
  client: PoolClient,
  { terms, signedAtMs, clock }: Signing,
): Promise<HeldAccess | undefined> => {
  const row = await lockConnection.first(client, [terms.client_id, terms.member_id])
  if (row === undefined) return undefined
  if (row.expires_at.getTime() > signedAtMs || clock.fault?.() !== undefined) return toHeldAccess(row)
  await endExpiredConnection.run(client, [row.connection_id])
  return undefined
}

/** Undefined where another consent made a connection in the same moment. */
const make = async (
  client: PoolClient,
  { terms, companyIds, signedAtMs }: Signing,
): Promise<HeldAccess | undefined> => {
  const made: HeldAccess = {
    connectionId: terms.connection_id,
    permissions: terms.permissions,
    everyCompany: terms.companies === 'every',
    companyIds,
    resources: terms.resources,
    expiresAt: new Date(endInstantFor(signedAtMs, terms.end_date)),
  }
  const inserted = await insertConnection.first(client, [
    made.connectionId,
    terms.client_id,
    terms.member_id,
    terms.client_name,
    terms.redirect_host,
    made.permissions,
    made.everyCompany,
    made.resources,
    new Date(signedAtMs),
    made.expiresAt,
  ])
  return inserted && made
}

/** Nothing is taken away, and the end does not move. */
const widen = async (
  client: PoolClient,
  { terms, companyIds }: Signing,
  held: HeldAccess,
): Promise<HeldAccess> => {
  const permissions = new Set([...held.permissions, ...terms.permissions])
  const widened: HeldAccess = {
    ...held,
    permissions: appPermissions.filter((permission) => permissions.has(permission)),
    everyCompany: held.everyCompany || terms.companies === 'every',
    companyIds: [...new Set([...held.companyIds, ...companyIds])],
    resources: [...new Set([...held.resources, ...terms.resources])],
  }
  const { connectionId, everyCompany, resources } = widened
  await widenConnection.run(client, [connectionId, widened.permissions, everyCompany, resources])
  return widened
}

const makeOrWiden = async (client: PoolClient, signing: Signing): Promise<HeldAccess | undefined> => {
  const { terms, companyIds } = signing
  for (;;) {
    const held = await lockActive(client, signing)
    if (held !== undefined) {
      const isOther = terms.adds && held.connectionId !== terms.connection_id
      return isOther ? undefined : widen(client, signing, held)
    }
    if (terms.adds || (terms.companies !== 'every' && companyIds.length === 0)) return undefined
    const made = await make(client, signing)
    // Otherwise another one was made since the look: the next round finds it.
    if (made !== undefined) return made
  }
}

/**
 * Does what was signed, in the transaction that keeps the signature: makes the connection, or adds to the one that there
 * is. Any number may sign at once, and one connection comes of it. Companies that the member has lost since the signing
 * began are left out.
 *
 * @returns undefined where nothing came of it: the connection that was to be added to has ended, or no company is left
 */
export const storeConsent = async (
  client: PoolClient,
  signed: Signed,
  clock: Clock,
): Promise<HeldAccess | undefined> => {
  const terms = signed.record as unknown as ConsentRecord
  const companies = await listCompaniesOfMember({ pool: client }, terms.member_id)
  const companyIds =
    terms.companies === 'every'
      ? []
      : companies.filter(({ orgnr }) => terms.companies.includes(orgnr)).map(({ companyId }) => companyId)
  const held = await makeOrWiden(client, { ...signed, terms, companyIds, clock })
  if (held === undefined) return undefined
  const signedAt = new Date(signed.signedAtMs)
  if (companyIds.length > 0) await insertChosenCompanies.run(client, [held.connectionId, companyIds])
  const consentId = uuidv7(signed.signedAtMs)
  await insertConsent.run(client, [consentId, held.connectionId, signed.signatureId, signedAt])
  return held
}
