import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, type QueryResultRow } from 'pg'
import type { TrialDatabase } from './database.ts'

/** The built-in database of a data folder, through its socket. */
export interface BuiltIn extends Pick<TrialDatabase, 'query'> {
  queryAsSuperuser(statement: string): Promise<QueryResultRow[]>
}

export const openBuiltIn = (dataFolder: string): BuiltIn => {
  const run = async (user: string, database: string, statement: string, params: unknown[]) => {
    const password = (await readFile(join(dataFolder, 'postgres.password'), 'utf8')).trim()
    const client = new Client({
      host: join(dataFolder, 'socket'),
      port: 5432,
      user,
      database,
      password,
      options: '-c search_path=shard_1,access,directory',
    })
    await client.connect()
    try {
      return (await client.query(statement, params)).rows
    } finally {
      await client.end()
    }
  }
  return {
    query: (statement, params = []) => run('numera', 'numera', statement, params),
    queryAsSuperuser: (statement) => run('postgres', 'postgres', statement, []),
  }
}

/** @throws Error if it does not run */
export const signalDatabase = async (dataFolder: string, signal: NodeJS.Signals): Promise<void> => {
  const file = await readFile(join(dataFolder, 'postgres/postmaster.pid'), 'utf8')
  process.kill(Number(file.split('\n')[0]), signal)
}
