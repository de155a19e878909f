import type { DirectoryContext } from '../../context.ts'
import type { AppPermission } from '../../people/access/app-permissions.ts'
import { createBatcher } from '../../platform/database/batcher.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { createBatchObserver } from '../../platform/telemetry/observe-batch.ts'
import { requireAppId, requireParameter, type ClientRequest } from '../client/client-request.ts'
import { invalidTarget, OauthError } from '../oauth-error.ts'
import { getValue, readScope } from '../parameters.ts'
import { toolsResource } from '../resources.ts'
import { readResources, refuseUsed } from './app-grant.ts'
import { readFailedRefresh, refreshAll, type RefreshAttempt } from './app-token-queries.ts'
import { createTokenPair, toPairAnswer, type Grant, type TokenAnswer } from './token-answer.ts'

type RefreshContext = Pick<DirectoryContext, 'pool' | 'clock' | 'config' | 'telemetry'>

function invalidScope(): OauthError {
  return new OauthError('invalid_scope', 'The scope may only name permissions that the refresh token holds.')
}

/** Why a refresh token was not used. */
async function refuseRefresh(context: RefreshContext, attempt: RefreshAttempt): Promise<OauthError> {
  const found = await readFailedRefresh(context.pool, attempt, new Date(context.clock.now()))
  const refusal = await refuseUsed(context, found)
  if (refusal !== undefined) return refusal
  if (!found.used && found.usable) {
    if (found.lacks_permission) return invalidScope()
    if (found.lacks_resource) return invalidTarget()
  }
  return new OauthError(
    'invalid_grant',
    'The refresh token is wrong, used or expired, or its connection ended.',
  )
}

/** The permissions that a refresh names, if any (RFC 6749, 6). @throws `invalid_scope` for one that no app may have */
function readPermissions({ parameters }: ClientRequest): AppPermission[] | undefined {
  const scope = getValue(parameters, 'scope')
  if (scope === undefined) return undefined
  const permissions = readScope(scope)
  if (permissions === undefined) throw invalidScope()
  return permissions
}

/** Refreshes in one statement; the rest wait for the next. */
const refreshesMax = 256
/** Refreshes that wait; a further one is 503. */
const refreshQueueMax = 20_000

/**
 * An app exchanges a refresh token for the next pair (specification "POST {base_url}/oauth/token"; RFC 6749, 6).
 * `scope` and `resource` narrow the access token of this answer; the next refresh token has what this one had. A token of
 * another app is as unknown as any wrong one. Refreshes that wait share a statement and its commit.
 */
export function createRefreshTokenGrant(context: RefreshContext): Grant {
  const { pool, clock, config, telemetry } = context
  const refreshes = createBatcher({
    itemsMax: refreshesMax,
    queueMax: refreshQueueMax,
    // If a refresh succeeded unnoticed, the app would lack the next token, and sending the used one again would end all.
    waitsOut: true,
    onBatch: createBatchObserver(telemetry, 'refresh'),
    run: async (attempts: RefreshAttempt[]): Promise<(TokenAnswer | undefined)[]> => {
      const nowMs = clock.now()
      const pairs = attempts.map(() => createTokenPair(nowMs))
      const issued = await refreshAll(pool, attempts, pairs, toolsResource(config.baseUrl))
      return issued.map((each, index) => each && toPairAnswer(pairs[index]!, each))
    },
  })
  return async (request) => {
    const attempt: RefreshAttempt = {
      clientId: requireAppId(request),
      tokenHash: hashSecret(requireParameter(request, 'refresh_token')),
      permissions: readPermissions(request),
      resources: readResources(context, request),
    }
    const answer = await refreshes.submit(attempt)
    if (answer === undefined) throw await refuseRefresh(context, attempt)
    return answer
  }
}
