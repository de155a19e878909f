import { open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { BackupError } from './backup-error.ts'
import { isWalFile, toWalKey } from './layout.ts'
import type { SealedStore } from './sealed-store.ts'

/** Where the built-in database archives finished segments (`basic_archive`), until they are stored. */
export function toArchiveFolder(dataFolder: string): string {
  return join(dataFolder, 'archive')
}

/** The first field of `pg_control` (`src/include/catalog/pg_control.h`), in the order of bytes of all machines that we run on. */
export async function readSystemIdentifier(dataFolder: string): Promise<string> {
  await using file = await open(join(dataFolder, 'postgres/global/pg_control'), 'r')
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
  return String(buffer.readBigUInt64LE())
}

/** When PostgreSQL finished a segment, in front of its content: 8 bytes, milliseconds since 1970. */
const headBytes = 8

export function encodeSegment(content: Uint8Array, finishedAt: Date): Buffer {
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

async function readFinished(path: string): Promise<{ content: Buffer; finishedAt: Date } | undefined> {
  try {
    const [content, { mtime }] = await Promise.all([readFile(path), stat(path)])
    return { content, finishedAt: mtime }
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
 * @returns when the last of them was finished; undefined if there was none
 * @throws BackupError if another one is stored under the same name: two databases use one place
 */
export async function shipSegments(
  sealed: SealedStore,
  dataFolder: string,
  signal?: AbortSignal,
): Promise<Date | undefined> {
  const folder = toArchiveFolder(dataFolder)
  const names = (await readdir(folder)).filter(isWalFile).toSorted()
  if (names.length === 0) return undefined
  const system = await readSystemIdentifier(dataFolder)
  let last: Date | undefined
  for (const name of names) {
    signal?.throwIfAborted()
    const finished = await readFinished(join(folder, name))
    if (finished === undefined) continue
    const { content, finishedAt } = finished
    const key = toWalKey(system, name)
    if ((await sealed.put(key, encodeSegment(content, finishedAt), { ifAbsent: true })) === 'present') {
      const stored = await sealed.get(key)
      if (stored === undefined || !decodeSegment(stored).content.equals(content))
        throw new BackupError(
          `${sealed.store.place} has another segment ${name}: give each database a place of its own in NUMERA_BACKUP.`,
        )
    }
    await rm(join(folder, name), { force: true })
    last = finishedAt
  }
  return last
}
