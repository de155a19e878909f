import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Postgres, startPostgres } from '../../testing/process/start-postgres.ts'
import { Skipped } from '../trial.ts'

export interface DatabaseOptions {
  /** Puts the database on a temporary file system of this size; needs root. */
  mebibytesMax?: number
  settings?: Record<string, string | number>
}

/** A PostgreSQL that the trial may freeze, fill and kill. */
export type TrialDatabase = Postgres

/** Keeps a mount namespace with a small file system alive. */
const mountSmall = async (folder: string, mebibytes: number): Promise<ChildProcess> => {
  const mount = `mount -t tmpfs -o size=${mebibytes}m,mode=777 tmpfs '${folder}'`
  const script = `${mount} && echo mounted && exec sleep infinity`
  const holder = spawn('setpriv', ['--pdeathsig=KILL', '--', 'unshare', '-m', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first] = (await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')])) as [unknown]
  if (String(first) !== 'mounted\n') throw new Skipped('a file system cannot be mounted here')
  return holder
}

/** Starts a PostgreSQL with durable settings on a free loopback port. */
export const startDatabase = async (options: DatabaseOptions = {}): Promise<TrialDatabase> => {
  const { mebibytesMax, settings = {} } = options
  if (mebibytesMax === undefined) return startPostgres({ settings })
  if (process.getuid?.() !== 0) throw new Skipped('mounting a small file system needs root')
  let holder: ChildProcess | undefined
  const database = await startPostgres({
    settings,
    enter: async (folder) => {
      holder = await mountSmall(folder, mebibytesMax)
      return ['nsenter', '-t', String(holder.pid), '-m', '--']
    },
  }).catch((error: unknown) => {
    holder?.kill('SIGKILL')
    throw error
  })
  return {
    ...database,
    // Its path outside the namespace.
    folder: `/proc/${holder!.pid}/root${database.folder}`,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]()
      holder!.kill('SIGKILL')
    },
  }
}
