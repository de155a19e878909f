import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './start-postgres.ts'
import type { Cluster } from './cluster.ts'
import { createCompany } from './company.ts'
import { createDatabase } from './create-database.ts'
import { closeTemplate, getGivenServer } from './databases.ts'
import { migrate, runOperatorCommand } from './run-operator-command.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    acceptanceCluster: Cluster
  }
}

/** Test data need not survive a crash. */
const unsafeSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: 200,
}

/**
 * Once a run, starts a database server, or uses the one in `DATABASE_URL`, and creates a migrated database with a company
 * by the operator's commands. Every service of the run starts on a clone of it.
 */
const setUp = async (project: TestProject): Promise<() => Promise<void>> => {
  const stack = new AsyncDisposableStack()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'numera-run-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    project.provide('runFolder', folder)
    const server = getGivenServer() ?? stack.use(await startPostgres({ settings: unsafeSettings })).url
    const template = stack.use(await createDatabase(server))
    const masterKey = randomBytes(32).toString('hex')
    const environment = { DATABASE_URL: template.url, NUMERA_MASTER_KEY: masterKey, NUMERA_IDENTITY: 'demo' }
    await migrate(environment)
    const furtherShards = Number(process.env['NUMERA_TEST_SHARDS'] ?? 1) - 1
    if (furtherShards > 0)
      await runOperatorCommand(environment, 'shards add', { count: String(furtherShards) })
    const company = await createCompany((words, options) => runOperatorCommand(environment, words, options))
    await closeTemplate(server, template.name)
    project.provide('acceptanceCluster', { server, template: template.name, masterKey, company })
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
  return () => stack.disposeAsync()
}

export default setUp
