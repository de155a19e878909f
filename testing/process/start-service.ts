import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, getCluster } from './cluster.ts'
import { createDatabase } from './create-database.ts'
import { freePort } from './free-port.ts'
import { saveLog, saveLogFile } from './run-logs.ts'
import { entry, runOperatorCommand, toEnvironment } from './run-operator-command.ts'

/** A demo creates three years of data first. */
const startMsMax = 300_000

export interface Service extends AsyncDisposable {
  /** Its address, without a slash at the end. */
  readonly url: string
  readonly dataFolder: string
  /** Whether it runs the built-in database in its data folder, rather than using a server. */
  readonly isDatabaseOwn: boolean
  /** The company of the cluster's template. */
  readonly company: Cluster['company'] | undefined
  readonly environment: NodeJS.ProcessEnv
  /** The program, of which commands are run too. */
  readonly entry: string
  /** The running process. */
  process(): ChildProcess
  /**
   * Runs an operator command on the service's database, with `--json`, and gives what it printed:
   * `command('member add', { company, role: 'owner' })`.
   */
  // oxlint-disable-next-line typescript/no-explicit-any -- what a command prints is read by its test
  command(words: string, options?: Record<string, string>): Promise<any>
  /** Starts it again on the same data and address. */
  start(): Promise<void>
  /** Sends SIGTERM, and gives the exit code. */
  stop(): Promise<number | null>
  /** What it has written to its standard output and error since its last start. */
  output(): string
}

export interface ServiceOptions {
  /** The command and its options; `serve --test-clock` by default. */
  words?: string[]
  environment?: NodeJS.ProcessEnv
  /** The folder of another version of the service; this one by default. */
  checkout?: string
  /** A free one by default. */
  port?: number
  /** An existing data folder, which is kept. By default, a temporary one. */
  dataFolder?: string
  /** Uses an empty database: on the server in `DATABASE_URL`, or else the built-in one. */
  isDatabaseNew?: boolean
}

/**
 * Starts the service as its operator does: on a clone of the cluster's template if there is a cluster, else on a new
 * database on the server in `DATABASE_URL`, else with the built-in database in a folder of its own.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const words = options.words ?? ['serve', '--test-clock']
  const program = options.checkout === undefined ? entry : join(options.checkout, 'src/main.ts')
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'numera-acceptance-')))
  // A test that brings its own database needs no further one.
  const bringsDatabase = options.environment?.['DATABASE_URL'] !== undefined
  const cloned = bringsDatabase || options.isDatabaseNew === true ? undefined : getCluster()
  const server = cloned?.server ?? (bringsDatabase ? '' : (process.env['DATABASE_URL'] ?? ''))
  const database = server === '' ? undefined : await createDatabase(server, cloned?.template)
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const environment = toEnvironment({
    DATABASE_URL: database?.url ?? '',
    ...(database && { NUMERA_MASTER_KEY: cloned?.masterKey ?? randomBytes(32).toString('hex') }),
    NUMERA_HTTP_HOST: '127.0.0.1',
    NUMERA_HTTP_PORT: String(port),
    NUMERA_METRICS_PORT: '0',
    NUMERA_BASE_URL: url,
    NUMERA_DATA_FOLDER: dataFolder,
    NUMERA_IDENTITY: 'demo',
    NUMERA_DRAIN_SECONDS: '0',
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

  const keep = saveLog(words[0]!)
  const start = async (): Promise<void> => {
    output = ''
    const started = spawn(process.execPath, [program, ...words], {
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
    entry: program,
    process: () => child!,
    command: (commandWords, commandOptions) => runOperatorCommand(environment, commandWords, commandOptions),
    start,
    stop,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      await stop()
      await database?.[Symbol.asyncDispose]()
      if (database === undefined) await saveLogFile('postgres', join(dataFolder, 'postgres.log'))
      // A killed database may have child processes that still write for a moment.
      if (options.dataFolder === undefined) {
        await rm(dataFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
      }
    },
  }
}
