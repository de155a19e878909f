import { hashSecret, newSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import type { Queryable } from '../../database/pool.ts'
import { uuidv7 } from '../../values/uuidv7.ts'
import type { AuthorizeRequest } from './authorize-request.ts'
import type { HeldAccess } from '../../consent/held-access.ts'
import { insertCode } from './queries.ts'
import { codeLocation } from './redirect-location.ts'

/** Specification "Token and lifetime table". */
export const codeLifetimeMs = 5 * 60_000

/**
 * Issues a code for what a request asks and the connection holds, of which only the hash is kept.
 *
 * @returns where the browser takes it; undefined where the connection ended meanwhile, or holds no permission that is asked for
 */
export const issueCode = async (
  context: Pick<Context, 'clock' | 'config'>,
  on: Queryable,
  request: AuthorizeRequest,
  held: HeldAccess,
): Promise<string | undefined> => {
  const permissions = request.permissions.filter((permission) => held.permissions.includes(permission))
  if (permissions.length === 0) return undefined
  const now = context.clock.now()
  const code = newSecret('nac_')
  const issued = await insertCode.first(on, [
    hashSecret(code),
    uuidv7(now),
    held.connectionId,
    request.redirectUri,
    request.codeChallenge,
    permissions,
    request.resources.filter((resource) => held.resources.includes(resource)),
    new Date(now),
    new Date(now + codeLifetimeMs),
  ])
  if (issued === undefined) return undefined
  return codeLocation({ ...request, issuer: context.config.baseUrl }, code)
}
