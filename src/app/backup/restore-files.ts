import { createHash } from 'node:crypto'
import { chown, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { unprivilegedUser } from '../../platform/database/embedded/unprivileged.ts'
import { BackupError } from './backup-error.ts'
import { toChunkKey, type Base, type Chunk } from './base.ts'
import { forEachConcurrently } from './for-each-concurrently.ts'
import { isHistory, toWalKey } from './layout.ts'
import type { RestorePlan } from './plan-restore.ts'
import type { SealedStore } from './sealed-store.ts'
import { decodeSegment } from './ship-segments.ts'

/** Objects that are fetched at the same time. */
const objectsMax = 8

/** The content of a chunk, under the current key or the previous one. */
export async function readChunk(sealed: SealedStore, { sha256 }: Chunk): Promise<Buffer> {
  const { keys, store } = sealed
  for (const key of [keys.current, keys.previous]) {
    if (key === undefined) continue
    const content = await sealed.get(toChunkKey(key.fingerprint.toString('hex'), sha256))
    if (content === undefined) continue
    if (createHash('sha256').update(content).digest('hex') === sha256) return content
    throw new BackupError(`The chunk ${sha256} in ${store.place} has another content.`)
  }
  throw new BackupError(`The chunk ${sha256} is missing in ${store.place}.`)
}

async function writeChunk(cluster: string, { parts }: Chunk, content: Buffer): Promise<void> {
  let at = 0
  for (const [path, from, bytes] of parts) {
    await using file = await open(join(cluster, path), 'r+')
    await file.write(content, at, bytes, from)
    at += bytes
  }
}

/** Each file must be there before its parts, which arrive in any order. */
async function createFiles(cluster: string, { folders, chunks }: Base): Promise<void> {
  for (const folder of folders) await mkdir(join(cluster, folder), { recursive: true, mode: 0o700 })
  const paths = new Set(chunks.flatMap(({ parts }) => parts.map(([path]) => path)))
  for (const path of paths) await (await open(join(cluster, path), 'wx', 0o600)).close()
}

async function giveTo(user: { uid: number; gid: number }, folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chown(join(entry.parentPath, entry.name), user.uid, user.gid)
  await chown(folder, user.uid, user.gid)
}

/** Where the segments are that the restored database reads at its first start. */
export function toRestoredLog(dataFolder: string): string {
  return join(dataFolder, 'restored-log')
}

/**
 * Writes the files of a base, and the log after it, into a new folder, from which the built-in database can start and recover.
 *
 * @throws BackupError if an object is missing or was changed
 */
export async function restoreFiles(
  sealed: SealedStore,
  plan: RestorePlan,
  dataFolder: string,
): Promise<void> {
  const { base, reach } = plan
  const cluster = join(dataFolder, 'postgres')
  const log = toRestoredLog(dataFolder)
  // As the built-in database has them (`startEmbedded`).
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700
  await mkdir(dataFolder, { recursive: true, mode })
  await mkdir(cluster, { mode: 0o700 })
  await mkdir(log, { mode: 0o700 })
  const user = unprivilegedUser(dirname(cluster))
  await createFiles(cluster, base)
  await forEachConcurrently(base.chunks, objectsMax, async (chunk) => {
    await writeChunk(cluster, chunk, await readChunk(sealed, chunk))
  })
  const histories: string[] = []
  const prefix = toWalKey(base.systemIdentifier, '')
  for await (const { key } of sealed.store.list(prefix)) {
    const name = key.slice(prefix.length)
    if (isHistory(name)) histories.push(name)
  }
  await forEachConcurrently([...reach.segments, ...histories], objectsMax, async (name) => {
    const stored = await sealed.get(`${prefix}${name}`)
    if (stored === undefined)
      throw new BackupError(`The segment ${name} is missing in ${sealed.store.place}.`)
    await writeFile(join(log, name), decodeSegment(stored).content, { mode: 0o600 })
  })
  await writeFile(join(cluster, 'backup_label'), base.label, { mode: 0o600 })
  await writeFile(join(cluster, 'recovery.signal'), '', { mode: 0o600 })
  for (const [name, content] of Object.entries(base.companions))
    await writeFile(join(dataFolder, name), content, { mode: 0o600 })
  if (user !== undefined) await Promise.all([giveTo(user, cluster), giveTo(user, log)])
}
