import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbedded, type EmbeddedDatabase } from '../../src/platform/database/embedded.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { recordTestKeys } from './test-keys.ts'

export interface TestServer extends AsyncDisposable {
  /** May make databases. */
  adminUrl: string
  /** Whom the databases belong to; may differ from the administrator. */
  ownerUrl: string
  /** A migrated database without connections, to be cloned; `testKeys` belong to it. */
  template: string
  /** The same without any key, as before a deployment's first start. */
  keylessTemplate: string
}

/** Test data is thrown away, so nothing waits for the disk. Never outside tests. */
const unsafeSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: 200,
}

/** The same URL, for another database of the server. */
export const withDatabase = (url: string, database: string): string =>
  url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`)

/** Runs one statement on a connection of its own. */
export const runAlone = async (url: string, sql: string): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The role in the URL; the driver's own default where it names none. */
export const toRole = (url: string): string => new Client({ connectionString: url }).user ?? 'postgres'

const startThrowaway = async (): Promise<{ server: EmbeddedDatabase; dispose: () => Promise<void> }> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-test-'))
  // Run by root, the database's own user passes through.
  await chmod(folder, 0o711)
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const server = await startEmbedded({ dataFolder: join(folder, 'data'), settings: unsafeSettings })
    return { server, dispose: () => server.stop().then(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/**
 * The database server of a test run, with the template that test databases are clones of: the one at
 * `DATABASE_URL` where that is set (its user must be allowed to create databases), else one of our own that ends
 * with the run.
 */
export const startTestServer = async (databaseUrl: string | undefined): Promise<TestServer> => {
  const own = databaseUrl ? undefined : await startThrowaway()
  const adminUrl = databaseUrl ?? own!.server.adminUrl
  const ownerUrl = databaseUrl ?? own!.server.url
  const keylessTemplate = `numera_template_${randomBytes(6).toString('hex')}`
  const template = `${keylessTemplate}_keys`
  const dispose = async (): Promise<void> => {
    if (own) return own.dispose()
    for (const name of [template, keylessTemplate]) {
      await runAlone(adminUrl, `drop database if exists ${name}`)
    }
  }
  try {
    const owner = `owner "${toRole(ownerUrl)}"`
    await runAlone(
      adminUrl,
      `create database ${keylessTemplate} ${owner} template template0 encoding 'UTF8' locale 'C'`,
    )
    await migrate({ url: withDatabase(ownerUrl, keylessTemplate) })
    await runAlone(adminUrl, `create database ${template} ${owner} template ${keylessTemplate}`)
    await recordTestKeys(withDatabase(ownerUrl, template))
  } catch (error) {
    await dispose()
    throw error
  }
  return { adminUrl, ownerUrl, template, keylessTemplate, [Symbol.asyncDispose]: dispose }
}
