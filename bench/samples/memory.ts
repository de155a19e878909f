/**
 * The peak memory of the service's process while many clients read the largest answers: the same one and different ones,
 * by clients that read them immediately and by clients that read nothing.
 *
 *   node bench/samples/memory.ts [clients]
 *
 * Linux only: the peak is the kernel's (`VmHWM`). Each case has its own process.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../testing/process/free-port.ts'
import { serveArguments, serveEnvironment, start, stop } from '../accept/processes.ts'
import { printTarget } from '../figures.ts'
import { openShop, startDeployment } from './deployment.ts'

const [clients = 20] = process.argv.slice(2).map(Number)
/** A bound, not a goal. */
const peakMiBMax = 512
const waitMs = 10_000
const mebibyte = 1_048_576

const peakMiB = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1_024)
}

/** @param isReading whether the client reads the answer */
const read = async (port: number, path: string, credential: string, isReading: boolean) => {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${credential}\r\nConnection: close\r\n\r\n`,
  )
  const received = { status: 0, bytes: 0 }
  if (!isReading) {
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    socket.destroy()
    return received
  }
  socket.on('data', (chunk: Buffer) => {
    if (received.bytes === 0) received.status = Number(chunk.toString('latin1', 9, 12))
    received.bytes += chunk.length
  })
  await once(socket, 'close')
  return received
}

await using deployment = await startDeployment()
const { pool, context } = deployment
const labels = Array.from({ length: 20 }, (_, index) => `label${index + 10}`)
const shop = await openShop(
  context,
  {
    fields: [
      { name: 'at', type: 'timestamp', personal: false },
      { name: 'amount', type: 'number', personal: false },
      ...labels.map((name) => ({ name, type: 'text' as const, personal: false })),
    ],
    metrics: [
      {
        metric: 'revenue',
        aggregation: 'sum',
        field: 'amount',
        filters: [],
        group_by: labels,
        period: 'day',
      },
    ],
  },
  clients,
)
// 5,000 cells with labels of 200 characters exceed one answer.
await pool.query(
  `insert into samples (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value,
    artifact_id, receive_number)
  select $1::uuid, gen_random_uuid(), $2::uuid, 1, false, current_date, 'revenue', '{' || (
    select string_agg('"label' || k + 10 || '":"' || repeat(md5(n::text || k::text), 6) || lpad(n::text, 8, '0') || '"',
      ',' order by k)
    from generate_series(0, 19) as k
  ) || '}', n, gen_random_uuid(), n
  from generate_series(1, 5000) as n`,
  [shop.companyId, shop.sourceId],
)
await pool.query('analyze')

const day = (index: number): string =>
  new Date(Date.now() - (index + 2) * 86_400_000).toISOString().slice(0, 10)

const measure = async (name: string, different: boolean, isReading: boolean): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-memory-'))
  const port = await freePort()
  const service = await start(serveArguments, port, serveEnvironment(deployment.url, folder, port))
  const beforeMiB = await peakMiB(service.pid!)
  const answers = await Promise.all(
    shop.credentials.map((credential, index) =>
      read(port, `/v1/samples?from=${day(different ? index : 0)}`, credential, isReading),
    ),
  )
  const peak = await peakMiB(service.pid!)
  await stop(service)
  await rm(folder, { recursive: true })
  const whole = answers.filter(({ status }) => status === 200)
  const largest = Math.max(...answers.map(({ bytes }) => bytes))
  const result = isReading
    ? `${whole.length} answers of at most ${(largest / mebibyte).toFixed(1)} MiB, ${clients - whole.length} were 503`
    : `nothing was read for ${waitMs / 1_000} s`
  process.stdout.write(
    `${name.padEnd(46)} ${String(beforeMiB).padStart(5)} → ${String(peak).padStart(5)} MiB; ${result}\n`,
  )
  return peak
}

process.stdout.write(`${clients} concurrent clients; the peak of the process before and with them\n`)
const peaks = [
  await measure('the same answer, read', false, true),
  await measure('different answers, read', true, true),
  await measure('the same answer, not read', false, false),
  await measure('different answers, not read', true, false),
]
printTarget('peak of the service with 20 reads of 8 MiB', Math.max(...peaks), { atMost: peakMiBMax }, ' MiB')
