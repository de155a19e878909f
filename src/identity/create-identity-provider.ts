import { ConfigError } from '../config/config-error.ts'
import type { Context } from '../context.ts'
import { createDemoProvider } from './demo-provider.ts'
import type { IdentityProvider } from './identity-provider.ts'

/**
 * The electronic identity that the configuration names (reading `eid.provider`). That the demo is not used unasked at a
 * public address is seen to where the configuration is read.
 *
 * @throws ConfigError where this version has none of that name
 */
export const createIdentityProvider = (
  context: Pick<Context, 'pool' | 'clock' | 'masterKey' | 'config'>,
): IdentityProvider => {
  const { identityProvider } = context.config
  if (identityProvider === 'demo') return createDemoProvider(context)
  throw new ConfigError([`NUMERA_IDENTITY names ${identityProvider}, which this version does not have yet`])
}
