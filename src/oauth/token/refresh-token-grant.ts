import type { AppPermission } from '../../access/app-permissions.ts'
import { hashSecret } from '../../keys/secrets.ts'
import type { Context } from '../../service/context.ts'
import { createBatcher } from '../../database/batcher.ts'
import { createBatchObserver } from '../../telemetry/observe-batch.ts'
import { requiredParameter, type ClientRequest } from '../client/client-request.ts'
import type { OauthError } from '../oauth-error.ts'
import { publicClientId } from '../client/public-client-id.ts'
import { invalidClient, invalidGrant, invalidScope, invalidTarget, tokensStopped } from '../errors.ts'
import { revokeTokenFamily } from './revoke-token-family.ts'
import { valueOf } from '../parameters.ts'
import { readScope } from '../scope.ts'
import { readFailedRefresh, refreshAll, type RefreshAttempt } from './app-token-queries.ts'
import { readResources } from './read-resources.ts'
import type { Grant, TokenAnswer } from './token-answer.ts'
import { newTokenPair, pairAnswer } from './token-pair.ts'

type RefreshContext = Pick<Context, 'pool' | 'clock' | 'config' | 'telemetry'>

/**
 * Why a refresh token was not used. One that was used before is in two hands, and it cannot be told which of them is
 * the app's, so all tokens of its code end; the connection stays ([oauth.refresh]; RFC 9700, 4.14.2).
 */
async function refuseRefresh(context: RefreshContext, attempt: RefreshAttempt): Promise<OauthError> {
  const found = await readFailedRefresh(context.pool, attempt, new Date(context.clock.now()))
  if (found.stopped) return tokensStopped()
  if (!found.registered) return invalidClient(false)
  if (found.used) {
    await revokeTokenFamily(context, {
      tokenFamilyId: found.token_family_id!,
      connectionId: found.connection_id!,
    })
    return invalidGrant()
  }
  if (!found.usable) return invalidGrant()
  if (found.lacks_permission) return invalidScope()
  return found.lacks_resource ? invalidTarget() : invalidGrant()
}

/**
 * The permissions that a refresh asks for (RFC 6749, 6); undefined where it names none.
 *
 * @throws `invalid_scope` for one that no app may hold
 */
function readPermissions({ parameters }: ClientRequest): AppPermission[] | undefined {
  const scope = valueOf(parameters, 'scope')
  if (scope === undefined) return undefined
  const permissions = readScope(scope)
  if (permissions === undefined) throw invalidScope()
  return permissions
}

/** Refreshes in one statement; the rest goes with the next. */
export const refreshesMax = 256
/** Refreshes that wait; a further one is 503. */
export const refreshQueueMax = 20_000

/**
 * An app exchanges a refresh token for the next pair (specification "POST {base_url}/oauth/token"; RFC 6749, 6).
 * `scope` and `resource` narrow the access token of this answer; the next refresh token holds what this one held. A
 * token of another app is as unknown as any other wrong one. Refreshes that wait share a statement and its commit.
 */
export function createRefreshTokenGrant(context: RefreshContext): Grant {
  const { pool, clock, telemetry } = context
  const refreshes = createBatcher({
    itemsMax: refreshesMax,
    queueMax: refreshQueueMax,
    // Of a refresh that may have been done, the app would not have the next token, and the one before ends all.
    waitsOut: true,
    onBatch: createBatchObserver(telemetry, 'refresh'),
    run: async (attempts: RefreshAttempt[]): Promise<(TokenAnswer | undefined)[]> => {
      const nowMs = clock.now()
      const pairs = attempts.map(() => newTokenPair(nowMs))
      const issued = await refreshAll(pool, attempts, pairs)
      return issued.map((each, index) => each && pairAnswer(pairs[index]!, each))
    },
  })
  return async (request) => {
    const attempt: RefreshAttempt = {
      clientId: publicClientId(request),
      tokenHash: hashSecret(requiredParameter(request, 'refresh_token')),
      permissions: readPermissions(request),
      resources: readResources(context, request),
    }
    const answer = await refreshes.submit(attempt)
    if (answer === undefined) throw await refuseRefresh(context, attempt)
    return answer
  }
}
