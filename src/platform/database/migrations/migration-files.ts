import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface MigrationFile {
  number: number
  name: string
  /** In order. They are sent one at a time, since Citus distributes no text of several. */
  commands: string[]
  /** Lower-case hex of the file's bytes. */
  sha256: string
}

const fileName = /^(\d{6})_([a-z0-9_]+)\.sql$/

/** This service's own migrations: a folder for each schema of `schemas.ts`, and one for the shards. */
export const migrationsFolder = join(import.meta.dirname, '../../../../migrations')

/** A command ends with a semicolon at the end of a line. */
function toCommands(sql: string): string[] {
  return sql.split(/(?<=;)[ \t]*$/m).filter((command) => command.replaceAll(/--.*$/gm, '').trim() !== '')
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
      return { number: index + 1, name, commands: toCommands(bytes.toString()), sha256 }
    }),
  )
}
