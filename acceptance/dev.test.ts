import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const dataFolder = await mkdtemp(join(tmpdir(), 'numera-dev-'))
const port = await freePort()
const metricsPort = await freePort()
const url = `http://localhost:${port}`
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  DATABASE_URL: '',
  NUMERA_HTTP_HOST: '127.0.0.1',
  NUMERA_HTTP_PORT: String(port),
  NUMERA_METRICS_PORT: String(metricsPort),
  NUMERA_BASE_URL: url,
  NUMERA_DATA_FOLDER: dataFolder,
  NUMERA_IDENTITY: 'demo',
}
delete environment['VITEST']
delete environment['NODE_ENV']

const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'scripts', 'dev.ts')], {
  env: environment,
  stdio: ['ignore', 'pipe', 'pipe'],
})
const ended = once(child, 'exit')
let output = ''
for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
afterAll(async () => {
  // It ends its service too, which the test has seen where it passed.
  child.kill('SIGTERM')
  await ended
  await rm(dataFolder, { recursive: true, force: true })
})

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

const askPage = (path: string): Promise<Response> => fetch(`${url}${path}`, { redirect: 'manual' })

test('npm run dev serves the pages as they are saved and the service at one address, and ends both', async () => {
  await expect.poll(() => output, { timeout: 60_000 }).toContain(`Open ${url}/sign-in`)

  const page = await askPage('/sign-in')
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('/@vite/client')
  expect(page.headers.get('content-security-policy')).toBeNull()
  const source = await askPage('/src/session/sign-in-page.tsx')
  expect(source.headers.get('content-type')).toContain('javascript')
  expect(await source.text()).toContain('import.meta.hot')

  expect(await (await askPage('/')).text()).toContain('/@vite/client')
  const unknown = await fetch(`${url}/nowhere`, { headers: { accept: 'text/html' } })
  expect(unknown.status).toBe(404)
  expect(await unknown.text()).toContain('/@vite/client')
  expect((await askPage('/v1/samples')).status).toBe(401)
  // It says so on a page of its own, with its content policy.
  const refused = await askPage('/oauth/authorize?client_id=unknown')
  expect(refused.status).toBe(400)
  expect(refused.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await (await askPage('/.well-known/oauth-authorization-server')).json()).toMatchObject({
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
  })

  const signIn = (origin: string): Promise<Response> =>
    fetch(`${url}/console/sign-in`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: '{}',
    })
  const begun = await signIn(url)
  expect(begun.status).toBeLessThan(300)
  expect(begun.headers.get('set-cookie')).toContain('numera_order=')
  expect((await signIn('http://elsewhere.example')).status).toBe(403)

  const database = join(dataFolder, 'postgres', 'postmaster.pid')
  expect(await isThere(database)).toBe(true)
  child.kill('SIGINT')
  expect((await ended)[0]).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
  await expect(fetch(`http://127.0.0.1:${metricsPort}/metrics`)).rejects.toThrow()
  expect(await isThere(database)).toBe(false)
}, 120_000)
