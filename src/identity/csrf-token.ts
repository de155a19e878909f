import { createHmac } from 'node:crypto'
import { deriveKey } from '../database/derive-key.ts'

/**
 * The CSRF token of a session: an HMAC of its token under a key of the deployment, so that nothing is to be kept and no
 * other session's fits. The pages get it with `GET /console/session`, which no page of another origin can read.
 */
export const csrfToken = (masterKey: Uint8Array, sessionToken: string): string =>
  createHmac('sha256', deriveKey(masterKey, 'csrf tokens v1')).update(sessionToken).digest('base64url')
