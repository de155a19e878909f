import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { ConfigError } from '../../src/platform/config/config-error.ts'
import { lockFolder } from '../../src/platform/database/embedded/lock-folder.ts'
import { isNewDemo, markDemoFolder, offerReset, removeDemo, requireDemoFolder } from './demo-folder.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true })
})

/** A data folder as a service leaves it, with files in the place of a database. */
const dataFolder = async (): Promise<{ dataFolder: string; embeddedDatabase: boolean }> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-demo-'))
  folders.push(folder)
  await mkdir(join(folder, 'postgres'))
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '18\n')
  for (const name of ['master.key', 'first-steps.credential', 'cash-registers.secret', 'notes.txt'])
    await writeFile(join(folder, name), 'kept\n')
  return { dataFolder: folder, embeddedDatabase: true }
}

const noLog = (): void => {}

test('a demo is removed with its database and credentials, and nothing else', async () => {
  const config = await dataFolder()
  await markDemoFolder(config)
  await removeDemo(config, noLog)
  expect((await readdir(config.dataFolder)).toSorted()).toEqual(['master.key', 'notes.txt'])
  expect(await isNewDemo(config)).toBe(true)
  await removeDemo(config, noLog)
})

test('a database that the demo did not create is not changed', async () => {
  const config = await dataFolder()
  const before = await readdir(config.dataFolder, { recursive: true })
  await expect(removeDemo(config, noLog)).rejects.toThrow('was not created by the demo')
  await markDemoFolder(config)
  await expect(requireDemoFolder({ ...config, embeddedDatabase: false })).rejects.toThrow('DATABASE_URL')
  await expect(removeDemo({ ...config, embeddedDatabase: false }, noLog)).rejects.toThrow('DATABASE_URL')
  expect((await readdir(config.dataFolder, { recursive: true })).toSorted()).toEqual(
    [...before, 'demo.mark'].toSorted(),
  )
})

test('a running demo is not changed', async () => {
  const config = await dataFolder()
  await markDemoFolder(config)
  const lock = await lockFolder(config.dataFolder)
  await expect(removeDemo(config, noLog)).rejects.toThrow('in use by another Numera service')
  await lock.release()
  expect(await readdir(config.dataFolder)).toContain('first-steps.credential')
})

test('a reset is offered for a demo that its keys do not open, and for nothing else', async () => {
  const config = await dataFolder()
  const lost = new ConfigError(['master.key is missing'])
  await expect(offerReset(lost, config)).rejects.toBe(lost)
  await markDemoFolder(config)
  await expect(offerReset(lost, config)).rejects.toThrow(/master\.key is missing\n.*npm start -- --reset/)
  const other = new Error('disk full')
  await expect(offerReset(other, config)).rejects.toBe(other)
})
