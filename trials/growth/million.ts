import { setTimeout as sleep } from 'node:timers/promises'
import { openShop } from '../../testing/process/shop.ts'
import { migrate } from '../../testing/process/run-operator-command.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { describe, type Outcome } from '../deployment/calls.ts'
import { startDatabase, type TrialDatabase } from '../deployment/database.ts'
import { openRates, startProcess } from '../deployment/deployment.ts'
import { ledgerSource } from '../deployment/ledger.ts'
import { memoryBounded, processLives, watchMemory } from '../deployment/invariants.ts'
import type { Trial, TrialContext } from '../trial.ts'
import { checkHour, hourInvariants } from './check-hour.ts'
import { type Extent, fillDirectory, sourcesEach } from './directory.ts'
import { type Hour, playHour, send, type Sent, toQuantiles } from './hour.ts'
import { measureCold } from './measure-cold.ts'
import { measureRest } from './measure-rest.ts'
import { averagePerSecond, peakPerSecond } from './monday.ts'
import {
  countConnections,
  observedSettings,
  readBacklog,
  readSizes,
  type SchemaSize,
} from './observe-database.ts'

const longExtent: Extent = { companies: 1_000_000, shards: 64 }
const shortExtent: Extent = { companies: 3_000, shards: 4 }
const pattern = 'Pattern'
/** Of the hour; in the long form at least this long, however long the fill takes. Milliseconds. */
const hourMsShort = 6_000
const hourMsMin = 120_000
/** Of the trial's time for what comes after the hour. Milliseconds. */
const endMs = 60_000
const sampleEveryMs = 2_000
/** For the backlog of the hour. */
const drainMsMax = 120_000
const retriesMax = 100
const mebibyte = 1_048_576

const answered = 'every call is answered with 202, or with 503 or 429 and Retry-After'
const acceptedLater = 'a delivery without a 202 is accepted later with the same key'
const drained = 'the backlog drains within two minutes of the hour'
const enoughConnections = 'the database has connections left for every process'

/** A database of a server's size, as an operator would set it, with the connections that it has by default. */
const settings = {
  ...observedSettings,
  shared_buffers: '1GB',
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  random_page_cost: 1.1,
}

async function timed(context: TrialContext, what: string, work: () => Promise<unknown>): Promise<void> {
  const startedMs = performance.now()
  await work()
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(2)
  context.measure(`${what}, s`, seconds)
  context.log(`${what}: ${seconds} s`)
}

function measureSizes(
  context: TrialContext,
  when: string,
  sizes: readonly SchemaSize[],
  companies: number,
): void {
  for (const { kind, tableBytes, indexBytes, tables } of sizes) {
    const mebibytes = `${Math.round(tableBytes / mebibyte)} + ${Math.round(indexBytes / mebibyte)}`
    const each = Math.round((tableBytes + indexBytes) / companies)
    context.measure(
      `${kind}, ${when}: MiB of ${tables} tables and their indexes, bytes a company`,
      `${mebibytes}, ${each}`,
    )
  }
}

/** Starts a deployment of that many shards, whose first company has a source as a pattern for all others. */
async function openDeployment(
  context: TrialContext,
  database: TrialDatabase,
  { shards }: Extent,
): Promise<Service> {
  const service = await startProcess(context, { databaseUrl: database.url, environment: openRates })
  const shop = await openShop(service)
  const { status, text } = await shop.browser.post(`${shop.pages}/sources`, ledgerSource('push', pattern))
  if (status !== 201) throw new Error(`no source was created: ${status} ${text}`)
  await timed(context, `adding ${shards - 1} shards`, () =>
    service.command('shards add', { count: String(shards - 1) }),
  )
  await service.stop()
  return service
}

/** Its own cache is empty then; that of the operating system is not. */
async function restart(context: TrialContext, database: TrialDatabase): Promise<void> {
  await database.query('checkpoint')
  await database.signal('SIGKILL')
  while (!database.hasEnded()) await context.sleep(20)
  await database.start()
}

function sum(counts: ReadonlyMap<string, number>): number {
  return counts.values().reduce((total, each) => total + each, 0)
}

/** What is observed while the hour is played. */
function watchDatabase(context: TrialContext, database: TrialDatabase, shards: number) {
  let connections = new Map<string, number>()
  let [backlogMax, ageMax] = [0, 0]
  const stopping = new AbortController()
  const observe = async (): Promise<void> => {
    const counted = await countConnections(database)
    if (sum(counted) > sum(connections)) connections = counted
    const { deliveries, ageSeconds } = await readBacklog(database, shards)
    backlogMax = Math.max(backlogMax, deliveries)
    ageMax = Math.max(ageMax, ageSeconds)
  }
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      await observe().catch((error: unknown) => context.log(`not observed: ${String(error)}`))
      await sleep(sampleEveryMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  })()
  return async (): Promise<void> => {
    stopping.abort()
    await watching
    const each = Array.from(connections, ([purpose, count]) => `${purpose} ${count}`).join(', ')
    context.measure('connections of a process at most', `${sum(connections)}: ${each}`)
    context.measure(
      'backlog at most: deliveries, age of the oldest in s',
      `${backlogMax}, ${ageMax.toFixed(1)}`,
    )
  }
}

