/**
 * How many webhook deliveries are accepted a second, beside pushes of the same size in the same run: what verifying a
 * signature and keeping bodies apart costs.
 *
 *   node bench/accept/webhooks.ts [--rounds 5] [--seconds 4]
 *
 * Both take turns, round by round; medians and ratios of medians are printed. Deliveries are left unread.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock, type TestClock } from '../../src/clock/clock.ts'
import { startEmbedded } from '../../src/database/embedded.ts'
import { migrate } from '../../src/database/migrate.ts'
import { createPool } from '../../src/database/pool.ts'
import { seedCompany, seedConnection, seedSource, seedWebhookSource } from '../../src/testing/seed.ts'
import { createTestContext } from '../../src/testing/test-context.ts'
import { recordTestKeys } from '../../src/testing/test-keys.ts'
import { sayInShort } from '../in-short.ts'
import type { WebhookSender } from './load.ts'
import { freePort, load, serveArguments, serveEnvironment, start, stop } from './processes.ts'

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

const say = (line: string): void => void process.stdout.write(`${line}\n`)

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
  // Plans are made from statistics, as they are on a database that has run for a minute.
  await pool.query('vacuum analyze')
  const port = await freePort()
  service = await start(serveArguments, port, serveEnvironment(database.url, folder, port))

  const doors = { pushes: connections, webhooks: senders }
  const figures = new Map<string, number[]>()
  const note = (name: string, figure: number): void =>
    void figures.set(name, [...(figures.get(name) ?? []), figure])
  const median = (name: string): number =>
    (figures.get(name) ?? []).toSorted((a, b) => a - b)[Math.floor((figures.get(name)?.length ?? 0) / 2)]!

  say(`${availableParallelism()} cores of ${cpus()[0]?.model}; ${rounds} rounds of ${seconds} s each`)
  for (const credentials of Object.values(doors)) {
    await load({ port, clients: 64, seconds, bodyBytes, credentials })
  }
  for (let round = 1; round <= rounds; round++) {
    for (const clients of clientCounts) {
      // Whoever comes second meets what the first has left to be written.
      const turns = Object.entries(doors)
      if (round % 2 === 0) turns.reverse()
      for (const [channel, credentials] of turns) {
        const result = await load({ port, clients, seconds, bodyBytes, credentials })
        note(`${channel} ${clients}`, result.perSecond)
        note(`${channel} ${clients} p50`, result.p50Ms)
        note(`${channel} ${clients} p99`, result.p99Ms)
      }
    }
    // Every round begins alike: with small tables, and nothing left to be written by the last one.
    await pool.query('truncate deliveries, webhook_ids, backlog')
    await pool.query('checkpoint').catch(() => {})
    const row = clientCounts.flatMap((clients) =>
      Object.keys(doors).map((channel) => `${channel} ${clients}`),
    )
    say(
      `round ${round}: ${row.map((name) => `${name} ${figures.get(name)?.at(-1)?.toFixed(0)}/s`).join(', ')}`,
    )
  }
  await pool.end()

  say('\n1 KiB deliveries a second (median)')
  for (const clients of clientCounts) {
    for (const channel of Object.keys(doors)) {
      const at = `${channel} ${clients}`
      say(
        `  ${channel}, ${clients} clients`.padEnd(28) +
          `${median(at).toFixed(0)}   p50 ${median(`${at} p50`).toFixed(1)} ms   p99 ${median(`${at} p99`).toFixed(1)} ms`,
      )
    }
    say(
      `  webhooks : pushes ${(median(`webhooks ${clients}`) / median(`pushes ${clients}`)).toFixed(2)}   ` +
        `p99 ${(median(`webhooks ${clients} p99`) / median(`pushes ${clients} p99`)).toFixed(2)} of a push's`,
    )
    sayInShort(
      `1 KiB webhooks a second of ${clients} clients : pushes`,
      median(`webhooks ${clients}`) / median(`pushes ${clients}`),
      { atLeast: 0.8 },
    )
  }
} finally {
  if (service !== undefined) await stop(service)
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
}
