import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../src/platform/config/config.ts'
import { hasCluster } from '../src/platform/database/embedded.ts'
import { removeEmbedded } from '../src/platform/database/remove-embedded.ts'

type FolderConfig = Pick<Config, 'dataFolder' | 'embeddedDatabase'>

/** Says that the database beside it was made for a demo, so that it may be emptied. */
const markFile = 'demo.mark'

/** What the demo keeps in its data folder: the secrets of its sources, this mark, and how far it has grown. */
const demoFilePattern = /^demo\.|\.(?:credential|secret)$/

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

/** Whether the next start makes a built-in database in a folder that has none. */
export async function isNewDemo({ dataFolder, embeddedDatabase }: FolderConfig): Promise<boolean> {
  return embeddedDatabase && !(await hasCluster(dataFolder))
}

/** Marks the data folder of a new demo, once its database is there. */
export async function markDemoFolder({ dataFolder }: FolderConfig): Promise<void> {
  const text = 'The database in this folder is a demo: "npm start -- --reset" makes it anew.'
  await writeFile(join(dataFolder, markFile), `${text}\n`)
}

/**
 * Checks that the demo here may be made anew: its database is the built-in one, and was made by the demo.
 *
 * @throws Error that says what is in the way; nothing was changed
 */
export async function requireDemoFolder({ dataFolder, embeddedDatabase }: FolderConfig): Promise<void> {
  if (!embeddedDatabase) {
    throw new Error(
      'Only the built-in database is emptied, and DATABASE_URL names another one. Nothing was changed.',
    )
  }
  if (!(await hasCluster(dataFolder)) || (await exists(join(dataFolder, markFile)))) return
  throw new Error(
    `The database in ${dataFolder} was not made by the demo of this version. Nothing was changed. ` +
      'Where nothing in it is needed any more, remove the folder yourself.',
  )
}

/**
 * Removes the demo's database and the credentials of its sources, so that the next start makes it anew. The master key
 * and what has nothing to do with the demo stay.
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
