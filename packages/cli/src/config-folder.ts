import { mkdir, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Io } from './io.ts'

/** Source: XDG Base Directory Specification. */
export function configFolder({ environment }: Io): string {
  const base = environment['XDG_CONFIG_HOME']
  return join(base?.startsWith('/') ? base : join(environment['HOME'] ?? homedir(), '.config'), 'numeractl')
}

/** Replaces a file that its owner alone may read. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const written = `${path}.${process.pid}`
  await writeFile(written, text, { mode: 0o600, flag: 'wx' })
  await rename(written, path)
}
