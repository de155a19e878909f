import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { release } from '../../platform/config/release.ts'
import { BackupError } from './backup-error.ts'
import { toChunkKey, type Base, type Chunk } from './base.ts'
import { lockForBase } from './base-lock.ts'
import { cutIntoChunks, readParts } from './chunk-files.ts'
import { listClusterFiles } from './cluster-files.ts'
import { forEachConcurrently } from './for-each-concurrently.ts'
import { basesPrefix, faultyKey, toBaseName, toWalKey } from './layout.ts'
import type { SealedStore } from './sealed-store.ts'
import { connectAsSuperuser } from './superuser.ts'

/** Where the built-in database is, and how it is reached as its superuser. */
export interface BackedUpDatabase {
  dataFolder: string
  adminUrl: string
}

/** Chunks that are compressed or stored at the same time. */
const chunksMax = 8
/** How long the last segment may take until it is stored, in milliseconds. */
const segmentMsMax = 5 * 60_000
const pollMs = 250
/** Files beside the cluster that are kept with it: none of them is large. */
const companionBytesMax = 65_536
/** Of this process and its log; the master key is kept apart from what it opens. */
const notCompanions = /^(?:service\.lock.*|postgres\.log.*|master\.key)$/

export interface StoreBaseOptions {
  /** Includes the master key, for a backup that is sealed with a key of its own. */
  withMasterKey: boolean
  signal?: AbortSignal
}

export interface StoredBase {
  name: string
  bytes: number
  /** Of chunks that were not there yet, before they were compressed. */
  sentBytes: number
}

async function one<Row extends object>(client: Client, text: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await client.query<Row>(text, values)
  return rows[0]!
}

async function readCompanions(dataFolder: string, withMasterKey: boolean): Promise<Record<string, string>> {
  const companions: Record<string, string> = {}
  for (const entry of await readdir(dataFolder, { withFileTypes: true })) {
    const { name } = entry
    if (!entry.isFile() || (notCompanions.test(name) && !(withMasterKey && name === 'master.key'))) continue
    const path = join(dataFolder, name)
    if ((await stat(path)).size <= companionBytesMax) companions[name] = await readFile(path, 'utf8')
  }
  return companions
}

/** Stores the chunks that are not there. @returns all of them, in order, with how many bytes they have */
async function storeChunks(
  sealed: SealedStore,
  cluster: string,
  signal: AbortSignal | undefined,
): Promise<{ folders: string[]; chunks: Chunk[]; bytes: number; sentBytes: number }> {
  const present = new Set<string>()
  for await (const { key } of sealed.store.list(toChunkKey(sealed.fingerprint, ''))) present.add(key)
  const faulty = new Set(JSON.parse((await sealed.get(faultyKey))?.toString('utf8') ?? '[]') as string[])
  const files = await listClusterFiles(cluster)
  const chunks: Chunk[] = []
  let bytes = 0
  let sentBytes = 0
  await forEachConcurrently(cutIntoChunks(files), chunksMax, async (parts) => {
    signal?.throwIfAborted()
    const { chunk, content } = await readParts(cluster, parts)
    chunks.push(chunk)
    bytes += content.length
    const key = toChunkKey(sealed.fingerprint, chunk.sha256)
    const isFaulty = faulty.delete(chunk.sha256)
    if (present.has(key) && !isFaulty) return
    present.add(key)
    await sealed.put(key, content, { ifAbsent: !isFaulty })
    sentBytes += content.length
  })
  return { folders: files.folders, chunks, bytes, sentBytes }
}

/** Waits until a segment is stored (`ship-segments.ts`). */
async function awaitSegment(sealed: SealedStore, wanted: string, signal?: AbortSignal): Promise<void> {
  for (const untilMs = performance.now() + segmentMsMax; ;) {
    if ((await sealed.store.get(wanted, { from: 0, to: 1 })) !== undefined) return
    if (performance.now() > untilMs)
      throw new BackupError(`${wanted}, a segment of the database's log, was not stored in time.`)
    await sleep(pollMs, undefined, { signal })
  }
}

/**
 * Copies the files of the running database, and waits until the log that makes the copy whole is stored too. Without that
 * there is no base. Any number of processes may do so at the same time.
 *
 * @throws BackupError if the database does not archive its log
 */
export async function storeBase(
  sealed: SealedStore,
  { dataFolder, adminUrl }: BackedUpDatabase,
  { withMasterKey, signal }: StoreBaseOptions,
): Promise<StoredBase> {
  const cluster = join(dataFolder, 'postgres')
  await using client = await connectAsSuperuser(adminUrl)
  await lockForBase(client)
  const server = await one<{ archives: boolean; version: number; system: string }>(
    client,
    `select current_setting('archive_mode') <> 'off' as archives, current_setting('server_version_num')::int4 / 10000 as version,
       (select system_identifier::text from pg_control_system()) as system`,
  )
  if (!server.archives)
    throw new BackupError('The service that runs was started without NUMERA_BACKUP: start it again with it.')
  const { at: startedAt } = await one<{ at: Date }>(client, 'select clock_timestamp() as at')
  const begun = await one<{ segment: string }>(
    client,
    `select pg_walfile_name(pg_backup_start('numera', fast => true)) as segment`,
  )
  const stored = await storeChunks(sealed, cluster, signal)
  const ended = await one<{ label: string; segment: string; at: Date }>(
    client,
    `select labelfile as label, pg_walfile_name(lsn) as segment, clock_timestamp() as at
     from pg_backup_stop(wait_for_archive => false)`,
  )
  const base: Base = {
    format: 1,
    release,
    postgres: server.version,
    systemIdentifier: server.system,
    startedAt: startedAt.toISOString(),
    endedAt: ended.at.toISOString(),
    startSegment: begun.segment,
    stopSegment: ended.segment,
    label: ended.label,
    folders: stored.folders,
    chunks: stored.chunks,
    companions: await readCompanions(dataFolder, withMasterKey),
  }
  await awaitSegment(sealed, toWalKey(server.system, ended.segment), signal)
  const name = toBaseName(startedAt)
  await sealed.put(`${basesPrefix}${name}`, Buffer.from(JSON.stringify(base)))
  return { name, bytes: stored.bytes, sentBytes: stored.sentBytes }
}
