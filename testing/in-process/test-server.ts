import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startEmbedded, type EmbeddedDatabase } from '../../src/platform/database/embedded.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { closeTemplate, createDatabaseOn, dropDatabaseFrom, withDatabase } from '../process/databases.ts'
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
 * The database server of a test run, with the template that test databases are clones of: the given one, whose user must be
 * allowed to create databases, else one of our own that ends with the run.
 */
export const startTestServer = async (given: string | undefined): Promise<TestServer> => {
  const own = given ? undefined : await startThrowaway()
  const adminUrl = given ?? own!.server.adminUrl
  const ownerUrl = given ?? own!.server.url
  const keylessTemplate = `numera_template_${randomBytes(6).toString('hex')}`
  const template = `${keylessTemplate}_keys`
  const dispose = async (): Promise<void> => {
    if (own) return own.dispose()
    for (const name of [template, keylessTemplate]) await dropDatabaseFrom(adminUrl, name)
  }
  try {
    const owner = toRole(ownerUrl)
    await createDatabaseOn(adminUrl, keylessTemplate, { owner })
    await migrate({ url: withDatabase(ownerUrl, keylessTemplate) })
    await closeTemplate(adminUrl, keylessTemplate)
    await createDatabaseOn(adminUrl, template, { owner, template: keylessTemplate })
    await recordTestKeys(withDatabase(ownerUrl, template))
    await closeTemplate(adminUrl, template)
  } catch (error) {
    await dispose()
    throw error
  }
  return { adminUrl, ownerUrl, template, keylessTemplate, [Symbol.asyncDispose]: dispose }
}
