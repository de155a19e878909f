import { join } from 'node:path'
import { findMember } from '../companies/find-member.ts'
import { makeConnection } from '../connections/make-connection.ts'
import { signWithDemoIdentity } from '../connections/sign-with-demo-identity.ts'
import type { Context } from '../service/context.ts'
import { secretFile } from '../config/secret-file.ts'
import { rotateSigningSecret } from '../sources/rotate-signing-secret.ts'
import type { AddedSource } from './add-demo-companies.ts'
import { demoOwner } from './demo-companies.ts'

/** `First steps` is `first-steps.credential` in the data folder. */
function fileOf(context: Context, { source }: AddedSource, ending: string): string {
  return join(context.config.dataFolder, `${source.name.toLowerCase().replaceAll(' ', '-')}.${ending}`)
}

/**
 * The static credential of a connection to a source. It is kept in the data folder, since it is shown once and must
 * work after every start. Where the file is lost, another connection is made.
 */
export async function sourceCredential(context: Context, added: AddedSource): Promise<string> {
  const { company, source } = added
  const makeCredential = async (): Promise<string> => {
    const { memberId } = await findMember(context, demoOwner.personalNumber)
    const { connection, credential } = await makeConnection(context, memberId, company.companyId, {
      name: source.name,
      sourceId: source.sourceId,
      permissions: ['sources.ingest', 'metrics.read'],
      kind: 'production',
      credentialKind: 'static',
    })
    await signWithDemoIdentity(context, memberId, company.companyId, connection.connectionId, demoOwner)
    return credential!
  }
  return secretFile(fileOf(context, added, 'credential'), makeCredential)
}

/** The signing secret of a webhook source, kept in the same way. Where the file is lost, the secret is rotated. */
export async function sourceSigningSecret(context: Context, added: AddedSource): Promise<string> {
  return secretFile(fileOf(context, added, 'secret'), async () => {
    const { companyId } = added.company
    return (await rotateSigningSecret(context, 'operator', companyId, added.source.sourceId)).signingSecret
  })
}
