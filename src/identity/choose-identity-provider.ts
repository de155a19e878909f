import { ConfigError } from '../config/config-error.ts'
import type { Config } from '../config/config.ts'
import type { Context } from '../service/context.ts'
import { createDemoProvider } from './demo-provider.ts'
import type { IdentityProvider } from './identity-provider.ts'

type CreateIdentityProvider = (context: Pick<Context, 'pool' | 'clock' | 'keys'>) => IdentityProvider

/**
 * How to make the electronic identity that the configuration names [eid.provider]: known before there is a
 * database. The configuration refuses the demo at a public address unless it was requested.
 *
 * @throws ConfigError where this version has none of that name
 */
export function chooseIdentityProvider({
  identityProvider,
}: Pick<Config, 'identityProvider'>): CreateIdentityProvider {
  if (identityProvider === 'demo') return createDemoProvider
  throw new ConfigError([
    `NUMERA_IDENTITY names ${identityProvider}, which this version does not have yet. Nothing was started or made`,
  ])
}
