import type { DirectoryContext } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import { answerDemoIdentity } from '../../people/identity/demo/demo-provider.ts'
import { pagelessOrigin, type IdentifiedPerson } from '../../people/identity/identity-provider.ts'
import {
  collectConnectionSignature,
  startSigningConnection,
  type SignedConnection,
} from './sign-connection.ts'

/**
 * Signs a connection in one step with the demo identity, as its creator would on the demo's page: for the command line and
 * the demo's own connection.
 *
 * @param person the creator; twelve digits
 * @throws Error if another identity provider is configured; otherwise as `startSigningConnection`
 */
export async function signWithDemoIdentity(
  context: Pick<DirectoryContext, 'pool' | 'clock' | 'keys'> & WithIdentity,
  memberId: string,
  companyId: string,
  connectionId: string,
  person: IdentifiedPerson,
): Promise<SignedConnection> {
  if (!context.identity.demo)
    throw new Error('Only the demo identity signs without its person being present.')
  const origin = { ...pagelessOrigin, sessionHash: undefined }
  const order = await startSigningConnection(context, memberId, companyId, connectionId, 'en', origin)
  const reference = order.presentation.openUrl?.split('/').at(-1) ?? ''
  await answerDemoIdentity(context, reference, person)
  const progress = await collectConnectionSignature(context, memberId, companyId, connectionId, order.orderId)
  if (progress.state !== 'complete') throw new Error(`The connection was not signed: ${progress.state}.`)
  return progress.result
}
