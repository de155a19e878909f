import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** Creates a database on a server, which is dropped when disposed of. */
export async function createDatabase(
  server: string,
  template?: string,
): Promise<{ url: string; name: string } & AsyncDisposable> {
  const name = `numera_acceptance_${randomBytes(6).toString('hex')}`
  const onServer = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await onServer(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, name, [Symbol.asyncDispose]: () => onServer(`drop database ${name} with (force)`) }
}
