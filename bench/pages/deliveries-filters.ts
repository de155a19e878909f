/**
 * How long the developer page takes to list and count a company's deliveries under each filter, with a million stored.
 *
 *   node bench/pages/deliveries-filters.ts [deliveries]
 */
import { everyDelivery, type DeliveryFilter } from '../../src/delivery-log/delivery-filter.ts'
import { listDeliveries } from '../../src/delivery-log/list-deliveries.ts'
import { readLogVersion } from '../../src/delivery-log/queries.ts'
import { sayInShort } from '../in-short.ts'
import { startDeployment } from '../samples/deployment.ts'
import { fillLog, openLoggedCompany } from './million-deliveries.ts'

const [deliveries = 1_000_000] = process.argv.slice(2).map(Number)
const print = (line: string): unknown => process.stdout.write(`${line}\n`)

await using deployment = await startDeployment()
const { pool, context } = deployment
const company = await openLoggedCompany(context)
const { companyId, sourceIds } = company
await fillLog(pool, company, deliveries)

const [webShop, , , , marketplace, quiet] = sourceIds as [string, string, string, string, string, string]
const at = (share: number): number => Date.parse('2026-01-01T00:00:00Z') + share * deliveries * 10_000
const filters: Record<string, Partial<DeliveryFilter>> = {
  'no filter': {},
  source: { sourceId: webShop },
  'a source that is hardly used': { sourceId: quiet },
  'state parsed': { state: 'parsed' },
  'state queued': { state: 'queued' },
  'state unreadable': { state: 'unreadable' },
  'rows refused': { state: 'refused' },
  'rows refused, of a source': { state: 'refused', sourceId: marketplace },
  'unreadable and test': { state: 'unreadable', sandbox: true },
  webhooks: { channel: 'webhook' },
  'webhooks of a push source (none)': { channel: 'webhook', sourceId: webShop },
  'test deliveries': { sandbox: true },
  'test, unparsed, of a source (none)': { sandbox: true, state: 'queued', sourceId: quiet },
  'the last 30 days': { fromMs: at(1) - 30 * 86_400_000 },
  'a day long ago': { fromMs: at(0.1), toMs: at(0.1) + 86_400_000 },
  'a day before all (none)': { toMs: at(0) - 86_400_000 },
  'the beginning of all keys': { search: 'order-' },
  'the beginning of a few keys': { search: 'order-batch-4711' },
  'a key': { search: 'order-batch-4711' },
  'a key that there is not': { search: 'no-such' },
  'all at once': {
    sourceId: webShop,
    state: 'refused',
    channel: 'push',
    sandbox: false,
    fromMs: at(0.2),
    toMs: at(0.8),
    search: 'order-batch-2',
  },
}

/** Pages of tables and indexes that statements have looked at so far: whatever else the machine does, the work is the same. */
const pagesLookedAt = async (): Promise<number> => {
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ pages: string }>(
    'select blks_hit + blks_read as pages from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]!.pages)
}

const times = 20
let slowest = 0
print(
  `${deliveries} deliveries of ${sourceIds.length} sources; the first page of 50 with its count, ${times} times each: ` +
    'the first (planned, and read from disk), the median, the slowest; the pages of 8 KiB that one looks at\n',
)
for (const [name, filter] of Object.entries(filters)) {
  const took: number[] = []
  let found = ''
  for (let time = 0; time < times; time++) {
    const startedMs = performance.now()
    const list = await listDeliveries(context, companyId, { ...everyDelivery, ...filter })
    took.push(performance.now() - startedMs)
    const { count } = list
    found = `${list.items.length} of ${count!.deliveries}${count!.more ? ' and more' : ''}`
  }
  const before = await pagesLookedAt()
  await listDeliveries(context, companyId, { ...everyDelivery, ...filter })
  const pages = (await pagesLookedAt()) - before
  const first = took[0]!
  took.sort((a, b) => a - b)
  slowest = Math.max(slowest, took.at(-1)!)
  const said = [first, took[times / 2]!, took.at(-1)!].map((ms) => `${ms.toFixed(1)} ms`.padStart(10))
  print(`${name.padEnd(38)}${said.join('')}${String(pages).padStart(8)}   ${found}`)
}

const startedMs = performance.now()
const looks = 200
for (let look = 0; look < looks; look++) await readLogVersion.first(pool, { companyId })
print(
  `\na look whether there is anything new      ${((performance.now() - startedMs) / looks).toFixed(2)} ms`,
)
sayInShort('any filter of a million deliveries, the slowest', Math.round(slowest), { atMost: 200 }, ' ms')