function measureHour(context: TrialContext, hour: Hour, refused: number): void {
  const { sent, due, seconds, waitedMs, calledMs } = hour
  context.measure(
    'the hour: s, deliveries due, share of them offered',
    `${Math.round(seconds)}, ${due}, ${((100 * sent.length) / due).toFixed(1)} %`,
  )
  context.measure(
    'deliveries a second: on average, at the peak as planned, answered at most',
    `${averagePerSecond}, ${Math.round(peakPerSecond)}, ${hour.answersPerSecondMax}`,
  )
  context.measure(
    'median and p99 of accepting, ms: the call, since it was due',
    `${toQuantiles(calledMs)}; ${toQuantiles(waitedMs)}`,
  )
  context.measure('sources that sent', new Set(sent.map(({ source }) => source)).size)
  context.measure('answered with 503 or 429', refused)
}

async function retryUnanswered(context: TrialContext, url: string, sent: readonly Sent[]): Promise<void> {
  for (const delivery of sent.filter(({ artifacts }) => artifacts.length === 0)) {
    for (let retry = 0; delivery.artifacts.length === 0 && retry < retriesMax; retry++) {
      if (retry > 0) await context.sleep(100)
      await send(url, delivery)
    }
    context.check(acceptedLater, delivery.artifacts.length > 0, delivery.key)
  }
  context.check(acceptedLater, true, '')
}

async function drain(context: TrialContext, database: TrialDatabase, shards: number): Promise<void> {
  const startedMs = performance.now()
  for (;;) {
    const { deliveries } = await readBacklog(database, shards)
    if (deliveries === 0) break
    if (performance.now() - startedMs > drainMsMax)
      return context.check(drained, false, `${deliveries} deliveries are not parsed`)
    await context.sleep(250)
  }
  context.check(drained, true, '')
  context.measure(
    'backlog drained after the hour within, s',
    ((performance.now() - startedMs) / 1_000).toFixed(1),
  )
}

/** What the deliveries of the hour have added to the shards. */
function measureGrowth(
  context: TrialContext,
  before: readonly SchemaSize[],
  after: readonly SchemaSize[],
  sent: readonly Sent[],
): void {
  const [shardsBefore, shardsAfter] = [before, after].map((sizes) =>
    sizes.find(({ kind }) => kind === 'shards'),
  )
  const added = (part: 'tableBytes' | 'indexBytes'): number =>
    Math.round((shardsAfter![part] - shardsBefore![part]) / sent.length)
  const body = Math.round(sent.reduce((sum, delivery) => sum + delivery.body.length, 0) / sent.length)
  context.measure(
    'bytes of a delivery: as sent, in tables, in indexes',
    `${body}, ${added('tableBytes')}, ${added('indexBytes')}`,
  )
}

export const million: Trial = {
  name: 'million',
  about:
    'A million companies with three sources each in 64 shards: what is done at rest, the first call of a company, and an hour of a Monday in some minutes.',
  minutes: 13,
  invariants: [
    answered,
    acceptedLater,
    drained,
    enoughConnections,
    ...hourInvariants,
    processLives,
    memoryBounded,
  ],
  run: async (context) => {
    const extent = context.short ? shortExtent : longExtent
    const { companies, shards } = extent
    const database = context.use(await startDatabase({ settings }))
    const service = await openDeployment(context, database, extent)
    await timed(context, `filling ${companies} companies`, () =>
      fillDirectory(database, extent, pattern, context.log),
    )
    const before = await readSizes(database)
    measureSizes(context, 'before', before, companies)
    await timed(context, `migrating ${shards} shards that are up to date`, () => migrate(service.environment))
    await timed(context, 'restarting the database', () => restart(context, database))
    await timed(context, `starting the process with ${shards} shards`, () => service.start())
    const cold = await measureCold(context, service.url, companies * sourcesEach)
    await timed(context, 'shards list', () => service.command('shards list'))
    const checkMemory = await watchMemory(context, service)
    await measureRest(context, service, database)

    const stopWatching = watchDatabase(context, database, shards)
    let refused = 0
    const onAnswer = (delivery: Sent, outcome: Outcome): void => {
      const { status, headers } = outcome
      const isHonest = (status === 503 || status === 429) && /^[1-9]\d*$/.test(headers['retry-after'] ?? '')
      if (isHonest) refused++
      context.check(answered, status === 202 || isHonest, `${delivery.key}: ${describe(outcome)}`)
    }
    const hour = await playHour({
      url: service.url,
      sources: companies * sourcesEach,
      ms: context.short ? hourMsShort : Math.max(hourMsMin, context.untilMs - performance.now() - endMs),
      random: context.random('monday'),
      onAnswer,
    })
    measureHour(context, hour, refused)
    await drain(context, database, shards)
    await stopWatching()
    await checkMemory()
    const sent = [...cold, ...hour.sent]
    await retryUnanswered(context, service.url, sent)
    await drain(context, database, shards)
    await checkHour(context, { url: service.url, database, shards, sent })
    const isRefusing = /too many clients|connection slots/.test(service.output())
    context.check(enoughConnections, !isRefusing, 'the log says that the database has no connection left')
    measureGrowth(context, before, await readSizes(database), sent)
  },
}
