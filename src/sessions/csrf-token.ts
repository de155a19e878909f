import { createHmac } from 'node:crypto'
import type { DeploymentKeys } from '../keys/deployment-keys.ts'

/**
 * The CSRF token of a session: an HMAC of its token under a key of the deployment, so that nothing has to be stored and
 * no other session's fits. The pages get it with `GET /console/session`, which no page of another origin can read.
 */
export function csrfToken(keys: Pick<DeploymentKeys, 'csrfTokens'>, sessionToken: string): string {
  return createHmac('sha256', keys.csrfTokens).update(sessionToken).digest('base64url')
}
