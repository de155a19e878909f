import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../testing/process/free-port.ts'
import { mainFile } from '../../testing/in-process/run-main.ts'
import { createTestDatabase } from '../../testing/in-process/test-database.ts'
import { testMasterKey } from '../../testing/in-process/test-keys.ts'
import { appendLog } from '../../testing/in-process/test-log.ts'

/** Listens on a port of this machine until it is closed. */
const listen = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

const makeFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), 'numera-serve-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}

/** Runs `serve` in a process of its own, until it ends or has printed all of `awaited`, and then stops it. */
const serve = async (environment: NodeJS.ProcessEnv, awaited = ['"listening"']) => {
  const child = spawn(process.execPath, [mainFile, 'serve', '--no-worker'], {
    env: { ...process.env, NUMERA_METRICS_PORT: '0', NUMERA_LOG_LEVEL: 'info', ...environment },
    timeout: 60_000,
    killSignal: 'SIGKILL',
  })
  const said = { out: '', err: '' }
  let isTold = false
  const hear = (to: 'out' | 'err') => (chunk: Buffer) => {
    said[to] += chunk.toString()
    if (isTold || !awaited.every((text) => said.out.includes(text))) return
    isTold = true
    child.kill('SIGTERM')
  }
  child.stderr.on('data', hear('err'))
  child.stdout.on('data', hear('out'))
  const [code] = (await once(child, 'close')) as [number | null]
  appendLog(said.out + said.err)
  return { code, ...said, lines: said.out.split('\n').filter((line) => line !== '') }
}
const getSettings = (databaseUrl: string) => ({ DATABASE_URL: databaseUrl, NUMERA_MASTER_KEY: testMasterKey })
/** The line that says why the service did not start. */
const getFatal = (lines: string[]) =>
  lines.map((line) => JSON.parse(line)).find(({ level }) => level === 'fatal')

test.each([
  ['the configured one', 'https://numera.example.com', 'https://numera.example.com'],
  ['that of the issuer where none is configured', '', 'http://localhost'],
])('the logged address is the base address: %s', async (_, baseUrl, printed) => {
  await using database = await createTestDatabase()
  const port = await freePort()
  const { code, lines } = await serve({
    ...getSettings(database.url),
    NUMERA_HTTP_PORT: String(port),
    NUMERA_BASE_URL: baseUrl,
    NUMERA_IDENTITY: 'demo',
  })
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ msg: 'listening', url: `${printed}${baseUrl === '' ? `:${port}` : ''}` }),
  )
  expect(code).toBe(0)
})

test('everything that serve prints is a line of JSON', async () => {
  await using folder = await makeFolder()
  const port = await freePort()
  // As soon as the service listens to warnings.
  const warn = `process.on('newListener', (name) => {
    if (name === 'warning') setImmediate(() => process.emitWarning('to be gone soon', 'DeprecationWarning'))
  })`
  const { code, err, lines } = await serve(
    {
      NUMERA_HTTP_PORT: String(port),
      // The built-in database, also where the tests run on another server.
      DATABASE_URL: undefined,
      NUMERA_DATA_FOLDER: folder.path,
      NUMERA_HTTP_PROT: 'x',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(warn)}`,
    },
    ['"listening"', 'to be gone soon'],
  )
  expect(err).toBe('')
  const messages = lines.map((line) => JSON.parse(line).msg)
  expect(messages).toContain('to be gone soon')
  expect(messages).toContain(
    'NUMERA_HTTP_PROT is no setting of Numera and is ignored. Did you mean NUMERA_HTTP_PORT?',
  )
  expect(messages.at(-1)).toBe('stopping')
  expect(code).toBe(0)
})

test('ports in use are reported in one line of JSON, before a folder is created', async () => {
  await using folder = await makeFolder()
  const [http, metrics] = await Promise.all([listen(), listen()])
  const dataFolder = join(folder.path, 'data')
  const { code, err, lines } = await serve({
    DATABASE_URL: undefined,
    NUMERA_DATA_FOLDER: dataFolder,
    NUMERA_HTTP_PORT: String(http.port),
    NUMERA_METRICS_PORT: String(metrics.port),
  })
  for (const { server } of [http, metrics]) server.close()
  expect({ code, err, lines: lines.length }).toEqual({ code: 1, err: '', lines: 1 })
  expect(getFatal(lines).problems).toEqual([
    `NUMERA_HTTP_PORT: port ${http.port} of 127.0.0.1 is in use by another program; set NUMERA_HTTP_PORT to another one`,
    `NUMERA_METRICS_PORT: port ${metrics.port} of 127.0.0.1 is in use by another program; ` +
      'set NUMERA_METRICS_PORT to another one, or to 0 for no metrics',
  ])
  await expect(access(dataFolder)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a database that refuses connections is reported with its host and variable, without user and password', async () => {
  const [port, httpPort] = [await freePort(), await freePort()]
  const { code, out, err, lines } = await serve({
    ...getSettings(`postgresql://bob:hunter2@127.0.0.1:${port}/books`),
    NUMERA_HTTP_PORT: String(httpPort),
  })
  expect({ code, err }).toEqual({ code: 1, err: '' })
  expect(getFatal(lines).msg).toBe(
    `The database at 127.0.0.1:${port}, which DATABASE_URL names, cannot be used (ECONNREFUSED): the connection was ` +
      'refused. Check that PostgreSQL runs there, and the host and port.',
  )
  expect(out).not.toMatch(/bob|hunter2/)
})

test('a wrong password of the database is reported without showing it, or the user', async () => {
  await using database = await createTestDatabase()
  const address = new URL(database.url)
  address.username = 'bob'
  address.password = 'hunter2'
  const port = await freePort()
  const { code, out, lines } = await serve({ ...getSettings(address.href), NUMERA_HTTP_PORT: String(port) })
  expect(code).toBe(1)
  expect(getFatal(lines).msg).toContain('the user or password was refused')
  expect(out).not.toMatch(/bob|hunter2/)
})
