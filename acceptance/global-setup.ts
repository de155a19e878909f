import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { type Cluster, makeDatabase, migrate, runOperatorCommand } from './service.ts'
import { addCompany } from './setup.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    acceptanceCluster: Cluster
  }
}

/** Test data is thrown away, so nothing waits for the disk. */
const unsafeSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '64MB',
  max_connections: 200,
}

/**
 * Once a run: a database server, or the one that `DATABASE_URL` names, and a database on it that the operator's commands
 * migrated and put a company into. Every service of the run starts on a clone of it.
 */
const setUp = async (project: TestProject): Promise<() => Promise<void>> => {
  const stack = new AsyncDisposableStack()
  try {
    const folder = await mkdtemp(join(tmpdir(), 'numera-run-'))
    stack.defer(() => rm(folder, { recursive: true, force: true }))
    project.provide('runFolder', folder)
    const server =
      process.env['DATABASE_URL'] || stack.use(await startPostgres({ settings: unsafeSettings })).url
    const template = stack.use(await makeDatabase(server))
    const masterKey = randomBytes(32).toString('hex')
    const environment = { DATABASE_URL: template.url, NUMERA_MASTER_KEY: masterKey, NUMERA_IDENTITY: 'demo' }
    await migrate(environment)
    const company = await addCompany((words, options) => runOperatorCommand(environment, words, options))
    project.provide('acceptanceCluster', { server, template: template.name, masterKey, company })
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
  return () => stack.disposeAsync()
}

export default setUp
