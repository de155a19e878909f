import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { hashSecret, getLastFour, newSecret } from '../../platform/keys/secrets.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { DirectoryContext } from '../../context.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { invalidArgument, notFound } from '../../platform/http/errors/errors.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { requireQuota } from '../../engine/usage/require-quota.ts'
import {
  servicePermissions,
  type Connection,
  type CredentialKind,
  type ServicePermission,
} from './connection.ts'
import {
  insertConnection,
  insertCredential,
  insertFurtherCompanies,
  selectConnection,
  selectHasSource,
} from './queries.ts'
import { toConnection } from './to-connection.ts'

interface ConnectionInput {
  name: string
  /** Null if it is bound to no source. */
  sourceId: string | null
  permissions: ServicePermission[]
  kind: 'production' | 'sandbox'
  credentialKind: CredentialKind
  /** Further companies that its creator lets it act on; only without a source. */
  furtherCompanyIds?: string[]
}

export interface CreatedConnection {
  connection: Connection
  /** The static credential, returned only here; it opens nothing until the connection is signed. */
  credential: string | undefined
}

/** Further companies that a connection acts on; more are 400. */
export const furtherCompaniesMax = 100

/** Checks that do not depend on the caller. @throws 400 with the field */
function checkInput(companyId: string, input: ConnectionInput) {
  const name = checkDisplayText(input.name, 'name')
  const permissions = servicePermissions.filter((permission) => input.permissions.includes(permission))
  if (permissions.length === 0) throw invalidArgument('It needs at least one permission.', 'permissions')
  const furtherCompanyIds = [...new Set(input.furtherCompanyIds ?? [])].filter((id) => id !== companyId)
  if (furtherCompanyIds.length > 0 && input.sourceId !== null) {
    throw invalidArgument(
      'A connection that is bound to a source acts only on the company of that source.',
      'further_company_ids',
    )
  }
  if (furtherCompanyIds.length > furtherCompaniesMax) {
    throw invalidArgument(`It may name at most ${furtherCompaniesMax} companies.`, 'further_company_ids')
  }
  return { name, permissions, furtherCompanyIds }
}

/**
 * Creates a connection, which works once its creator has signed it. Everything about it is fixed from now on.
 *
 * @param makerId a member who is owner or developer in the company and in every further one
 * @throws 400 with the field that is wrong; 403, 404 as `requireRole`; 404 for a source of another company; 409 `conflict`
 *   if the company has its maximum of connections
 */
export async function createConnection(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'config'>,
  makerId: string,
  companyId: string,
  input: ConnectionInput,
): Promise<CreatedConnection> {
  const { name, permissions, furtherCompanyIds } = checkInput(companyId, input)
  const maker = { memberId: makerId }

  return inDirectoryTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    await lockRole(client, maker, companyId, 'developer')
    for (const furtherId of furtherCompanyIds) await lockRole(client, maker, furtherId, 'developer')
    for (const actedOnId of [companyId, ...furtherCompanyIds]) await requireKept(client, actedOnId)
    if (input.sourceId !== null) {
      const source = await selectHasSource.first(client, { companyId, sourceId: input.sourceId })
      if (!source!.found) throw notFound()
    }
    await requireQuota(context, client, companyId, 'connections')

    const now = context.clock.now()
    const at = new Date(now)
    const connectionId = uuidv7(now)
    const isStatic = input.credentialKind === 'static'
    await insertConnection.run(client, {
      companyId,
      connectionId,
      sourceId: input.sourceId,
      name,
      kind: input.kind,
      credentialKind: input.credentialKind,
      permissions,
      clientId: isStatic ? null : uuidv7(now),
      createdBy: makerId,
      createdAt: at,
      signedAt: null,
      expiresAt: null,
    })
    if (furtherCompanyIds.length > 0) {
      await insertFurtherCompanies.run(client, { connectionId, companyIds: furtherCompanyIds })
    }
    let credential: string | undefined
    if (isStatic) {
      credential = newSecret('nsk_')
      await insertCredential.run(client, {
        credentialHash: hashSecret(credential),
        connectionId,
        kind: 'static',
        lastFour: getLastFour(credential),
        createdAt: at,
      })
    }
    await recordAuditEvent(client, {
      companyId,
      actor: maker,
      action: 'connection_created',
      subject: { kind: 'connection', id: connectionId, name },
      details: { kind: input.kind },
      atMs: now,
    })
    const row = (await selectConnection.first(client, { at, companyId, connectionId }))!
    return { connection: toConnection(row, now), credential }
  })
}
