import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { demoOwner, soleTrader } from '../data/demo-companies.ts'
import { completeOrder, openDemoBrowser, type DemoBrowser } from './demo-browser.ts'
import type { DemoScene, DemoSource, DemoSourceName } from './demo-scene.ts'

type Kind = 'credential' | 'secret'

export interface SourceConnection {
  connectionId: string
  /** Static. */
  credential: string
}

/** `firstSteps` has `first-steps.credential` in the data folder. */
function toFile(dataFolder: string, name: DemoSourceName, kind: Kind): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  return join(dataFolder, `${words}.${kind}`)
}

/** Creates and signs a connection that pushes to a source and reads it, as an owner who is signed in. */
export async function connectSource(
  url: string,
  browser: DemoBrowser,
  { companyId, sourceId, name }: DemoSource,
): Promise<SourceConnection> {
  const path = `/console/companies/${companyId}/connections`
  const { connection, credential } = await browser.send<{
    connection: { connection_id: string }
    credential: string
  }>('POST', path, {
    name,
    source_id: sourceId,
    permissions: ['sources.ingest', 'metrics.read'],
    kind: 'production',
    credential_kind: 'static',
  })
  const connectionId = connection.connection_id
  await completeOrder(url, browser, `${path}/${connectionId}/sign`)
  return { connectionId, credential }
}

/** Stores the credential or the signing secret of a new source in the data folder, since the service shows it once. */
export async function storeSecret(
  dataFolder: string,
  name: DemoSourceName,
  kind: Kind,
  secret: string,
): Promise<void> {
  const file = toFile(dataFolder, name, kind)
  // An earlier demo may have left one. A new file has the mode.
  await rm(file, { force: true })
  await writeFile(file, `${secret}\n`, { mode: 0o600, flush: true })
}

/** The secrets of the demo's systems at the service that listens at `url`. */
export function openSourceSecrets(url: string, dataFolder: string, { sources }: Pick<DemoScene, 'sources'>) {
  const read = async (name: DemoSourceName, kind: Kind, create: () => Promise<string>): Promise<string> => {
    try {
      const stored = (await readFile(toFile(dataFolder, name, kind), 'utf8')).trim()
      // A full disk leaves an empty file.
      if (stored !== '') return stored
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    const secret = await create()
    await storeSecret(dataFolder, name, kind, secret)
    return secret
  }
  return {
    /** The static credential of a connection to a source. Without its file another connection is created. */
    readCredential: (name: DemoSourceName): Promise<string> =>
      read(name, 'credential', async () => {
        await using owner = await openDemoBrowser(url, name === 'invoices' ? soleTrader : demoOwner)
        return (await connectSource(url, owner, sources[name])).credential
      }),
    /** The signing secret of a webhook source. Without its file the secret is rotated. */
    readSigningSecret: (name: DemoSourceName): Promise<string> =>
      read(name, 'secret', async () => {
        const { companyId, sourceId } = sources[name]
        await using owner = await openDemoBrowser(url, demoOwner)
        const path = `/console/companies/${companyId}/sources/${sourceId}/rotate-signing-secret`
        return (await owner.send<{ signing_secret: string }>('POST', path, {})).signing_secret
      }),
  }
}

export type SourceSecrets = ReturnType<typeof openSourceSecrets>
