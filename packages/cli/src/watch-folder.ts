import { appendFile, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BrokenFile, CredentialRefused, NumeraError, SourcePaused } from 'numera-client'
import { keyOfFile } from './file-key.ts'
import { type PushOptions, pushOne } from './push-command.ts'
import type { Session } from './session.ts'
import { printable } from './table.ts'

/** Lines of JSON in the folder: what became of each file. */
const journalName = '.numeractl-sent.jsonl'

interface Entry {
  file: string
  key: string
  outcome: 'stored' | 'refused'
  artifact_ids?: string[]
  error?: string
}

const pollMs = 1000
/** A file that has not changed for so long is whole. */
const quietMs = 2000

/** Of programs that write a file under another name first. */
const isTemporary = (name: string): boolean =>
  name.startsWith('.') || /(\.(part|tmp|crdownload)|~)$/.test(name)

/**
 * Sends each new file of a folder once. Its journal survives the process; a file that was sent but not noted is sent again under its
 * key, and counts once. A changed file of the same name is reported and not sent, since its rows would count again.
 *
 * @throws CredentialRefused, SourcePaused: no further file could be sent
 */
export async function watchFolder(session: Session, options: PushOptions, folder: string): Promise<void> {
  const { signal, clock } = session.io
  const journal = await readJournal(folder)
  const { numera } = await session.connect(options, { giveUpAfterMs: Number.POSITIVE_INFINITY })
  const seen = new Map<string, { size: number; mtimeMs: number; sinceMs: number }>()
  session.note(`Watching ${folder}, where ${journal.size} files were sent. Ctrl-C ends it.`)
  while (!signal.aborted) {
    for (const file of (await readdir(folder)).filter((name) => !isTemporary(name)).toSorted()) {
      if (await isReady(join(folder, file), seen, clock.now())) {
        await sendOnce(session, numera, options, folder, file, journal)
      }
      if (signal.aborted) return
    }
    await clock.sleep(pollMs, signal).catch(() => {})
  }
}

/** Whether a file has just stopped growing: true once for each change. */
async function isReady(
  path: string,
  seen: Map<string, { size: number; mtimeMs: number; sinceMs: number }>,
  nowMs: number,
): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() || found.size === 0) return false
  const { size, mtimeMs } = found
  const before = seen.get(path)
  if (before?.size !== size || before.mtimeMs !== mtimeMs) {
    seen.set(path, { size, mtimeMs, sinceMs: nowMs })
    return false
  }
  if (nowMs - before.sinceMs < quietMs) return false
  before.sinceMs = Number.POSITIVE_INFINITY
  return true
}

async function sendOnce(
  session: Session,
  numera: Parameters<typeof pushOne>[1],
  options: PushOptions,
  folder: string,
  file: string,
  journal: Map<string, Entry>,
): Promise<void> {
  const path = join(folder, file)
  try {
    const key = await keyOfFile(path)
    const before = journal.get(file)
    if (before?.key === key) return
    if (before) {
      session.note(
        `${printable(path)} has changed since it was sent, and is not sent again: give new rows a new file.`,
      )
      return
    }
    const entry = await send(session, numera, options, path, { file, key })
    if (entry === undefined) return
    journal.set(file, entry)
    await appendFile(join(folder, journalName), `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Gives what to note; undefined where the end of the watch interrupted it. */
async function send(
  session: Session,
  numera: Parameters<typeof pushOne>[1],
  options: PushOptions,
  path: string,
  about: Pick<Entry, 'file' | 'key'>,
): Promise<Entry | undefined> {
  try {
    const receipts = await pushOne(session, numera, options, path)
    return { ...about, outcome: 'stored', artifact_ids: receipts.map(({ artifactId }) => artifactId) }
  } catch (error) {
    if (session.io.signal.aborted) return undefined
    const isFinal = error instanceof NumeraError || error instanceof BrokenFile
    if (!isFinal || error instanceof CredentialRefused || error instanceof SourcePaused) throw error
    session.note(`${printable(path)} was refused and is not sent again: ${error.message}`)
    return { ...about, outcome: 'refused', error: error.message }
  }
}

async function readJournal(folder: string): Promise<Map<string, Entry>> {
  const text = await readFile(join(folder, journalName), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const entries = text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as Entry]
    } catch {
      // Empty, or cut by the end of the process: the file is sent again under its key.
      return []
    }
  })
  return new Map(entries.map((entry) => [entry.file, entry]))
}
