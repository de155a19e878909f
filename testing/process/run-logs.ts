import { appendFileSync, createReadStream } from 'node:fs'
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findSecrets } from './find-secrets.ts'

/** Contains the path of the run's logs. `testing/in-process/test-log.ts` uses it too. */
const folderVariable = 'TEST_LOGS_FOLDER'
const toldMax = 20

let files = 0

const newFile = (name: string): string | undefined => {
  const folder = process.env[folderVariable]
  return folder === undefined ? undefined : join(folder, `${name}-${process.pid}-${++files}.log`)
}

/** Writes the output of a process to the run's logs. Synchronously, since the process may be killed. */
export const saveLog = (name: string): ((text: string | Uint8Array) => void) => {
  const path = newFile(name)
  return path === undefined ? () => {} : (text) => appendFileSync(path, text)
}

/** Copies a log file, if it exists, to the run's logs. */
export const saveLogFile = async (name: string, path: string): Promise<void> => {
  const kept = newFile(name)
  if (kept !== undefined) await copyFile(path, kept).catch(() => {})
}

/**
 * Searches the logs in a folder for secrets. It skips the commands that a demo prints at its start, which contain sandbox
 * credentials for the reader to paste.
 */
export const searchLogs = async (folder: string): Promise<string[]> => {
  const told = new Set<string>()
  for (const name of (await readdir(folder)).toSorted()) {
    const lines = createInterface({ input: createReadStream(join(folder, name)), crlfDelay: Infinity })
    let number = 0
    let isPrinted = false
    for await (const line of lines) {
      number++
      if (line.startsWith('The Numera demo is running.')) isPrinted = true
      else if (line.startsWith('Each call is logged below.') || line.startsWith('{')) isPrinted = false
      if (isPrinted) continue
      for (const { what, excerpt } of findSecrets(line)) told.add(`${name}:${number}: ${what}: ${excerpt}`)
    }
  }
  return [...told]
}

/**
 * Before a run, creates a folder for the logs of everything that its tests start. After it, searches them; a finding fails
 * the run. Every project names this set-up, and the first one's serves the whole run.
 */
const setUp = async (): Promise<(() => Promise<void>) | undefined> => {
  if (process.env[folderVariable] !== undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'numera-logs-'))
  process.env[folderVariable] = folder
  return async () => {
    delete process.env[folderVariable]
    const found = await searchLogs(folder)
    if (found.length === 0) return rm(folder, { recursive: true, force: true })
    const more = found.length > toldMax ? [`and ${found.length - toldMax} more`] : []
    throw new Error(
      [`the logs of this run, in ${folder}, contain secrets:`, ...found.slice(0, toldMax), ...more].join(
        '\n',
      ),
    )
  }
}

export default setUp
