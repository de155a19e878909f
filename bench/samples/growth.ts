/**
 * The cost of a delivery after a hundred thousand, a million and, if named, ten million others of its source, and so of its
 * shard: accepting it (64 concurrent, without HTTP), parsing it into samples, and reading the samples, a trace and the
 * developer page's lists.
 *
 *   node bench/samples/growth.ts [sizes…]
 *
 * A second shard keeps the first size. Both take turns in each round, so that other load on the machine affects both. What is
 * compared is the processor time of the database.
 * `100000 1000000 10000000` takes half an hour and 25 GB.
 */
import { cellId } from '../../src/engine/parsing/project/cell-id.ts'
import { processorTimeUs } from '../../testing/process/processor-time.ts'
import { print, printTarget, timed } from '../figures.ts'
import { startDeployment } from './deployment.ts'
import { cellDay, openOneSource, type OneSource } from './one-source.ts'

const given = process.argv.slice(2).map(Number)
const [firstSize = 100_000, ...furtherSizes] = given.length > 0 ? given : [100_000, 1_000_000]
const rounds = 7
/** Of each round. */
const deliveries = 4_000
const reads = 60

await using deployment = await startDeployment()
const { pool, context, url, databasePid } = deployment
await using growing = await openOneSource(context, url)
await using small = await openOneSource(await deployment.addShard(), url)

/** Of all rounds: how often, and the time and the database's processor time that it took, in µs. */
interface Total {
  times: number
  us: number
  databaseUs: number
}

class Totals {
  readonly #byName = new Map<string, Total>()

  get(name: string): Total {
    return this.#byName.get(name) ?? { times: 0, us: 0, databaseUs: 0 }
  }

  async measure(name: string, times: number, work: () => Promise<unknown>): Promise<void> {
    const beforeUs = processorTimeUs(databasePid, { children: true })
    const us = (await timed(work)) * 1_000
    const databaseUs = processorTimeUs(databasePid, { children: true }) - beforeUs
    const sum = this.get(name)
    this.#byName.set(name, {
      times: sum.times + times,
      us: sum.us + us,
      databaseUs: sum.databaseUs + databaseUs,
    })
  }
}

async function measureRound(totals: Totals, { acceptAll, drain, reading }: OneSource): Promise<void> {
  await totals.measure('accepting', deliveries, () => acceptAll(deliveries))
  await totals.measure('parsing', deliveries, drain)
  for (const [name, read] of Object.entries(reading))
    await totals.measure(name, reads, async () => {
      for (let time = 0; time < reads; time++) await read()
    })
}

function printTotals(names: readonly string[], totals: Totals, size: number): void {
  for (const name of names) {
    const { times, us, databaseUs } = totals.get(name)
    const each = `${(us / times).toFixed(0)} µs, of the database's processors ${(databaseUs / times).toFixed(0)} µs`
    const isRate = name === 'accepting' || name === 'parsing'
    const rate = isRate ? `, ${((times * 1e6) / us).toFixed(0)} a second` : ''
    print(`  ${String(size).padEnd(9)} ${name.padEnd(32)} ${each}${rate}`)
  }
}

const names = ['accepting', 'parsing', ...Object.keys(small.reading)]
await small.fillTo(firstSize)
for (const size of furtherSizes) {
  const seconds = (await timed(() => growing.fillTo(size))) / 1_000
  await pool.query('vacuum analyze')
  const { rows } = await pool.query<{ megabytes: string }>(
    'select pg_database_size(current_database()) / 1000000 as megabytes',
  )
  print(`\nafter ${size} deliveries: ${rows[0]!.megabytes} MB, filled in ${seconds.toFixed(0)} s`)
  const [totals, totalsOfSmall] = [new Totals(), new Totals()]
  // Plans, and the pages that every later round reads.
  for (const source of [growing, small]) await measureRound(new Totals(), source)
  for (let round = 0; round < rounds; round++) {
    await measureRound(totalsOfSmall, small)
    await measureRound(totals, growing)
  }
  printTotals(names, totalsOfSmall, firstSize)
  printTotals(names, totals, size)
  for (const name of names) {
    const ratio = totals.get(name).databaseUs / totalsOfSmall.get(name).databaseUs
    printTarget(`${name} after ${size} of its source : after ${firstSize}`, ratio, { atMost: 1.2 })
  }
}

// The inserted rows must be in the cells that the worker writes to, or the measurement is void.
const cell = {
  sourceId: growing.sourceId,
  projectionId: 1,
  metric: 'revenue',
  periodStart: cellDay,
  labels: '{"country":"SE"}',
  sandbox: false,
}
const { rows } = await pool.query(
  'select count(*)::int as contributions from contributions where cell_id = $1',
  [cellId(cell)],
)
print(`\n${rows[0].contributions} deliveries behind one sample`)
