/**
 * Accepting, parsing and reading on Citus, compared with the same PostgreSQL without it.
 *
 *   node bench/accept/citus.ts [--rounds 5] [--seconds 4]
 *
 * Needs an installed PostgreSQL with Citus, of which it starts three nodes. The service connects to the node that has its
 * shard, as it always does. Both take turns in each round; prints medians and their ratios, with the processor time of the
 * service and of the servers' processes.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Pool } from 'pg'
import { systemClock, type TestClock } from '../../src/platform/clock/clock.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { seedCompany, seedConnection, seedSource } from '../../testing/in-process/seed.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { recordTestKeys } from '../../testing/in-process/test-keys.ts'
import { freePort } from '../../testing/process/free-port.ts'
import { Figures, print, printTarget } from '../figures.ts'
import { load, serveArguments, serveEnvironment, start, stop } from './processes.ts'
import { loadReads } from '../samples/get-load.ts'
import { startCitus } from '../../testing/process/start-citus.ts'
import { type Postgres, startPostgres } from '../../testing/process/start-postgres.ts'
import { processorTimeUs } from '../../testing/process/processor-time.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const companies = 8
const smallBytes = 1_024
const drainMsMax = 120_000

interface Side {
  name: 'citus' | 'plain'
  pool: Pool
  credentials: string[]
  service: ChildProcess
  port: number
  folder: string
  url: string
  postmasters: number[]
}

const open = async (name: Side['name'], servers: [Postgres, ...Postgres[]]): Promise<Side> => {
  const [{ url }] = servers
  await migrate({ url })
  await recordTestKeys(url)
  const pool = createPool({ url, pipelined: true })
  const context = createTestContext(pool, { clock: systemClock as TestClock })
  const credentials: string[] = []
  for (let index = 0; index < companies; index++) {
    const seeded = await seedCompany(context)
    const source = await seedSource(context, seeded.company.companyId)
    const { credential } = await seedConnection(context, { ...seeded, source })
    credentials.push(credential!)
  }
  const folder = await mkdtemp(join(tmpdir(), 'numera-bench-'))
  const port = await freePort()
  const service = await start(serveArguments, port, serveEnvironment(url, folder, port))
  const postmasters = await Promise.all(servers.map(async (server) => (await server.processes())[0]!))
  return { name, pool, credentials, service, port, folder, url, postmasters }
}

const figures = new Figures()

/** Adds the processor time of `work`, for each of what it says it did, in µs. */
const measure = async (
  { name, service, postmasters }: Side,
  figure: string,
  work: () => Promise<number>,
): Promise<void> => {
  const read = () => ({
    service: processorTimeUs(service.pid!),
    database: postmasters.reduce((sum, pid) => sum + processorTimeUs(pid, { children: true }), 0),
  })
  const before = read()
  const done = await work()
  const after = read()
  figures.add(`${name} ${figure} service`, (after.service - before.service) / done)
  figures.add(`${name} ${figure} database`, (after.database - before.database) / done)
}

const accept = (side: Side, clients: number): Promise<void> =>
  measure(side, `${clients} clients`, async () => {
    const { port, credentials } = side
    const result = await load({ port, clients, seconds, bodyBytes: smallBytes, credentials })
    figures.add(`${side.name} ${clients} clients`, result.perSecond)
    figures.add(`${side.name} ${clients} clients p99`, result.p99Ms)
    return result.sent
  })

const countWaiting = async ({ pool }: Side): Promise<number> => {
  const { rows } = await pool.query<{ waiting: string }>('select count(*) as waiting from backlog')
  return Number(rows[0]!.waiting)
}

/** Reads of what is in the answer cache. */
const read = (side: Side): Promise<void> =>
  measure(side, 'reading', async () => {
    const { port, credentials } = side
    const path = '/v1/samples?from=2026-01-01&to=2026-02-01'
    const { perSecond, refused } = await loadReads({ port, path, clients: 64, seconds, credentials })
    if (refused > 0) throw new Error(`${refused} reads were refused`)
    figures.add(`${side.name} reading`, perSecond)
    // Those of the warm-up, a fifth of the time, too.
    return perSecond * seconds * 1.2
  })

/** Parses what was accepted, in a process of its own. */
const parse = async (side: Side): Promise<void> => {
  const waiting = await countWaiting(side)
  await measure(side, 'parsing', async () => {
    const startedMs = performance.now()
    const environment = serveEnvironment(side.url, side.folder, await freePort())
    const worker = await start(
      [serveArguments[0]!, 'serve'],
      Number(environment['NUMERA_HTTP_PORT']),
      environment,
    )
    try {
      while ((await countWaiting(side)) > 0) {
        if (performance.now() - startedMs > drainMsMax) throw new Error('the backlog was not parsed in time')
        await sleep(100)
      }
    } finally {
      await stop(worker)
    }
    figures.add(`${side.name} parsing`, (waiting * 1_000) / (performance.now() - startedMs))
    return waiting
  })
}

await using stack = new AsyncDisposableStack()
const citus = await startCitus()
if (citus === undefined) throw new Error('no PostgreSQL with Citus is installed here')
stack.use(citus)
const plain = stack.use(await startPostgres({ programs: citus.programs, settings: { max_connections: 300 } }))
const sides: Side[] = []
try {
  sides.push(await open('citus', [citus.coordinator, ...citus.workers]), await open('plain', [plain]))
  for (const { port, credentials } of sides) {
    await load({ port, clients: 64, seconds, bodyBytes: smallBytes, credentials })
  }
  for (let round = 1; round <= rounds; round++) {
    for (const clients of [64, 256]) for (const side of sides) await accept(side, clients)
    for (const side of sides) await parse(side)
    for (const side of sides) await read(side)
    print(`round ${round}`)
  }
  for (const figure of ['64 clients', '256 clients', 'parsing', 'reading']) {
    for (const { name } of sides) {
      const of = `${name} ${figure}`
      print(
        `${of.padEnd(20)} ${figures.median(of).toFixed(0)}/s   µs of processor time each: service ` +
          `${figures.median(`${of} service`).toFixed(1)}, database ${figures.median(`${of} database`).toFixed(1)}`,
      )
    }
  }
  for (const [figure, atLeast] of [
    ['64 clients', 0.4],
    ['256 clients', 0.6],
    ['parsing', 0.8],
    ['reading', 0.97],
  ] as const) {
    const ratio = figures.median(`citus ${figure}`) / figures.median(`plain ${figure}`)
    printTarget(`${figure}, a second: without Citus`, ratio, { atLeast })
  }
} finally {
  for (const { service, pool, folder } of sides) {
    await stop(service)
    await pool.end()
    await rm(folder, { recursive: true, force: true })
  }
}
