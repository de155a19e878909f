import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../src/platform/config/config.ts'
import { ConfigError } from '../../src/platform/config/config-error.ts'
import { hasCluster } from '../../src/platform/database/embedded.ts'
import { removeEmbedded } from '../../src/platform/database/remove-embedded.ts'

type FolderConfig = Pick<Config, 'dataFolder' | 'embeddedDatabase'>

/** Marks a data folder whose database was created for a demo, so that it may be deleted. */
const markFile = 'demo.mark'

/** The demo's files in its data folder: secrets of sources, the mark, and the time up to which its systems have sent. */
const demoFilePattern = /^demo\.|\.(?:credential|secret)$/

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Whether the next start creates a built-in database in a folder that has none. */
export async function isNewDemo({ dataFolder, embeddedDatabase }: FolderConfig): Promise<boolean> {
  return embeddedDatabase && !(await hasCluster(dataFolder))
}

/** Marks the data folder of a new demo, once it has a database. */
export async function markDemoFolder({ dataFolder }: FolderConfig): Promise<void> {
  const text =
    'The database in this folder is a demo: "npm start -- --reset" deletes it and creates it again.'
  await writeFile(join(dataFolder, markFile), `${text}\n`)
}

/**
 * Rethrows why a demo could not be opened. Where its master key or its password is missing or wrong, the message also names
 * the reset.
 */
export async function offerReset(error: unknown, { dataFolder }: FolderConfig): Promise<never> {
  if (!(error instanceof ConfigError) || !(await exists(join(dataFolder, markFile)))) throw error
  throw new ConfigError([
    ...error.problems,
    'The data in this folder is only a demo. To delete it and create it again: npm start -- --reset',
  ])
}

/**
 * Checks that the demo may be reset: its database is the built-in one, and was created by the demo.
 *
 * @throws Error that says why not; nothing was changed
 */
export async function requireDemoFolder({ dataFolder, embeddedDatabase }: FolderConfig): Promise<void> {
  if (!embeddedDatabase) {
    throw new Error(
      'Only the built-in database can be reset, and DATABASE_URL names another one. Nothing was changed.',
    )
  }
  if (!(await hasCluster(dataFolder)) || (await exists(join(dataFolder, markFile)))) return
  throw new Error(
    `The database in ${dataFolder} was not created by the demo of this version. Nothing was changed. ` +
      'If nothing in it is needed, delete the folder yourself.',
  )
}

/**
 * Deletes the demo's database and the credentials of its sources; the next start creates them again. The master key and
 * files that are not the demo's stay.
 *
 * @throws Error as `requireDemoFolder`, and where a service runs on the folder; nothing was changed
 */
export async function removeDemo(config: FolderConfig, log: (message: string) => void): Promise<void> {
  await requireDemoFolder(config)
  const { dataFolder } = config
  if (!(await hasCluster(dataFolder))) return
  await removeEmbedded(dataFolder, log)
  for (const name of await readdir(dataFolder)) {
    if (demoFilePattern.test(name)) await rm(join(dataFolder, name))
  }
}
