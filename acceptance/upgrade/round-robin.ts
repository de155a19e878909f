import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A balancer on the loopback address: each call goes to the next process that is ready. It repeats none. */
export interface RoundRobin extends AsyncDisposable {
  readonly url: string
  add(url: string): void
  /** Of the processes that it sends calls to now. */
  ready(): string[]
  /** How many calls each process got. */
  readonly calls: ReadonlyMap<string, number>
}

const checkEveryMs = 200
const checkMsMax = 1_000

async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/health/ready`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(checkMsMax),
    })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}

function forward(url: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const sent = request(`${url}${incoming.url}`, {
    agent: false,
    method: incoming.method,
    headers: { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress, connection: 'close' },
  })
  sent.once('response', (received) => {
    const { connection: _, ...headers } = received.headers
    answer.writeHead(received.statusCode!, headers)
    received.on('error', () => answer.destroy())
    received.pipe(answer)
  })
  sent.on('error', (error) =>
    answer.headersSent ? answer.destroy() : answer.writeHead(502).end(error.message),
  )
  answer.once('close', () => sent.destroy())
  incoming.pipe(sent)
}

export async function startRoundRobin(): Promise<RoundRobin> {
  const processes = new Map<string, boolean>()
  const calls = new Map<string, number>()
  let next = 0
  const ready = (): string[] => [...processes].flatMap(([url, is]) => (is ? [url] : []))
  const server = createServer((incoming, answer) => {
    const urls = ready()
    if (urls.length === 0) return void answer.writeHead(503, { 'retry-after': '1' }).end()
    const url = urls[next++ % urls.length]!
    calls.set(url, (calls.get(url) ?? 0) + 1)
    forward(url, incoming, answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const timer = setInterval(() => {
    for (const url of processes.keys()) void isReady(url).then((is) => processes.set(url, is))
  }, checkEveryMs)
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: (url) => void processes.set(url, false),
    ready,
    calls,
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
    },
  }
}
