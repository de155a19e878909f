import { open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from './backup-error.ts'
import { isHistory, isSegment, toWalKey } from './layout.ts'
import type { LogMarks } from './log-marks.ts'
import type { SealedStore } from './sealed-store.ts'

/** Where the built-in database archives finished segments (`basic_archive`), until they are stored. */
function toArchiveFolder(dataFolder: string): string {
  return join(dataFolder, 'archive')
}

/** The first field of `pg_control` (`src/include/catalog/pg_control.h`), in the order of bytes of all machines that we run on. */
async function readSystemIdentifier(dataFolder: string): Promise<string> {
  await using file = await open(join(dataFolder, 'postgres/global/pg_control'), 'r')
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
  return String(buffer.readBigUInt64LE())
}

/** In front of a segment's content: up to when it has all commits. 8 bytes, milliseconds since 1970. */
const headBytes = 8

function encodeSegment(content: Uint8Array, finishedAt: Date): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeBigUInt64BE(BigInt(finishedAt.getTime()))
  return Buffer.concat([head, content])
}

export function decodeSegment(stored: Buffer): { content: Buffer; finishedAt: Date } {
  return {
    content: stored.subarray(headBytes),
    finishedAt: new Date(Number(stored.readBigUInt64BE())),
  }
}

/** Where a base began, and the unfinished segment of a timeline that was left: a restore needs neither. */
const leftover = /\.(?:backup|partial)$/

async function readFinished(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    // Another process has stored it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Stores the segments that the database has finished, the oldest first, and then deletes them here. Several processes may do
 * so at the same time.
 *
 * @returns up to when all commits are stored; undefined if there was no segment
 * @throws BackupError if another one is stored under the same name: two databases use one place
 */
export async function shipSegments(
  { sealed, dataFolder, marks }: { sealed: SealedStore; dataFolder: string; marks: LogMarks },
  signal?: AbortSignal,
): Promise<Date | undefined> {
  const folder = toArchiveFolder(dataFolder)
  const found = await readdir(folder)
  for (const name of found.filter((each) => leftover.test(each)))
    await rm(join(folder, name), { force: true })
  const names = found.filter((name) => isSegment(name) || isHistory(name)).toSorted()
  if (names.length === 0) return undefined
  const system = await readSystemIdentifier(dataFolder)
  let last: Date | undefined
  for (const name of names) {
    signal?.throwIfAborted()
    const content = await readFinished(join(folder, name))
    if (content === undefined) continue
    const finishedAt = isSegment(name) ? marks.finishedAt(name) : new Date(0)
    const key = toWalKey(system, name)
    if ((await sealed.put(key, encodeSegment(content, finishedAt), { ifAbsent: true })) === 'present') {
      const stored = await sealed.get(key)
      if (stored === undefined || !decodeSegment(stored).content.equals(content))
        throw new BackupError(
          `${sealed.store.place} has another segment ${name}: give each database a place of its own in NUMERA_BACKUP.`,
        )
    }
    await rm(join(folder, name), { force: true })
    if (isSegment(name)) last = finishedAt
  }
  return last
}

export async function isSegmentStored(
  { sealed, dataFolder }: { sealed: SealedStore; dataFolder: string },
  name: string,
): Promise<boolean> {
  const key = toWalKey(await readSystemIdentifier(dataFolder), name)
  return (await sealed.store.get(key, { from: 0, to: 1 })) !== undefined
}

/** Up to when all commits are stored of this database; the beginning of 1970 if there is no log of it. */
export async function readShippedTo(sealed: SealedStore, dataFolder: string): Promise<Date> {
  const prefix = toWalKey(await readSystemIdentifier(dataFolder), '')
  let last: string | undefined
  for await (const { key } of sealed.store.list(prefix)) if (isSegment(key.slice(prefix.length))) last = key
  const stored = last === undefined ? undefined : await sealed.get(last)
  return stored === undefined ? new Date(0) : decodeSegment(stored).finishedAt
}
