import { join } from 'node:path'
import { findMember } from '../identity/find-member.ts'
import { makeConnection } from '../connections/make-connection.ts'
import { signWithDemoIdentity } from '../connections/sign-with-demo-identity.ts'
import type { Context } from '../context.ts'
import { secretFile } from '../secret-file.ts'
import type { AddedSource } from './add-demo-companies.ts'
import { demoOwner } from './demo-companies.ts'

/**
 * The static credential of a connection to the "First steps" source, for the commands that the demo prints. It is kept in
 * the data folder, since it is shown once and the commands are to work after every start. Where the file is lost, another
 * connection is made.
 */
export const firstStepsCredential = async (
  context: Context,
  { company, source }: AddedSource,
): Promise<string> => {
  const makeCredential = async (): Promise<string> => {
    const { memberId } = await findMember(context, demoOwner.personalNumber)
    const { connection, credential } = await makeConnection(context, memberId, company.companyId, {
      name: 'First steps',
      sourceId: source.sourceId,
      permissions: ['sources.ingest', 'metrics.read'],
      kind: 'production',
      credentialKind: 'static',
    })
    await signWithDemoIdentity(context, memberId, company.companyId, connection.connectionId, demoOwner)
    return credential!
  }
  return secretFile(join(context.config.dataFolder, 'first-steps.credential'), makeCredential)
}
