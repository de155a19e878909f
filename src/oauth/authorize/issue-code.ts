import type { DirectoryContext } from '../../context.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import type { AppPermission } from '../../people/access/app-permissions.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { hashSecret, newSecret } from '../../platform/keys/secrets.ts'
import type { AuthorizeRequest } from './authorize-request.ts'
import { insertCode } from './queries.ts'
import { codeLocation } from './redirect-location.ts'

/** Specification "Token and lifetime table". */
export const codeLifetimeMs = 5 * 60_000

/**
 * Issues a code for what both the request and the connection have. Only its hash is stored.
 *
 * @returns where the browser takes it; undefined if the connection has ended meanwhile, or has none of the requested
 *   permissions
 */
export async function issueCode(
  context: Pick<DirectoryContext, 'clock' | 'config'>,
  on: Queryable,
  request: AuthorizeRequest,
  connection: { connectionId: string; permissions: readonly AppPermission[]; resources: readonly string[] },
): Promise<string | undefined> {
  const permissions = request.permissions.filter((permission) => connection.permissions.includes(permission))
  if (permissions.length === 0) return undefined
  const now = context.clock.now()
  const code = newSecret('nac_')
  const issued = await insertCode.first(on, {
    codeHash: hashSecret(code),
    tokenFamilyId: uuidv7(now),
    connectionId: connection.connectionId,
    redirectUri: request.redirectUri,
    codeChallenge: request.codeChallenge,
    permissions,
    resources: [
      ...request.resources.filter((resource) => connection.resources.includes(resource)),
      ...(request.ownResource === undefined ? [] : [request.ownResource]),
    ],
    issuedAt: new Date(now),
    expiresAt: new Date(now + codeLifetimeMs),
  })
  return issued && codeLocation({ ...request, issuer: context.config.baseUrl }, code)
}
