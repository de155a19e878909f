import { ConfigError } from '../config/config-error.ts'
import type { Config, SecretSettings } from '../config/config.ts'
import type { Context } from '../service/context.ts'
import { openDemoIdentity } from './demo/open-demo-identity.ts'
import { openOpenIdConnect } from './openid-connect/open-openid-connect.ts'
import type { ElectronicIdentity } from './identity-provider.ts'

export type IdentityContext = Pick<Context, 'pool' | 'clock' | 'keys' | 'config' | 'log' | 'telemetry'>

type OpenElectronicIdentity = (context: IdentityContext) => ElectronicIdentity

/**
 * How to open the electronic identity that the configuration names [eid.provider]: what cannot be is told before there is
 * a database. The configuration refuses the demo at a public address unless it was requested.
 *
 * @throws ConfigError where this version has none of that name
 */
export function chooseElectronicIdentity(
  { identityProvider, oidc }: Pick<Config, 'identityProvider' | 'oidc'>,
  secrets: SecretSettings,
): OpenElectronicIdentity {
  if (identityProvider === 'demo') return openDemoIdentity
  if (oidc !== undefined) {
    return (context) => {
      const signIn = openOpenIdConnect(oidc, secrets, context)
      return {
        demo: false,
        signIn,
        signing: undefined,
        [Symbol.asyncDispose]: () => signIn[Symbol.asyncDispose](),
      }
    }
  }
  throw new ConfigError([
    `NUMERA_IDENTITY names ${identityProvider}, which this version does not have yet. Nothing was started or made`,
  ])
}
