import { basesPrefix, checkedPrefix } from './layout.ts'
import { BackupError } from './backup-error.ts'
import type { SealedStore } from './sealed-store.ts'

/** A part of a file: its path in the cluster, from which byte, and how many. */
export type FilePart = [path: string, from: number, bytes: number]

export interface Chunk {
  /** Of the parts one after the other. */
  sha256: string
  parts: FilePart[]
}

/** A base backup: the files of a cluster while it was written to, which its log makes whole. */
export interface Base {
  /** Of this description. */
  format: 1
  /** Of the service that took it. */
  release: string
  /** PostgreSQL's major version. */
  postgres: number
  systemIdentifier: string
  startedAt: string
  endedAt: string
  /** The first and the last segment without which it cannot be used. */
  startSegment: string
  stopSegment: string
  /** What `pg_backup_stop` said: it has to be in the cluster's `backup_label`. */
  label: string
  folders: string[]
  chunks: Chunk[]
  /** Small files beside the cluster, such as its password; the master key only where the backup has a key of its own. */
  companions: Record<string, string>
}

/** A base as it is listed, without reading it. */
export interface ListedBase {
  name: string
  startedAt: Date
}

const namePattern = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.base$/

function toStartedAt(name: string): Date | undefined {
  const found = namePattern.exec(name)
  if (found === null) return undefined
  const [, year, month, day, hour, minute, second, ms] = found
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
}

async function listUnder({ store }: SealedStore, prefix: string): Promise<ListedBase[]> {
  const bases: ListedBase[] = []
  for await (const { key } of store.list(prefix)) {
    const name = key.slice(prefix.length)
    const startedAt = toStartedAt(name)
    if (startedAt !== undefined) bases.push({ name, startedAt })
  }
  return bases
}

/** The bases in the order in which they were taken. */
export function listBases(sealed: SealedStore): Promise<ListedBase[]> {
  return listUnder(sealed, basesPrefix)
}

/** The names of the bases that were checked and are whole. */
export async function listChecked(sealed: SealedStore): Promise<Set<string>> {
  return new Set((await listUnder(sealed, checkedPrefix)).map(({ name }) => name))
}

/** @throws BackupError if it is gone, or of a release that writes it in another way */
export async function readBase(sealed: SealedStore, name: string): Promise<Base> {
  const content = await sealed.get(`${basesPrefix}${name}`)
  if (content === undefined) throw new BackupError(`The base ${name} is missing in ${sealed.store.place}.`)
  const base = JSON.parse(content.toString('utf8')) as Base
  if (base.format !== 1)
    throw new BackupError(`The base ${name} was taken by release ${base.release}: restore it with that one.`)
  return base
}

export function toChunkKey(fingerprint: string, sha256: string): string {
  return `chunks/${fingerprint}/${sha256}`
}
