/**
 * What the service's process takes at most while many read the largest answers there are: the same answer and different
 * ones, by clients that take them at once and by clients that take nothing.
 *
 *   node bench/samples/memory.ts [clients]
 *
 * Linux only: the peak is what the kernel says of the process (`VmHWM`). A process of its own for each case.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, serveArguments, serveEnvironment, start, stop } from '../accept/processes.ts'
import { sayInShort } from '../in-short.ts'
import { openShop, startDeployment } from './deployment.ts'

const [clients = 20] = process.argv.slice(2).map(Number)
/** What the process may take at most with all of it at once: a ceiling, not a goal. */
const wantedMiB = 512
const waitMs = 10_000
const mebibyte = 1_048_576

const peakMiB = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1_024)
}

/** Asks, and takes what comes where `takes`; gives the answer's status and how much of it came. */
const ask = async (port: number, path: string, credential: string, takes: boolean) => {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${credential}\r\nConnection: close\r\n\r\n`,
  )
  const taken = { status: 0, bytes: 0 }
  if (!takes) {
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    socket.destroy()
    return taken
  }
  socket.on('data', (chunk: Buffer) => {
    if (taken.bytes === 0) taken.status = Number(chunk.toString('latin1', 9, 12))
    taken.bytes += chunk.length
  })
  await once(socket, 'close')
  return taken
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
// 5,000 cells with labels of 200 characters: more than an answer holds.
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

const measure = async (name: string, different: boolean, takes: boolean): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-memory-'))
  const port = await freePort()
  const service = await start(serveArguments, port, serveEnvironment(deployment.url, folder, port))
  const beforeMiB = await peakMiB(service.pid!)
  const answers = await Promise.all(
    shop.credentials.map((credential, index) =>
      ask(port, `/v1/samples?from=${day(different ? index : 0)}`, credential, takes),
    ),
  )
  const peak = await peakMiB(service.pid!)
  await stop(service)
  await rm(folder, { recursive: true })
  const whole = answers.filter(({ status }) => status === 200)
  const largest = Math.max(...answers.map(({ bytes }) => bytes))
  const said = takes
    ? `${whole.length} answers of at most ${(largest / mebibyte).toFixed(1)} MiB, ${clients - whole.length} were 503`
    : `nobody took anything for ${waitMs / 1_000} s`
  process.stdout.write(
    `${name.padEnd(46)} ${String(beforeMiB).padStart(5)} → ${String(peak).padStart(5)} MiB; ${said}\n`,
  )
  return peak
}

process.stdout.write(`${clients} clients at once; the peak of the process before and with them\n`)
const peaks = [
  await measure('the same answer, taken at once', false, true),
  await measure('different answers, taken at once', true, true),
  await measure('the same answer, not taken', false, false),
  await measure('different answers, not taken', true, false),
]
sayInShort('peak of the service with 20 reads of 8 MiB', Math.max(...peaks), { atMost: wantedMiB }, ' MiB')
