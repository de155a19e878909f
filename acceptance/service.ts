import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'

const run = promisify(execFile)
const entry = join(import.meta.dirname, '..', 'src', 'main.ts')
const startMsMax = 60_000

export interface Service extends AsyncDisposable {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  readonly dataFolder: string
  /** The database runs in its data folder, and not where `DATABASE_URL` says. */
  readonly isDatabaseOwn: boolean
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

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

export interface ServiceOptions {
  /** The command and its options; `serve --test-clock` unless told. */
  words?: string[]
  environment?: NodeJS.ProcessEnv
  /** An existing data folder, which is kept; otherwise one is made and removed. */
  dataFolder?: string
}

/** A database of its own on the server that `DATABASE_URL` names, gone once disposed of. */
const makeDatabase = async (server: string): Promise<{ url: string } & AsyncDisposable> => {
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
  await onServer(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, [Symbol.asyncDispose]: () => onServer(`drop database ${name} with (force)`) }
}

/**
 * Starts the service as its operator does, with the embedded database in a folder of its own; where `DATABASE_URL` is
 * set, with a database of its own on that server.
 */
export const startService = async (options: ServiceOptions = {}): Promise<Service> => {
  const words = options.words ?? ['serve', '--test-clock']
  const dataFolder = options.dataFolder ?? (await mkdtemp(join(tmpdir(), 'numera-acceptance-')))
  // A test that brings its own database needs no further one.
  const server =
    options.environment?.['DATABASE_URL'] === undefined ? (process.env['DATABASE_URL'] ?? '') : ''
  const database = server === '' ? undefined : await makeDatabase(server)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: database?.url ?? '',
    ...(database && { NUMERA_MASTER_KEY: randomBytes(32).toString('hex') }),
    NUMERA_HTTP_HOST: '127.0.0.1',
    NUMERA_HTTP_PORT: String(port),
    NUMERA_METRICS_PORT: '0',
    NUMERA_BASE_URL: url,
    NUMERA_DATA_FOLDER: dataFolder,
    NUMERA_IDENTITY: 'demo',
    ...options.environment,
  }
  delete environment['VITEST']
  delete environment['NODE_ENV']

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

  const start = async (): Promise<void> => {
    output = ''
    const started = spawn(process.execPath, [entry, ...words], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    for (const stream of [started.stdout, started.stderr]) {
      createInterface({ input: stream }).on('line', (line) => (output += `${line}\n`))
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
    environment,
    process: () => child!,
    command: async (commandWords, commandOptions = {}) => {
      const flags = Object.entries(commandOptions).flatMap(([name, value]) => [`--${name}`, value])
      const argv = [entry, ...commandWords.split(' '), ...flags, '--json']
      const { stdout } = await run(process.execPath, argv, { env: environment })
      return JSON.parse(stdout)
    },
    start,
    stop,
    output: () => output,
    [Symbol.asyncDispose]: async () => {
      await stop()
      await database?.[Symbol.asyncDispose]()
      if (options.dataFolder === undefined) await rm(dataFolder, { recursive: true, force: true })
    },
  }
}
