import type { OidcSettings, SecretSettings } from '../../config/config.ts'
import type { Context } from '../../service/context.ts'
import type { SignInProvider } from '../identity-provider.ts'

export type OpenIdConnectContext = Pick<Context, 'pool' | 'clock' | 'keys' | 'config' | 'log' | 'telemetry'>

/** The OpenID Connect provider of the configuration, which signs people in. It is first asked when somebody signs in. */
export function openOpenIdConnect(
  _config: OidcSettings,
  _secrets: Pick<SecretSettings, 'oidcClientSecret'>,
  _context: OpenIdConnectContext,
): SignInProvider & AsyncDisposable {
  throw new Error('it comes with the next commit')
}
