import type { AppContext } from '../src/app/app-context.ts'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { findMember } from '../src/people/members/find-member.ts'
import { secretFile } from '../src/platform/config/secret-file.ts'
import { createConnection } from '../src/company/connections/create-connection.ts'
import { signWithDemoIdentity } from '../src/company/connections/sign-with-demo-identity.ts'
import { rotateSigningSecret } from '../src/company/sources/signing-secrets/rotate-signing-secret.ts'
import { demoOwner, soleTrader } from './demo-companies.ts'
import type { DemoScene, DemoSourceName } from './demo-scene.ts'

/** `firstSteps` is `first-steps.credential` in the data folder. */
function toFile({ config }: Pick<AppContext, 'config'>, name: DemoSourceName, ending: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return join(config.dataFolder, `${words}.${ending}`)
}

export interface SourceConnection {
  connectionId: string
  /** Static. */
  credential: string
}

/** Makes a connection that pushes to a source and reads it, signed by the owner of its company. */
export async function connectSource(
  context: AppContext,
  { sources }: Pick<DemoScene, 'sources'>,
  name: DemoSourceName,
): Promise<SourceConnection> {
  const { companyId, sourceId, name: title } = sources[name]
  const maker = name === 'invoices' ? soleTrader : demoOwner
  const { memberId } = await findMember(context, maker.personalNumber)
  const { connection, credential } = await createConnection(context, memberId, companyId, {
    name: title,
    sourceId,
    permissions: ['sources.ingest', 'metrics.read'],
    kind: 'production',
    credentialKind: 'static',
  })
  const { connectionId } = connection
  await signWithDemoIdentity(context, memberId, companyId, connectionId, maker)
  return { connectionId, credential: credential! }
}

/**
 * The static credential of a connection to a source. It is kept in the data folder, since it is shown once and must
 * work after every start. Where the file is lost, another connection is made.
 */
export async function sourceCredential(
  context: AppContext,
  scene: Pick<DemoScene, 'sources'>,
  name: DemoSourceName,
): Promise<string> {
  return secretFile(toFile(context, name, 'credential'), async () => {
    const { credential } = await connectSource(context, scene, name)
    return credential
  })
}

/** The signing secret of a webhook source, kept in the same way. Where the file is lost, the secret is rotated. */
export async function sourceSigningSecret(
  context: AppContext,
  scene: Pick<DemoScene, 'sources'>,
  name: DemoSourceName,
): Promise<string> {
  return secretFile(toFile(context, name, 'secret'), async () => {
    const { companyId, sourceId } = scene.sources[name]
    return (await rotateSigningSecret(context, 'operator', companyId, sourceId)).signingSecret
  })
}

/** Stores the credential or the signing secret of a source that was just made, whatever a demo before it has left. */
export async function storeSecret(
  context: Pick<AppContext, 'config'>,
  name: DemoSourceName,
  kind: 'credential' | 'secret',
  secret: string,
): Promise<void> {
  const file = toFile(context, name, kind)
  await rm(file, { force: true })
  await secretFile(file, () => secret)
}
