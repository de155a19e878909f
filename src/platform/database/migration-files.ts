import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface MigrationFile {
  number: number
  name: string
  sql: string
  /** Lower-case hex of the file's bytes. */
  sha256: string
}

const fileName = /^(\d{6})_([a-z0-9_]+)\.sql$/

/** The migrations of the directory, and those of every shard (`schemas.ts`). */
export interface MigrationFolders {
  directory: string
  shard: string
}

const migrations = join(import.meta.dirname, '../../../migrations')

/** This service's own. */
export const migrationFolders: MigrationFolders = {
  directory: join(migrations, 'directory'),
  shard: join(migrations, 'shard'),
}

/** Reads `000001_name.sql`, `000002_name.sql`, …: one linear history without gaps. */
export async function readMigrationFiles(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (file, index) => {
      const [, digits, name] = fileName.exec(file) ?? []
      if (!digits || !name) throw new Error(`${file} in ${folder} is not named like 000001_companies.sql`)
      if (Number(digits) !== index + 1) {
        throw new Error(
          `${file} in ${folder} should have the number ${index + 1}: numbers have no gaps and no repeats`,
        )
      }
      const bytes = await readFile(join(folder, file))
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return { number: index + 1, name, sql: bytes.toString(), sha256 }
    }),
  )
}
