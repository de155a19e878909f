import type { Dirent } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** What a copy of a running cluster does not need, or must not have: PostgreSQL creates it (manual, "Making a Base Backup"). */
const emptyFolders = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const leftOut =
  /(?:^|\/)(?:postmaster\.(?:pid|opts)|pgsql_tmp[^/]*|pg_internal\.init[^/]*|backup_label|tablespace_map|recovery\.signal)$/

export interface ClusterFiles {
  /** All folders, in an order in which they can be created. */
  folders: string[]
  files: { path: string; bytes: number }[]
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

/** The files of a cluster, by folder and name. Those that vanish meanwhile are not missed: their end is in the log. */
export async function listClusterFiles(cluster: string): Promise<ClusterFiles> {
  const found: ClusterFiles = { folders: [], files: [] }
  const visit = async (folder: string): Promise<void> => {
    let entries: Dirent[]
    try {
      entries = await readdir(folder, { withFileTypes: true })
    } catch (error) {
      if (isMissing(error)) return
      throw error
    }
    for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
      const path = relative(cluster, join(folder, entry.name))
      if (leftOut.test(path)) continue
      if (entry.isDirectory()) {
        found.folders.push(path)
        if (!emptyFolders.has(path)) await visit(join(folder, entry.name))
      } else if (entry.isFile()) {
        const bytes = await stat(join(cluster, path)).then(
          (file) => file.size,
          (error: unknown) => {
            if (isMissing(error)) return undefined
            throw error
          },
        )
        if (bytes !== undefined) found.files.push({ path, bytes })
      }
    }
  }
  await visit(cluster)
  found.folders.push(join('pg_wal', 'archive_status'))
  return found
}
