/**
 * `npm run dev`: the demo and its pages at one address. Vite serves the pages from `web/` with hot reload and proxies
 * everything else to the service, which runs under `node --watch`. The service's base URL is Vite's address, so cookies,
 * origin checks and redirects work as they do without Vite. Saving a document rebuilds `/docs`.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createNetServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createServer, type ProxyOptions, type ViteDevServer } from 'vite'

const root = join(import.meta.dirname, '..')
const web = join(root, 'web')
/** The service needs up to 30 seconds to stop (its own `stopMsMax`); after that it is killed. */
const stopMsMax = 35_000
const pollMs = 100

/** All but Vite's own scripts and the sources of the pages, whose addresses the service does not have. */
const serviceAddresses = '^/(?!@|__|src/|node_modules/)'

const host = process.env['NUMERA_HTTP_HOST'] ?? '127.0.0.1'
const port = Number(process.env['NUMERA_HTTP_PORT'] ?? 8080)
const baseUrl = process.env['NUMERA_BASE_URL'] ?? `http://localhost:${port}`

/** The port stays the same across restarts of the service. */
const findFreePort = async (): Promise<number> => {
  const server = createNetServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

/** An unknown address gets a page too. */
const isPage = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  [200, 404].includes(statusCode) && headers['content-type']?.startsWith('text/html') === true

/**
 * Passes the service's response on. Where that is the page as it was built, the page as it is saved replaces it, without
 * the content policy, which would block Vite's scripts.
 */
const forward = async (
  vite: ViteDevServer,
  from: IncomingMessage,
  to: ServerResponse,
  url: string,
): Promise<void> => {
  const status = from.statusCode ?? 502
  if (!isPage(from)) {
    to.writeHead(status, from.headers)
    from.pipe(to)
    return
  }
  const built = await text(from)
  const isBuilt = built.includes('<div id="root"')
  if (isBuilt) {
    delete from.headers['content-security-policy']
    // Preloads the chunks of the build.
    delete from.headers['link']
  }
  const html = isBuilt
    ? await vite.transformIndexHtml(url, await readFile(join(web, 'index.html'), 'utf8'))
    : built
  to.writeHead(status, { ...from.headers, 'content-length': Buffer.byteLength(html) })
  to.end(html)
}

const servicePort = await findFreePort()
const service = `http://127.0.0.1:${servicePort}`

const proxy: ProxyOptions = {
  target: service,
  selfHandleResponse: true,
  // A page can only be replaced uncompressed.
  headers: { 'accept-encoding': 'identity' },
  configure: (server) => {
    server.on('proxyRes', (from, request, to) => {
      forward(vite, from, to, request.url ?? '/').catch((error: unknown) => to.destroy(error as Error))
    })
  },
}
const front = createHttpServer()
const vite = await createServer({
  root: web,
  configFile: join(web, 'vite.config.ts'),
  configLoader: 'native',
  appType: 'custom',
  logLevel: 'warn',
  // A server of Vite's own would end this process at the first signal, before the service has stopped.
  server: { middlewareMode: true, hmr: { server: front }, proxy: { [serviceAddresses]: proxy } },
})
front.on('request', vite.middlewares)
try {
  await once(front.listen(port, host), 'listening')
} catch (error) {
  await vite.close()
  process.stderr.write(`${(error as Error).message}. Set NUMERA_HTTP_PORT to another port.\n`)
  process.exit(1)
}

const child = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', join(root, 'src', 'main.ts'), 'demo'],
  {
    cwd: root,
    env: {
      ...process.env,
      NUMERA_HTTP_HOST: '127.0.0.1',
      NUMERA_HTTP_PORT: String(servicePort),
      NUMERA_BASE_URL: baseUrl,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
    // In a process group of its own, so that Ctrl-C signals it only once, through this process: a second signal would kill it.
    detached: true,
  },
)
const ended = once(child, 'exit')
// The service stops with this process even if this one fails.
process.on('exit', () => child.kill('SIGTERM'))

/** Editors save a file in several steps, within about this time. */
const savingMs = 100

/** Builds the documents into the folder that the service serves. On errors, which are printed, the old ones stay. */
const buildDocuments = async (): Promise<void> => {
  const words = [join(web, 'docs', 'build.ts'), join(web, 'dist', 'docs')]
  await promisify(execFile)(process.execPath, words, { cwd: root }).catch(({ stderr }: { stderr: string }) =>
    process.stderr.write(stderr),
  )
}

/** Rebuilds the documents, one build at a time, when a document or a part of their builder is saved. */
const watchDocuments = (): Disposable => {
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const build = (): void => void (last = last.then(buildDocuments))
  const watchers = [join(root, 'docs'), join(web, 'docs')].map((folder) =>
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(build, savingMs)
    }),
  )
  return {
    [Symbol.dispose]: () => {
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}
const watching = watchDocuments()

const stopping = new AbortController()
const stop = (): void => {
  if (stopping.signal.aborted) return
  stopping.abort()
  child.kill('SIGTERM')
  setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), stopMsMax).unref()
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)

/** Polls until the service is ready. */
const waitUntilReady = async (): Promise<void> => {
  while (!stopping.signal.aborted && child.exitCode === null) {
    const response = await fetch(`${service}/health/ready`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) {
      process.stdout.write(
        `\nOpen ${baseUrl}/sign-in\n` +
          'Changes in web/ show immediately, changes in docs/ when the page is reloaded; ' +
          'changes in src/ restart the service.\n',
      )
      return
    }
    await sleep(pollMs)
  }
}

await Promise.race([waitUntilReady(), ended])
await ended
if (!stopping.signal.aborted) process.exitCode = 1
front.close()
front.closeAllConnections()
await vite.close()
watching[Symbol.dispose]()
