/**
 * The time to list and count a company's deliveries under each filter of the developer page, with a million stored.
 *
 *   node bench/pages/deliveries-filters.ts [deliveries]
 */
import { everyDelivery, type DeliveryFilter } from '../../src/console/deliveries/search/delivery-filter.ts'
import { listDeliveries } from '../../src/console/deliveries/search/list-deliveries.ts'
import { readLogState } from '../../src/console/deliveries/live/queries.ts'
import { print, printTarget } from '../figures.ts'
import { startDeployment } from '../samples/deployment.ts'
import { fillLog, openLoggedCompany } from './million-deliveries.ts'

const [deliveries = 1_000_000] = process.argv.slice(2).map(Number)

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
  'a source with few deliveries': { sourceId: quiet },
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
  'a prefix of all keys': { search: 'order-' },
  'a prefix of a few keys': { search: 'order-batch-4711' },
  'a key': { search: 'order-batch-4711' },
  'an unknown key': { search: 'no-such' },
  'all filters together': {
    sourceId: webShop,
    state: 'refused',
    channel: 'push',
    sandbox: false,
    fromMs: at(0.2),
    toMs: at(0.8),
    search: 'order-batch-2',
  },
}

/** The pages of tables and indexes that statements have read so far; unlike times, independent of the machine's load. */
const countPagesRead = async (): Promise<number> => {
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
    'the first (with planning, from disk), the median, the slowest; the pages of 8 KiB that one reads\n',
)
for (const [name, filter] of Object.entries(filters)) {
  const durationsMs: number[] = []
  let found = ''
  for (let time = 0; time < times; time++) {
    const startedMs = performance.now()
    const list = await listDeliveries(context, companyId, { ...everyDelivery, ...filter })
    durationsMs.push(performance.now() - startedMs)
    const { count } = list
    found = `${list.items.length} of ${count!.deliveries}${count!.more ? ' and more' : ''}`
  }
  const before = await countPagesRead()
  await listDeliveries(context, companyId, { ...everyDelivery, ...filter })
  const pages = (await countPagesRead()) - before
  const first = durationsMs[0]!
  durationsMs.sort((a, b) => a - b)
  slowest = Math.max(slowest, durationsMs.at(-1)!)
  const columns = [first, durationsMs[times / 2]!, durationsMs.at(-1)!].map((ms) =>
    `${ms.toFixed(1)} ms`.padStart(10),
  )
  print(`${name.padEnd(38)}${columns.join('')}${String(pages).padStart(8)}   ${found}`)
}

const startedMs = performance.now()
const polls = 200
for (let poll = 0; poll < polls; poll++) await readLogState.first(pool, { companyId })
print(
  `\na poll for changes                        ${((performance.now() - startedMs) / polls).toFixed(2)} ms`,
)
printTarget('any filter of a million deliveries, the slowest', Math.round(slowest), { atMost: 200 }, ' ms')
