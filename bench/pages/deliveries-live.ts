/**
 * The cost of 200 open developer pages that show a new delivery within two seconds: polling with an ETag every two seconds,
 * compared with server-sent events. In processor time of the service and of its database.
 *
 *   node bench/pages/deliveries-live.ts [seconds]
 */
import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../testing/process/free-port.ts'
import { serveArguments, serveEnvironment, start, stop } from '../accept/processes.ts'
import { processorTimeUs } from '../../testing/process/processor-time.ts'
import { buildApp } from '../../src/app/app.ts'
import { signInConsole } from '../../testing/in-process/console-client.ts'
import { seedSource } from '../../testing/in-process/seed.ts'
import { seedScene } from '../../testing/in-process/scenes/scene.ts'
import { storeDelivery } from '../../testing/in-process/store-delivery.ts'
import { startDeployment } from '../samples/deployment.ts'
import { print } from '../figures.ts'

const [seconds = 20] = process.argv.slice(2).map(Number)
const pages = 200
const pollMs = 2_000

await using deployment = await startDeployment()
const { pool, context, url } = deployment
const { rows } = await pool.query<{ backend: number }>('select pg_backend_pid() as backend')
/** The parent of each connection's process: proc(5). */
const postmaster = Number(
  /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${rows[0]!.backend}/status`, 'utf8'))![1],
)

interface WatchedSource {
  companyId: string
  sourceId: string
  cookie: string
}

const app = await buildApp(context)
const openCompanies = async (number: number): Promise<WatchedSource[]> => {
  const watched: WatchedSource[] = []
  while (watched.length < number) {
    const { company, owner, source } = await seedScene(context, { source: {} })
    for (let further = 0; further < 5; further++) await seedSource(context, company.companyId)
    const { cookies } = await signInConsole(app, context, owner)
    const cookie = `numera_session=${cookies.get('numera_session')!}`
    watched.push({ companyId: company.companyId, sourceId: source.sourceId, cookie })
    const of = { companyId: company.companyId, sourceId: source.sourceId }
    for (let delivery = 0; delivery < 60; delivery++)
      await storeDelivery(pool, of, [{ delivery }], { queued: false })
  }
  return watched
}

const folder = await mkdtemp(join(tmpdir(), 'numera-bench-'))
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const port = await freePort()

const get = async (path: string, headers: Record<string, string>): Promise<IncomingMessage> => {
  const sent = httpRequest({ port, host: '127.0.0.1', path, headers, agent })
  sent.end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return answer
}
const list = async ({ companyId, cookie }: WatchedSource, etag: string): Promise<string> => {
  const answer = await get(`/console/companies/${companyId}/deliveries`, { cookie, 'if-none-match': etag })
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode !== 200 && answer.statusCode !== 304) throw new Error(`answered ${answer.statusCode}`)
  return answer.headers.etag!
}

/** A page that polls until the signal. */
const poll = async (watched: WatchedSource, phaseMs: number, signal: AbortSignal): Promise<void> => {
  await sleep(phaseMs)
  let etag = '""'
  while (!signal.aborted) {
    etag = await list(watched, etag)
    await sleep(pollMs)
  }
}
/** A page that receives events until the signal. */
const receiveEvents = async (watched: WatchedSource, phaseMs: number, signal: AbortSignal): Promise<void> => {
  await sleep(phaseMs)
  const { companyId, cookie } = watched
  const answer = await get(`/console/companies/${companyId}/deliveries/events`, {
    cookie,
    accept: 'text/event-stream',
  })
  signal.addEventListener('abort', () => answer.destroy())
  let etag = '""'
  try {
    for await (const part of answer) {
      // Other parts only keep the stream alive.
      const data = /^event: change\ndata: (.*)$/m.exec(String(part))?.[1]
      if (data === undefined) continue
      const change = JSON.parse(data) as { etag: string; since: string | null; deliveries: unknown }
      const isListed = change.deliveries !== null && change.since === etag
      etag = isListed ? change.etag : await list(watched, etag)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const measure = async (
  service: number,
  companies: WatchedSource[],
  page: typeof poll | undefined,
  deliveriesPerSecond: number,
): Promise<string> => {
  const over = new AbortController()
  const open = Array.from({ length: page === undefined ? 0 : pages }, (_, number) =>
    page!(companies[number % companies.length]!, (number * pollMs) / pages, over.signal),
  )
  await sleep(pollMs + 1_000)
  const before = [processorTimeUs(service), processorTimeUs(postmaster, { children: true })]
  const until = performance.now() + seconds * 1_000
  for (let number = 0; performance.now() < until; number++) {
    if (deliveriesPerSecond === 0) await sleep(until - performance.now())
    else {
      await storeDelivery(pool, companies[number % companies.length]!, [{ number }], { queued: false })
      await sleep(1_000 / deliveriesPerSecond)
    }
  }
  const after = [processorTimeUs(service), processorTimeUs(postmaster, { children: true })]
  over.abort()
  await Promise.all(open)
  const [ofService, ofDatabase] = after.map((us, place) => (us - before[place]!) / seconds / 1_000)
  return `${ofService!.toFixed(0).padStart(6)} ms ${ofDatabase!.toFixed(0).padStart(6)} ms`
}

print(
  `${pages} open pages, ${seconds} s each; processor time per second of the service and of the database\n`,
)
for (const number of [1, 50]) {
  const companies = await openCompanies(number)
  for (const deliveriesPerSecond of [0, 5]) {
    print(`${number} companies, ${deliveriesPerSecond} deliveries per second`)
    for (const [name, page] of [
      ['no page open', undefined],
      ['polling every 2 s with an ETag', poll],
      ['server-sent events', receiveEvents],
    ] as const) {
      const server = await start(serveArguments, port, serveEnvironment(url, folder, port))
      try {
        print(`  ${name.padEnd(32)}${await measure(server.pid!, companies, page, deliveriesPerSecond)}`)
      } finally {
        await stop(server)
      }
    }
  }
}
await app.close()
agent.destroy()
await rm(folder, { recursive: true, force: true })
