import { createHmac } from 'node:crypto'
import type { DeploymentKeys } from '../keys/deployment-keys.ts'

/** What an OpenID Connect provider calls a sign-in and a person, by which it ends their sessions here. */
export interface LogoutNames {
  issuer: string
  /** The sign-in; undefined where it has no name. */
  sid: string | undefined
  /** The person; undefined where the provider names the sign-in alone. */
  sub: string | undefined
}

/** What a sign-in at the provider is ended by. */
export interface NamedSignIn extends LogoutNames {
  /** When the provider made its ID token, by the provider's clock, in whole seconds. */
  issuedAt: Date
}

/** What is stored of them: HMAC-SHA256 under the key of personal numbers, which some providers use as `sub`. */
export function logoutMacsOf(
  keys: Pick<DeploymentKeys, 'personalNumbers'>,
  { issuer, sid, sub }: LogoutNames,
): Record<'sid' | 'sub', Buffer | undefined> {
  const macOf = (kind: 'sid' | 'sub', name: string | undefined): Buffer | undefined =>
    name === undefined
      ? undefined
      : createHmac('sha256', keys.personalNumbers)
          .update(JSON.stringify([kind, issuer, name]))
          .digest()
  return { sid: macOf('sid', sid), sub: macOf('sub', sub) }
}
