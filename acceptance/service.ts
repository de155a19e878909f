import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from './free-port.ts'
import { keepLog, keepLogFile } from './run-logs.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const entry = join(root, 'src', 'main.ts')
/** A demo is made whole first: on a machine that does other things too. */
const startMsMax = 300_000

/** What a run's services have in common: clones of one furnished database, on one server. */
export interface Cluster {
  /** Where databases are made. */
  server: string
  /** A migrated database with a company in it, that nobody connects to. */
  template: string
  /** What the template is sealed under. */
  masterKey: string
  company: { companyId: string; orgnr: string }
}

let cluster: Cluster | undefined

/** From now on services get a clone of the cluster's template, instead of a database server of their own. */
export const useCluster = (given: Cluster): void => {
  cluster = given
}

export interface Service extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  readonly dataFolder: string
  /** The database runs in its data folder, and not where `DATABASE_URL` says. */
  readonly isDatabaseOwn: boolean
  /** The company that its database was furnished with. */
  readonly company: Cluster['company'] | undefined
  readonly environment: NodeJS.ProcessEnv
  /** The running process. */
  process(): ChildProcess
  /**
   * Runs an operator command beside the service, with `--json`, and gives what it printed:
   * `command('member add', { company, role: 'owner' })`.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a command prints is read by its test
  command(words: string, options?: Record<string, string>): Promise<any>
  /** Starts it again after it ended or was killed, on the same data and address. */
  start(): Promise<void>
  /** SIGTERM, and waits until it ended; its exit code. */
  stop(): Promise<number | null>
  /** What it wrote to its standard output and error since its last start. */
  output(): string
}

export interface ServiceOptions {
  /** The command and its options; `serve --test-clock` unless told. */
  words?: string[]
  environment?: NodeJS.ProcessEnv
  /** Where it listens; any free one unless told. */
  port?: number
  /** An existing data folder, which is kept; otherwise one is made and removed. */
  dataFolder?: string
  /** With the database that is built into the service, or an empty one on the server that `DATABASE_URL` names. */
  isDatabaseNew?: boolean
}

/** What the service and the operator's commands are started with, whatever else is in this process's environment. */
const environmentOf = (given: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    // A process spends most of its start on compiling, and a run starts dozens.
    NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/acceptance'),
    ...given,
  }
  delete environment['VITEST']
  delete environment['NODE_ENV']
  return environment
}

/** Runs an operator command, with `--json`, and gives what it printed. */
export const runOperatorCommand = async (
  given: NodeJS.ProcessEnv,
  words: string,
  options: Record<string, string> = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- what a command prints is read by its test
): Promise<any> => {
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const argv = [entry, ...words.split(' '), ...flags, '--json']
  const running = run(process.execPath, argv, { env: environmentOf(given) })
  running.child.stderr?.on('data', keepLog('command'))
  return JSON.parse((await running).stdout)
}

/** Brings the database that the environment names to what the code expects. */
export const migrate = async (given: NodeJS.ProcessEnv): Promise<void> => {
  await run(process.execPath, [entry, 'migrate'], { env: environmentOf(given) })
}

/** A database of its own on a server, gone once disposed of. */
export const makeDatabase = async (
  server: string,
  template?: string,
): Promise<{ url: string; name: string } & AsyncDisposable> => {
  const name = `numera_acceptance_${randomBytes(6).toString('hex')}`
  const onServer = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await onServer(`create database ${name}${template === undefined ? '' : ` template ${template}`}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, name, [Symbol.asyncDispose]: () => onServer(`drop database ${name} with (force)`) }
}

/**
 * Starts the service as its operator does: on a clone of the cluster's template where there is a cluster, else on a new
 * database on the server that `DATABASE_URL` names, else with the embedded database in a folder of its own.
 */
export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const words = options.words ?? ['serve', '--test-clock']
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'numera-acceptance-')))
  // A test that brings its own database needs no further one.
  const bringsDatabase = options.environment?.['DATABASE_URL'] !== undefined
  const cloned = bringsDatabase || options.isDatabaseNew === true ? undefined : cluster
  const server = cloned?.server ?? (bringsDatabase ? '' : (process.env['DATABASE_URL'] ?? ''))
  const database = server === '' ? undefined : await makeDatabase(server, cloned?.template)
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const environment = environmentOf({
    DATABASE_URL: database?.url ?? '',
    ...(database && { NUMERA_MASTER_KEY: cloned?.masterKey ?? randomBytes(32).toString('hex') }),
    NUMERA_HTTP_HOST: '127.0.0.1',
    NUMERA_HTTP_PORT: String(port),
    NUMERA_METRICS_PORT: '0',
    NUMERA_BASE_URL: url,
    NUMERA_DATA_FOLDER: dataFolder,
    NUMERA_IDENTITY: 'demo',
    NUMERA_LOG_LEVEL: 'debug',
    ...options.environment,
  })

  let child: ChildProcess | undefined
  let output = ''

  const isReady = async (): Promise<boolean> => {
    try {
      const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) })
      await answer.arrayBuffer()
      return answer.ok
    } catch {
      return false
    }
  }

  const keep = keepLog(words[0]!)
  const start = async (): Promise<void> => {
    output = ''
    const started = spawn(process.execPath, [entry, ...words], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        output += `${line}\n`
        keep(`${line}\n`)
      })
    }
    const deadline = Date.now() + startMsMax
    while (!(await isReady())) {
      if (started.exitCode !== null || Date.now() > deadline) {
        started.kill('SIGKILL')
        throw new Error(`the service did not start:\n${output}`)
      }
      await sleep(25)
    }
  }

  const stop = async (): Promise<number | null> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = (await ended) as [number | null]
    return code
  }

  await start()
  return {
    url,
    dataFolder,
    isDatabaseOwn: database === undefined,
    company: cloned?.company,
    environment,
    process: () => child!,
    command: (commandWords, commandOptions) => runOperatorCommand(environment, commandWords, commandOptions),
    start,
    stop,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      await stop()
      await database?.[Symbol.asyncDispose]()
      if (database === undefined) await keepLogFile('postgres', join(dataFolder, 'postgres.log'))
      // A database that had to be killed may have children that still write for a moment.
      if (options.dataFolder === undefined) {
        await rm(dataFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
      }
    },
  }
}
