import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type Postgres, startPostgres } from '../acceptance/postgres.ts'
import { Skipped } from './trial.ts'

export interface DatabaseOptions {
  /** On a file system of its own that holds so much; needs root, and is gone with the database. */
  mebibytesMax?: number
  settings?: Record<string, string | number>
}

/** A PostgreSQL that the trial may freeze, fill up and kill. */
export type TrialDatabase = Postgres

/** Holds a mount namespace of its own with a small file system in it. */
const mountSmall = async (folder: string, mebibytes: number): Promise<ChildProcess> => {
  const mount = `mount -t tmpfs -o size=${mebibytes}m,mode=777 tmpfs '${folder}'`
  const script = `${mount} && echo mounted && exec sleep infinity`
  const holder = spawn('setpriv', ['--pdeathsig=KILL', '--', 'unshare', '-m', 'sh', '-c', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [first] = (await Promise.race([once(holder.stdout, 'data'), once(holder, 'exit')])) as [unknown]
  if (String(first) !== 'mounted\n') throw new Skipped('a file system of its own cannot be mounted here')
  return holder
}

/** Makes a PostgreSQL with its usual durable settings, on a free port of the loopback address. */
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
    // As seen from outside the namespace.
    folder: `/proc/${holder!.pid}/root${database.folder}`,
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]()
      holder!.kill('SIGKILL')
    },
  }
}
