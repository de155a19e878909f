import { randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ConfigError } from './config-error.ts'

/**
 * Reads a secret from a file of its own, readable by its owner only; creates it where there is none. Concurrent processes
 * get the same secret. It is on disk before it is returned: a key that something was sealed
 * under must survive a power cut.
 */
export async function secretFile(path: string, create: () => string | Promise<string>): Promise<string> {
  const read = (): Promise<string> => readFile(path, 'utf8').then((text) => text.trim())
  try {
    return await read()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }

  const secret = await create()
  const draft = `${path}.${randomUUID()}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${secret}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  try {
    // Unlike a rename, a link never replaces what another process has created meanwhile.
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft)
  }
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
  return read()
}

/**
 * Reads the secret of a database that exists, for which no other one can be created.
 *
 * @param problem what to say of a missing file, after its path
 * @throws ConfigError where there is no file
 */
export async function existingSecretFile(path: string, problem: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new ConfigError([`${path} is missing, ${problem} Nothing was changed`])
  }
}
