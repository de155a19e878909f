import type { AppPermission } from '../../access/app-permissions.ts'
import { hashSecret, newSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import type { Queryable } from '../../database/pool.ts'
import { uuidv7 } from '../../values/uuidv7.ts'
import type { AuthorizeRequest } from './authorize-request.ts'
import { insertCode } from './queries.ts'
import { codeLocation } from './redirect-location.ts'

/** Specification "Token and lifetime table". */
export const codeLifetimeMs = 5 * 60_000

/** The connection that a code is of, with what it holds. */
interface CodeConnection {
  connectionId: string
  permissions: readonly AppPermission[]
  resources: readonly string[]
}

/**
 * Issues a code for what a request asks for and the connection holds. Only its hash is stored.
 *
 * @returns where the browser takes it; undefined where the connection ended meanwhile, or holds none of the requested
 *   permissions
 */
export async function issueCode(
  context: Pick<Context, 'clock' | 'config'>,
  on: Queryable,
  request: AuthorizeRequest,
  connection: CodeConnection,
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
    resources: request.resources.filter((resource) => connection.resources.includes(resource)),
    issuedAt: new Date(now),
    expiresAt: new Date(now + codeLifetimeMs),
  })
  if (issued === undefined) return undefined
  return codeLocation({ ...request, issuer: context.config.baseUrl }, code)
}
