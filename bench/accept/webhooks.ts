/**
 * Accepted webhook deliveries per second, compared with pushes of the same size in the same run: the cost of verifying a
 * signature and of telling bodies apart.
 *
 *   node bench/accept/webhooks.ts [--rounds 5] [--seconds 4]
 *
 * Both take turns in each round; prints medians and their ratios. Deliveries are not parsed.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock, type TestClock } from '../../src/platform/clock/clock.ts'
import { startEmbedded } from '../../src/platform/database/embedded.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { seedCompany, seedConnection, seedSource, seedWebhookSource } from '../../testing/in-process/seed.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { recordTestKeys } from '../../testing/in-process/test-keys.ts'
import { Figures, print, printTarget } from '../figures.ts'
import type { WebhookSender } from './load.ts'
import { freePort } from '../../testing/process/free-port.ts'
import { load, serveArguments, serveEnvironment, start, stop } from './processes.ts'

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
  },
})
const rounds = Number(options.rounds)
const seconds = Number(options.seconds)
const companies = 8
const bodyBytes = 1_024
const clientCounts = [64, 256]

const folder = await mkdtemp(join(tmpdir(), 'numera-bench-'))
const database = await startEmbedded({ dataFolder: folder })
let service: ChildProcess | undefined
try {
  await migrate({ url: database.url })
  await recordTestKeys(database.url)
  const pool = createPool({ url: database.url })
  const context = createTestContext(pool, { clock: systemClock as TestClock })
  const connections: string[] = []
  const senders: WebhookSender[] = []
  for (let index = 0; index < companies; index++) {
    const seeded = await seedCompany(context)
    const { companyId } = seeded.company
    const source = await seedSource(context, companyId)
    connections.push((await seedConnection(context, { ...seeded, source })).credential!)
    const { sourceId, signingSecret } = await seedWebhookSource(context, companyId)
    senders.push({ sourceId, secret: signingSecret })
  }
  // Gives the planner statistics, as on a database that has run for a minute.
  await pool.query('vacuum analyze')
  const port = await freePort()
  service = await start(serveArguments, port, serveEnvironment(database.url, folder, port))

  const channels = { pushes: connections, webhooks: senders }
  const figures = new Figures()
  const median = (name: string): number => figures.median(name)

  print(`${availableParallelism()} cores of ${cpus()[0]?.model}; ${rounds} rounds of ${seconds} s each`)
  for (const credentials of Object.values(channels)) {
    await load({ port, clients: 64, seconds, bodyBytes, credentials })
  }
  for (let round = 1; round <= rounds; round++) {
    for (const clients of clientCounts) {
      // The second one meets the pending writes of the first.
      const turns = Object.entries(channels)
      if (round % 2 === 0) turns.reverse()
      for (const [channel, credentials] of turns) {
        const result = await load({ port, clients, seconds, bodyBytes, credentials })
        figures.add(`${channel} ${clients}`, result.perSecond)
        figures.add(`${channel} ${clients} p50`, result.p50Ms)
        figures.add(`${channel} ${clients} p99`, result.p99Ms)
      }
    }
    // Each round begins with empty tables and no pending writes of the last one.
    await pool.query('truncate deliveries, webhook_ids, backlog')
    await pool.query('checkpoint').catch(() => {})
    const row = clientCounts.flatMap((clients) =>
      Object.keys(channels).map((channel) => `${channel} ${clients}`),
    )
    print(`round ${round}: ${row.map((name) => `${name} ${figures.last(name).toFixed(0)}/s`).join(', ')}`)
  }
  await pool.end()

  print('\n1 KiB deliveries per second (median)')
  for (const clients of clientCounts) {
    for (const channel of Object.keys(channels)) {
      const at = `${channel} ${clients}`
      print(
        `  ${channel}, ${clients} clients`.padEnd(28) +
          `${median(at).toFixed(0)}   p50 ${median(`${at} p50`).toFixed(1)} ms   p99 ${median(`${at} p99`).toFixed(1)} ms`,
      )
    }
    print(
      `  webhooks : pushes ${(median(`webhooks ${clients}`) / median(`pushes ${clients}`)).toFixed(2)}   ` +
        `p99 ${(median(`webhooks ${clients} p99`) / median(`pushes ${clients} p99`)).toFixed(2)} of a push's`,
    )
    printTarget(
      `1 KiB webhooks per second of ${clients} clients : pushes`,
      median(`webhooks ${clients}`) / median(`pushes ${clients}`),
      { atLeast: 0.8 },
    )
  }
} finally {
  if (service !== undefined) await stop(service)
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
