/** The processes of the benchmarks. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LoadJob, LoadResult } from './load.ts'

const run = promisify(execFile)

export const serveArguments = [join(import.meta.dirname, '../../src/main.ts'), 'serve', '--no-worker']

/** With the master key of `createTestContext`, which seeds the database. */
export const serveEnvironment = (
  databaseUrl: string,
  folder: string,
  port: number,
): Record<string, string> => ({
  DATABASE_URL: databaseUrl,
  NUMERA_DATA_FOLDER: folder,
  NUMERA_MASTER_KEY: Buffer.alloc(32, 7).toString('base64url'),
  NUMERA_HTTP_PORT: String(port),
  NUMERA_METRICS_PORT: '0',
  NUMERA_RATE_PER_MINUTE: '10000000',
  NUMERA_RATE_BURST: '10000000',
  // Deliveries are not parsed here.
  NUMERA_COMPANY_WAITING_BYTES: '999999999999999',
  NUMERA_COMPANY_WAITING_DELIVERIES: '999999999999999',
  NUMERA_COMPANY_STORED_BYTES: '999999999999999',
})

/** Starts a script and waits until it answers on its port. */
export const start = async (
  args: string[],
  port: number,
  environment: Record<string, string>,
): Promise<ChildProcess> => {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...environment },
  })
  for (let attempts = 0; ; attempts++) {
    try {
      await fetch(`http://127.0.0.1:${port}/`)
      return child
    } catch (error) {
      if (attempts > 600 || child.exitCode !== null) {
        // The caller has no handle to stop it.
        child.kill('SIGKILL')
        throw error
      }
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

let runs = 0
export const load = async (job: Omit<LoadJob, 'run'>): Promise<LoadResult> => {
  const script = join(import.meta.dirname, 'load.ts')
  const { stdout } = await run(process.execPath, [
    script,
    JSON.stringify({ ...job, run: `run-${process.pid}-${runs++}` }),
  ])
  const result = JSON.parse(stdout) as LoadResult
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.answers} pushes were refused`)
  return result
}
