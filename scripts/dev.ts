/**
 * `npm run dev`: the demo and its pages at one address, as they are saved. Vite takes what a browser asks for, shows the
 * pages from `web/` with hot reload, and hands everything else to the service, which runs in `node --watch` behind it.
 * The service knows itself by Vite's address: cookies, checks of the origin and redirects are as they are without Vite.
 * The documents at `/docs` are built again when one is saved.
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
/** The service ends by itself within 30 seconds (`stopMsMax`); then it is killed. */
const stopMsMax = 35_000
const pollMs = 100

/** What Vite answers: its own scripts, and the sources of the pages. The service has no such address. */
const serviceAddresses = '^/(?!@|__|src/|node_modules/)'

const host = process.env['NUMERA_HTTP_HOST'] ?? '127.0.0.1'
const port = Number(process.env['NUMERA_HTTP_PORT'] ?? 8080)
const baseUrl = process.env['NUMERA_BASE_URL'] ?? `http://localhost:${port}`

/** Stays the same while the service is started again and again. */
const freePort = async (): Promise<number> => {
  const server = createNetServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port: free } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return free
}

/** Of an address that nobody knows, too. */
const isPage = ({ statusCode = 0, headers }: IncomingMessage): boolean =>
  [200, 404].includes(statusCode) && headers['content-type']?.startsWith('text/html') === true

/**
 * Whether a page is shown is for the service to say: it looks at what an app asks for first. Where it answers with the
 * pages as they were built, they are answered as they are saved, without the content policy, which takes no script of Vite's.
 */
const answer = async (
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
    // Names what was built.
    delete from.headers['link']
  }
  const html = isBuilt
    ? await vite.transformIndexHtml(url, await readFile(join(web, 'index.html'), 'utf8'))
    : built
  to.writeHead(status, { ...from.headers, 'content-length': Buffer.byteLength(html) })
  to.end(html)
}

const servicePort = await freePort()
const service = `http://127.0.0.1:${servicePort}`

const proxy: ProxyOptions = {
  target: service,
  selfHandleResponse: true,
  // A page that is changed on the way comes as it is.
  headers: { 'accept-encoding': 'identity' },
  configure: (server) => {
    server.on('proxyRes', (from, request, to) => {
      answer(vite, from, to, request.url ?? '/').catch((error: unknown) => to.destroy(error as Error))
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
  // Not a server of its own, which would end this process at the first signal, before the service has stopped.
  server: { middlewareMode: true, hmr: { server: front }, proxy: { [serviceAddresses]: proxy } },
})
front.on('request', vite.middlewares)
try {
  await once(front.listen(port, host), 'listening')
} catch (error) {
  await vite.close()
  process.stderr.write(`${(error as Error).message}. NUMERA_HTTP_PORT names another one.\n`)
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
    // In a group of its own: Ctrl-C reaches this process, which tells it once. At a second signal it would end at once.
    detached: true,
  },
)
const ended = once(child, 'exit')
// Where this process ends by a fault of its own, the service does not stay behind.
process.on('exit', () => child.kill('SIGTERM'))

/** An editor saves a file in several steps. */
const savedMs = 100

/** Builds the documents into the folder that the service answers from. What is wrong with them is said, and they stay. */
const buildDocuments = async (): Promise<void> => {
  const words = [join(web, 'docs', 'build.ts'), join(web, 'dist', 'docs')]
  await promisify(execFile)(process.execPath, words, { cwd: root }).catch(({ stderr }: { stderr: string }) =>
    process.stderr.write(stderr),
  )
}

/** Builds the documents again whenever one of them is saved, or what they are made with, one time after the other. */
const watchDocuments = (): Disposable => {
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const build = (): void => void (last = last.then(buildDocuments))
  const watchers = [join(root, 'docs'), join(web, 'docs')].map((folder) =>
    watch(folder, { recursive: true }, () => {
      clearTimeout(timer)
      timer = setTimeout(build, savedMs)
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

/** Asks until the service has begun to answer. */
const untilReady = async (): Promise<void> => {
  while (!stopping.signal.aborted && child.exitCode === null) {
    const response = await fetch(`${service}/health/ready`).catch(() => undefined)
    await response?.arrayBuffer()
    if (response?.ok) {
      process.stdout.write(
        `\nOpen ${baseUrl}/sign-in\n` +
          'What is saved in web/ shows at once; what is saved in docs/, when its page is loaded again; ' +
          'what is saved in src/ starts the service again.\n',
      )
      return
    }
    await sleep(pollMs)
  }
}

await Promise.race([untilReady(), ended])
await ended
if (!stopping.signal.aborted) process.exitCode = 1
front.close()
front.closeAllConnections()
await vite.close()
watching[Symbol.dispose]()
