import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../testing/process/free-port.ts'
import { saveLog } from '../testing/process/run-logs.ts'
import type { Service } from '../testing/process/start-service.ts'

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Starts `npm run dev` on a data folder; it ends its service too. */
const startDev = async (dataFolder: string, port: number, metricsPort: number): Promise<ChildProcess> => {
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: '',
    NUMERA_HTTP_HOST: '127.0.0.1',
    NUMERA_HTTP_PORT: String(port),
    NUMERA_METRICS_PORT: String(metricsPort),
    NUMERA_BASE_URL: `http://localhost:${port}`,
    NUMERA_DATA_FOLDER: dataFolder,
    NUMERA_IDENTITY: 'demo',
  }
  delete environment['VITEST']
  delete environment['NODE_ENV']
  return spawn(process.execPath, [join(import.meta.dirname, '..', 'scripts', 'dev.ts')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** `npm run dev` on the data folder of an existing demo: creating another takes longer than this test. */
export const testDev = (service: () => Service): void => {
  test('npm run dev serves the pages as they are saved and the service at one address, and ends both', async () => {
    await service().stop()
    const { dataFolder } = service()
    const [port, metricsPort] = [await freePort(), await freePort()]
    const url = `http://localhost:${port}`
    const child = await startDev(dataFolder, port, metricsPort)
    const ended = once(child, 'exit')
    try {
      let output = ''
      const keep = saveLog('dev')
      for (const stream of [child.stdout!, child.stderr!]) {
        stream.on('data', (chunk) => {
          output += chunk
          keep(chunk)
        })
      }
      const askPage = (path: string): Promise<Response> => fetch(`${url}${path}`, { redirect: 'manual' })
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
      // A page of its own explains it, with its content policy.
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
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })
}
