import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { getGivenServer } from '../process/databases.ts'
import { startTestServer } from './test-server.ts'

/** Once a run: starts the database server and makes the template; the returned function ends both. */
const setUp = async (project: TestProject): Promise<() => Promise<void>> => {
  // Commands and worker threads that tests start find the service compiled: half of their start.
  process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')
  const server = await startTestServer(getGivenServer())
  const { adminUrl, ownerUrl, template, keylessTemplate } = server
  project.provide('testServer', { adminUrl, ownerUrl, template, keylessTemplate })
  return async () => server[Symbol.asyncDispose]()
}

export default setUp
