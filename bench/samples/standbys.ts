/**
 * Reads of samples that are not cached, with a standby and without, in turns: how many there are in a second, how long
 * one takes alone, and the processor time of the primary for each.
 *
 * Primary, standby and service share one machine here. So it shows what a read on a standby costs, and how much of the
 * primary's work it takes over; not how many more reads two machines answer.
 *
 *   node bench/samples/standbys.ts [rounds] [seconds] [standbys]
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { openShards } from '../../src/app/open-shards.ts'
import { openPools } from '../../src/platform/database/pools.ts'
import { samplesVersionBasis } from '../../src/engine/samples/basis.ts'
import { renderEventsAsOf, renderSamples } from '../../src/engine/samples/queries.ts'
import { answerBytesMax } from '../../src/engine/samples/read-samples.ts'
import { migrate } from '../../src/platform/database/migrations/migrate.ts'
import { createPool } from '../../src/platform/database/pool.ts'
import { firstShard } from '../../src/platform/database/schemas.ts'
import type { ReadOnBasis } from '../../src/platform/reads/read-on-basis.ts'
import { createReads } from '../../src/platform/reads/reads.ts'
import { createTelemetry } from '../../src/platform/telemetry/telemetry.ts'
import { createTestContext } from '../../testing/in-process/test-context.ts'
import { recordTestKeys } from '../../testing/in-process/test-keys.ts'
import { type Postgres, startPostgres } from '../../testing/process/start-postgres.ts'
import { Figures, print } from '../figures.ts'
import { fillParsed, openShop, type Shop } from './deployment.ts'

const [rounds = 5, seconds = 3, standbysCount = 1] = process.argv.slice(2).map(Number)
/** As many as use all connections of a pool, of which a company gets half. */
const companies = 4
const readers = 16
const clockTicksInSecond = 100

await using stack = new AsyncDisposableStack()
const primary = stack.use(await startPostgres({ settings: { wal_keep_size: '256MB' } }))
await migrate({ url: primary.url })
await recordTestKeys(primary.url)
const pool = createPool({ url: primary.url, name: 'numera bench' })
stack.defer(() => pool.end())
const context = createTestContext(pool)
const shops: Shop[] = []
while (shops.length < companies) {
  const shop = await openShop(context)
  await fillParsed(pool, shop, 20_000, 731)
  shops.push(shop)
}
await pool.query('vacuum analyze')
const standbys: Postgres[] = []
while (standbys.length < standbysCount) standbys.push(stack.use(await primary.startStandby()))

const open = (urls: string[]) => {
  const telemetry = createTelemetry()
  const name = 'numera bench'
  const pools = stack.use(openPools({ url: primary.url, connectionsMax: 20, name }))
  const at = stack.use(openShards({ ...context, telemetry }, pools, { name, urls })).get(firstShard)
  return { at, telemetry, read: createReads(telemetry).onBasis(at) }
}
const plain = open([])
const withStandbys = open(standbys.map(({ url }) => url))
while (!withStandbys.at.listStandbys().every((standby) => standby.getPool())) await sleep(50)

async function readOne(read: ReadOnBasis, { companyId, sourceId }: Shop, isAsOf: boolean): Promise<void> {
  const source = { companyId, sourceId, projectionId: 1 }
  const params = {
    ...source,
    sandbox: false,
    from: '2025-06-01',
    to: '2027-06-02',
    metric: null,
    labels: null,
    startCell: null,
    samplesMax: 5_000,
    bytesMax: answerBytesMax,
  }
  await read({ companyId, basis: samplesVersionBasis({ ...source, samplesVersion: '0' }) }, (on) =>
    isAsOf
      ? renderEventsAsOf.first(on, {
          ...params,
          asOf: '2026-01-03T00:00:00Z',
          aggregations: '{"revenue":"sum"}',
        })
      : renderSamples.first(on, params),
  )
}

/** Processor time of a server and its connections, in milliseconds. */
async function processorMs(server: Postgres): Promise<number> {
  let ticks = 0
  for (const pid of await server.processes()) {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  }
  return (ticks * 1_000) / clockTicksInSecond
}

interface Measured {
  perSecond: number
  /** Of the primary, for a read. */
  primaryMs: number
}

async function measure(read: ReadOnBasis, isAsOf: boolean, count: number): Promise<Measured> {
  let reads = 0
  const [beganMs, usedMs] = [performance.now(), await processorMs(primary)]
  const untilMs = beganMs + seconds * 1_000
  const run = async (reader: number): Promise<void> => {
    for (; performance.now() < untilMs; reads++) await readOne(read, shops[reader % companies]!, isAsOf)
  }
  await Promise.all(Array.from({ length: count }, (_, reader) => run(reader)))
  const tookMs = performance.now() - beganMs
  return { perSecond: (reads * 1_000) / tookMs, primaryMs: ((await processorMs(primary)) - usedMs) / reads }
}

for (const [name, isAsOf] of [
  ['731 days', false],
  ['731 days, as of an earlier instant', true],
] as const) {
  for (const count of [1, readers]) {
    const figures = new Figures()
    // Opens the connections.
    for (const { read } of [plain, withStandbys]) await measure(read, isAsOf, count)
    for (let round = 0; round < rounds; round++) {
      const alone = await measure(plain.read, isAsOf, count)
      const shared = await measure(withStandbys.read, isAsOf, count)
      figures.add('alone', alone.perSecond)
      figures.add('shared', shared.perSecond)
      figures.add('ratio', shared.perSecond / alone.perSecond)
      figures.add('alone ms', alone.primaryMs)
      figures.add('shared ms', shared.primaryMs)
    }
    const show = (figure: string, digits: number): string => figures.median(figure).toFixed(digits)
    print(
      `${name}, ${count} at a time: ${show('alone', 0)}/s by the primary, ${show('shared', 0)}/s with ${standbysCount} ` +
        `standby, ratio ${show('ratio', 2)}; processor of the primary ${show('alone ms', 2)} and ${show('shared ms', 2)} ms a read`,
    )
  }
}
const { values } = await withStandbys.telemetry.standbyReads.get()
print(values.map(({ labels, value }) => `${labels.outcome}: ${value}`).join(', '))
