import type { DirectoryContext } from '../../context.ts'
import type { Config, SecretSettings } from '../../platform/config/config.ts'
import { readCredentials } from './bankid/credentials.ts'
import { openBankId } from './bankid/open-bankid.ts'
import { openDemoIdentity } from './demo/demo-provider.ts'
import type { ElectronicIdentity } from './identity-provider.ts'
import { OpenIdConnect } from './openid-connect/openid-connect.ts'

export type IdentityContext = Pick<
  DirectoryContext,
  'pool' | 'clock' | 'keys' | 'config' | 'log' | 'telemetry'
>

/**
 * How to open the electronic identity that the configuration names [eid.provider]: a file that cannot be used is reported
 * before there is a database. OpenID Connect signs people in if it is configured, and BankID otherwise; only BankID lets them
 * sign. The configuration refuses the demo at a public address unless it is requested.
 *
 * @throws ConfigError that names the variable whose file cannot be used
 */
export function chooseElectronicIdentity(
  { bankid, oidc }: Pick<Config, 'bankid' | 'oidc'>,
  secrets: Pick<SecretSettings, 'bankidPassphrase' | 'oidcClientSecret'>,
): (context: IdentityContext) => ElectronicIdentity {
  if (bankid !== undefined) readCredentials(bankid, secrets.bankidPassphrase)
  if (bankid === undefined && oidc === undefined) return openDemoIdentity
  return (context) => {
    const opened = new AsyncDisposableStack()
    const signing = bankid && opened.use(openBankId(bankid, secrets, context))
    const signIn = oidc ? opened.use(new OpenIdConnect(oidc, secrets, context)) : signing!
    return { demo: false, signIn, signing, [Symbol.asyncDispose]: () => opened.disposeAsync() }
  }
}
