import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface MigrationFile {
  number: number
  name: string
  /** In order. They are sent one at a time, since Citus distributes no text of several. */
  commands: string[]
  /** Of a contract: the first release whose processes need nothing of what it removes. Null for an expand. */
  contract: string | null
  /** Whether its commands run one by one outside a transaction, since they let other statements run meanwhile. */
  isConcurrent: boolean
  /** Lower-case hex of the file's bytes. */
  sha256: string
}

const fileName = /^(\d{6})_([a-z0-9_]+)\.sql$/

/** This service's own migrations: a folder for each schema of `schemas.ts`, and one for the shards. */
export const migrationsFolder = join(import.meta.dirname, '../../../../migrations')

const contractLine = /^-- contract: (\d+\.\d+\.\d+)$/
const concurrentCommand =
  /^(?:create (?:unique )?index concurrently|drop index concurrently if exists|alter table \w+\s+validate constraint)\s/i

/** A command ends with a semicolon at the end of a line. */
function toCommands(sql: string): string[] {
  return sql.split(/(?<=;)[ \t]*$/m).filter((command) => withoutComments(command) !== '')
}

/** @param command without text in which `--` is part of a value */
export function withoutComments(command: string): string {
  return command.replaceAll(/--.*$/gm, '').trim()
}

/** @throws Error where the first line is nearly that of a contract */
export function readMigration(sql: string): Pick<MigrationFile, 'commands' | 'contract' | 'isConcurrent'> {
  const [firstLine = ''] = sql.split(/\r?\n/, 1)
  const contract = contractLine.exec(firstLine)?.[1] ?? null
  if (contract === null && /^--\s*contract\b/i.test(firstLine))
    throw new Error(`its first line is not like "-- contract: 0.3.0"`)
  const commands = toCommands(sql)
  const isConcurrent =
    commands.length > 0 && commands.every((command) => concurrentCommand.test(withoutComments(command)))
  return { commands, contract, isConcurrent }
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
      return { number: index + 1, name, ...readMigration(bytes.toString()), sha256 }
    }),
  )
}
