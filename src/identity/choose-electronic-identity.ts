import type { Config, SecretSettings } from '../config/config.ts'
import type { Context } from '../service/context.ts'
import { readCredentials } from './bankid/credentials.ts'
import { openBankId } from './bankid/open-bankid.ts'
import { openDemoIdentity } from './demo/open-demo-identity.ts'
import type { ElectronicIdentity } from './identity-provider.ts'
import { openOpenIdConnect } from './openid-connect/open-openid-connect.ts'

export type IdentityContext = Pick<Context, 'pool' | 'clock' | 'keys' | 'config' | 'log' | 'telemetry'>

type OpenElectronicIdentity = (context: IdentityContext) => ElectronicIdentity

type IdentitySettings = Pick<Config, 'bankid' | 'oidc'>
type IdentitySecrets = Pick<SecretSettings, 'bankidPassphrase' | 'oidcClientSecret'>

/** OpenID Connect signs people in where it is configured, and BankID otherwise; only BankID lets them sign. */
function openProviders(
  { bankid, oidc }: IdentitySettings,
  secrets: IdentitySecrets,
  context: IdentityContext,
): ElectronicIdentity {
  const opened = new AsyncDisposableStack()
  const signing = bankid && opened.use(openBankId(bankid, secrets, context))
  const signIn = oidc ? opened.use(openOpenIdConnect(oidc, secrets, context)) : signing!
  return { demo: false, signIn, signing, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/**
 * How to open the electronic identity that the configuration names [eid.provider]: what cannot be is told before there is
 * a database. The configuration refuses the demo at a public address unless it was requested.
 *
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function chooseElectronicIdentity(
  { bankid, oidc }: IdentitySettings,
  secrets: IdentitySecrets,
): OpenElectronicIdentity {
  if (bankid === undefined && oidc === undefined) return openDemoIdentity
  if (bankid !== undefined) readCredentials(bankid, secrets.bankidPassphrase)
  return (context) => openProviders({ bankid, oidc }, secrets, context)
}
