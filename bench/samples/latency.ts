/**
 * The time from a delivery's 202 to its sample on an idle service, compared with the time of a commit: p50 and p99.
 *
 *   node bench/samples/latency.ts [deliveries]
 */
import { connect } from 'node:net'
import { buildApp } from '../../src/app/app.ts'
import { startWorkers } from '../../src/engine/parsing/worker/start-workers.ts'
import { median, print, printTarget } from '../figures.ts'
import { openShop, startDeployment } from './deployment.ts'

const [deliveries = 300] = process.argv.slice(2).map(Number)
const quantiles = (numbers: number[]): string => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const at = (part: number): string => sorted[Math.floor((sorted.length - 1) * part)]!.toFixed(2)
  return `p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms`
}

await using deployment = await startDeployment()
const { pool, context } = deployment

await pool.query('create table commits (n integer)')
const commitMs: number[] = []
for (let n = 0; n < deliveries; n++) {
  const startedMs = performance.now()
  await pool.query({ name: 'commit', text: 'insert into commits values ($1)', values: [n] })
  commitMs.push(performance.now() - startedMs)
}

const app = await buildApp(context)
await app.listen({ port: 0, host: '127.0.0.1' })
const port = (app.server.address() as { port: number }).port
await using stack = new AsyncDisposableStack()
stack.use(await startWorkers(context))

const pause = new Int32Array(new SharedArrayBuffer(4))
const socket = connect(port, '127.0.0.1')
socket.setNoDelay(true)
const send = (request: string): Promise<string> =>
  new Promise((resolve) => {
    socket.once('data', (answer: Buffer) => resolve(answer.toString()))
    socket.write(request)
  })

for (const delivers of ['events', 'statements'] as const) {
  const shop = await openShop(context, { delivers })
  const push = (n: number): string => {
    const body = JSON.stringify({
      idempotency_key: `delivery ${n}`,
      shape_version: 1,
      payload: { at: '2026-01-01', amount: '1', country: `${n}` },
    })
    return (
      `POST /v1/ingest HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${shop.credential}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    )
  }
  const pushMs: number[] = []
  const readMs: number[] = []
  for (let n = -50; n < deliveries; n++) {
    // Until everything is idle again.
    await new Promise((resolve) => setTimeout(resolve, 5))
    const startedMs = performance.now()
    const answer = await send(push(n))
    const acceptedMs = performance.now()
    if (!answer.startsWith('HTTP/1.1 202')) throw new Error(answer)
    for (;;) {
      const { rows } = await pool.query({
        name: 'find_sample',
        text: 'select from samples where source_id = $1 and company_id = $2 and labels = $3 and projection_id = 1 and value is not null',
        values: [shop.sourceId, shop.companyId, `{"country":"${n}"}`],
      })
      if (rows.length > 0) break
      // Polling without a pause would take processor time from the worker.
      Atomics.wait(pause, 0, 0, 0.2)
    }
    if (n < 0) continue
    readMs.push(performance.now() - acceptedMs)
    pushMs.push(acceptedMs - startedMs)
  }
  printTarget(
    `from 202 to a readable sample (${delivers}) : a commit, p50`,
    median(readMs) / median(commitMs),
    { atMost: 10 },
  )
  print(`${delivers}: 202 after ${quantiles(pushMs)}; readable after another ${quantiles(readMs)}`)
}
print(`a commit takes ${quantiles(commitMs)}`)

socket.destroy()
await app.close()
