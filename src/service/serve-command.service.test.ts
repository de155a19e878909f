import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { mainFile } from '../testing/run-main.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { testMasterKey } from '../testing/test-keys.ts'

/** Listens on a free port of this machine until it is closed. */
const listen = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

/** Runs `serve` in a process of its own, until it ends or has printed a line, at which it is told to stop. */
const serve = async (databaseUrl: string, environment: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, [mainFile, 'serve', '--no-worker'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      NUMERA_MASTER_KEY: testMasterKey,
      NUMERA_METRICS_PORT: '0',
      NUMERA_LOG_LEVEL: 'silent',
      ...environment,
    },
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  const said = { out: '', err: '' }
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()))
  child.stdout.on('data', (chunk: Buffer) => {
    said.out += chunk.toString()
    if (said.out.endsWith('\n')) child.kill('SIGTERM')
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...said }
}

test.each([
  ['the configured one', 'https://numera.example.com', 'https://numera.example.com'],
  ['that of the issuer where none is configured', '', 'http://localhost'],
])(
  'what serve prints is the base address: %s',
  async (_, baseUrl, printed) => {
    await using database = await createTestDatabase()
    const { server, port } = await listen()
    server.close()
    const { code, out } = await serve(database.url, {
      NUMERA_HTTP_PORT: String(port),
      NUMERA_BASE_URL: baseUrl,
      NUMERA_IDENTITY: 'demo',
    })
    expect(out).toBe(`Numera is up at ${printed}${baseUrl === '' ? `:${port}` : ''}\n`)
    expect(code).toBe(0)
  },
  70_000,
)

test.each(['NUMERA_HTTP_PORT', 'NUMERA_METRICS_PORT'])(
  'a port that is in use is told in one line with its number and %s, and exit code 1',
  async (variable) => {
    await using database = await createTestDatabase()
    const { server, port } = await listen()
    const { code, out, err } = await serve(database.url, { [variable]: String(port) })
    server.close()
    expect(err).toBe(`Port ${port} of 127.0.0.1 is in use: set ${variable} to another one.\n`)
    expect(out).toBe('')
    expect(code).toBe(1)
  },
  70_000,
)
