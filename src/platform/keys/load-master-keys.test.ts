import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Secret } from '../config/secret.ts'
import { loadMasterKeys } from './load-master-keys.ts'
import { toMasterKey } from './master-key.ts'

const none = { masterKey: undefined, masterKeyCommand: undefined, previousMasterKey: undefined }

let dataFolder: string
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'numera-keys-'))
})
afterEach(() => rm(dataFolder, { recursive: true }))

const withDatabase = async (): Promise<void> => {
  await mkdir(join(dataFolder, 'postgres'))
  await writeFile(join(dataFolder, 'postgres', 'PG_VERSION'), '18\n')
}

test('without a configured key one is made in an empty data folder, and is the same at the next start', async () => {
  const { current, from } = await loadMasterKeys({ dataFolder }, none)
  expect(from).toBe(join(dataFolder, 'master.key'))
  const again = await Promise.all([1, 2, 3].map(() => loadMasterKeys({ dataFolder }, none)))
  await withDatabase()
  again.push(await loadMasterKeys({ dataFolder }, none))
  for (const keys of again) expect(keys.current.fingerprint).toEqual(current.fingerprint)
})

test('a lost key file of an existing database is not replaced', async () => {
  await withDatabase()
  await expect(loadMasterKeys({ dataFolder }, none)).rejects.toThrow(
    `${dataFolder}/master.key is missing, the master key under which the database in the same folder is sealed: ` +
      'restore the file from a backup, or set NUMERA_MASTER_KEY',
  )
  expect(await readdir(dataFolder)).toEqual(['postgres'])
})

test('the contents of the file may be configured in its place', async () => {
  const { current } = await loadMasterKeys({ dataFolder }, none)
  const text = (await readFile(join(dataFolder, 'master.key'), 'utf8')).trim()
  const masterKey = new Secret<Uint8Array>(Buffer.from(text, 'base64url'))
  const configured = await loadMasterKeys({ dataFolder }, { ...none, masterKey })
  expect(configured.current.fingerprint).toEqual(current.fingerprint)
  expect(toMasterKey(Buffer.alloc(32)).fingerprint).not.toEqual(current.fingerprint)
})

test('a file that holds no key is refused and left as it is', async () => {
  await writeFile(join(dataFolder, 'master.key'), 'short\n')
  await expect(loadMasterKeys({ dataFolder }, none)).rejects.toThrow('does not hold a key of 32 bytes')
  expect(await readFile(join(dataFolder, 'master.key'), 'utf8')).toBe('short\n')
})

test('a command that prints the previous key has not been changed to the new one', async () => {
  const bytes = Buffer.alloc(32, 7)
  const masterKeyCommand = new Secret(`echo ${bytes.toString('hex')}`)
  const { current, from } = await loadMasterKeys({ dataFolder }, { ...none, masterKeyCommand })
  expect([current.fingerprint, from]).toEqual([toMasterKey(bytes).fingerprint, 'NUMERA_MASTER_KEY_COMMAND'])
  const previousMasterKey = new Secret<Uint8Array>(bytes)
  await expect(
    loadMasterKeys({ dataFolder }, { ...none, masterKeyCommand, previousMasterKey }),
  ).rejects.toThrow(
    'NUMERA_MASTER_KEY_PREVIOUS must be another key than the one that NUMERA_MASTER_KEY_COMMAND prints',
  )
})
