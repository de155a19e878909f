import type { Service } from '../../testing/process/start-service.ts'
import type { Shop } from '../../testing/process/shop.ts'
import { openShop } from '../../testing/process/shop.ts'
import { quantile } from '../deployment/calls.ts'
import { startDatabase, type TrialDatabase } from '../deployment/database.ts'
import { addAccount, startProcess } from '../deployment/deployment.ts'
import {
  checkLedgers,
  ledgerInvariants,
  memoryBounded,
  processLives,
  watchMemory,
} from '../deployment/invariants.ts'
import { createLedger, type Ledger, ledgerSource } from '../deployment/ledger.ts'
import { createNeighbour, neighbourInvariants } from './neighbour.ts'
import { createNoises, type Noise, answeredHonestly, answeredInTime } from './noises.ts'
import type { TrialContext, Trial } from '../trial.ts'

const readable = "a neighbour's small delivery is readable within 3 s"
const rebuilt = "a neighbour's rebuild is done within 15 s"
const diskBounded = 'the database grows by at most 32 times the accepted bytes and 8 MiB'

/** Tests share their cores with others. */
const readableMsMax = { short: 6_000, long: 3_000 }
const rebuiltMsMax = 15_000
/** Per byte of content, as in `docs/limits.md`; labels are stored twice, the second time as the sort key of samples. */
const growthMax = 32
const growthBytesFree = 8 * 1_048_576
/** Each has a bucket of 20 that gains one a second; together they allow the 40 calls a second that the p99 needs. */
const neighbourConnections = 50
/** For the one owner who creates and signs all these connections. */
const quickScene = { NUMERA_WRITE_RATE_BURST: '400' }
/** Short enough for thousands of calls: the p99 of a few hundred is only their slowest two or three. */
const neighbourPauseMs = 20
const deliverEveryMs = 500
/** For parsing a burst. */
const backlogMsMax = 10 * 60_000
const companyBacklog = 'select from backlog where company_id = $1::uuid limit 1'

const databaseBytes = async (database: TrialDatabase): Promise<number> => {
  const [row] = await database.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  return Number(row!.bytes)
}

/** Polls until the query finds no rows. @returns the time that took, or a little more than `msMax` */
const waitUntilNone = async (
  context: TrialContext,
  database: TrialDatabase,
  msMax: number,
  statement: string,
  params: unknown[],
): Promise<number> => {
  const startedMs = performance.now()
  for (;;) {
    const rows = await database.query(statement, params)
    const ms = performance.now() - startedMs
    if (rows.length === 0 || ms > msMax) return ms
    await context.sleep(50)
  }
}

interface Quiet {
  ledger: Ledger
  shop: Shop
  service: Service
  database: TrialDatabase
}

/** Pushes deliveries at intervals and measures the time until each is readable; then requests a rebuild. */
const watchReading = async (
  context: TrialContext,
  { ledger, shop, database }: Quiet,
  name: string,
  send: (rows: number) => Promise<string | undefined>,
  isOver: () => boolean,
): Promise<void> => {
  const times: number[] = []
  const msMax = context.short ? readableMsMax.short : readableMsMax.long
  do {
    const artifact = await send(3)
    if (artifact !== undefined) {
      const ms = await waitUntilNone(
        context,
        database,
        2 * msMax,
        'select from backlog where artifact_id = $1::uuid',
        [artifact],
      )
      times.push(ms)
      context.check(readable, ms <= msMax, `${name}: not after ${Math.round(ms)} ms`)
    }
    await context.sleep(deliverEveryMs)
  } while (!isOver())
  context.measure(`readable after, ms, at most: ${name}`, Math.round(quantile(times, 1)))

  const { sourceId } = ledger.accounts.push!
  const requested = await shop.browser.post(`${shop.pages}/sources/${sourceId}/rebuilds`)
  const ms = await waitUntilNone(
    context,
    database,
    rebuiltMsMax,
    "select from projections where source_id = $1::uuid and state = 'building'",
    [sourceId],
  )
  context.check(
    rebuilt,
    requested.status < 300 && ms <= rebuiltMsMax,
    `${name}: ${requested.status}, not after ${Math.round(ms)} ms`,
  )
}

export const noisyNeighbours: Trial = {
  name: 'noisy-neighbours',
  about: 'One company causes the worst load that the usual rates allow, while another one works.',
  minutes: 20,
  invariants: [
    ...neighbourInvariants,
    readable,
    rebuilt,
    diskBounded,
    answeredHonestly,
    answeredInTime,
    memoryBounded,
    processLives,
    ...ledgerInvariants,
  ],
  run: async (context) => {
    const database = context.use(await startDatabase())
    const service = await startProcess(context, { databaseUrl: database.url, environment: quickScene })
    const noisyShop = await openShop(service, { orgnr: '559999-0024' })
    const noises = await createNoises(context, noisyShop, database)
    const shop = await openShop(service)
    const push = await addAccount(shop, ledgerSource('push'))
    const credentials: string[] = []
    while (credentials.length < neighbourConnections) {
      credentials.push((await shop.connect({ source_id: push.sourceId })).credential)
    }
    const ledger = createLedger(service.url, { push }, context.random('deliveries'))
    let turn = 0
    const send = (rows: number) => {
      const entry = ledger.next({ rows })
      const authorization = `Bearer ${credentials[turn++ % credentials.length]}`
      return ledger.send(entry, { headers: { authorization } }).then((outcome) => ({ outcome, entry }))
    }
    const neighbour = createNeighbour(
      context,
      'pushes',
      { clients: 1, pauseMs: neighbourPauseMs },
      async () => {
        return (await send(3)).outcome
      },
    )
    const quietMs = await neighbour.work(context.short ? 1_500 : 30_000)
    const checkMemory = await watchMemory(context, service)
    const quiet: Quiet = { ledger, shop, service, database }

    const workThrough = async (noise: Noise): Promise<void> => {
      context.log(noise.name)
      const endMs = performance.now() + (context.short ? 1_000 : 30_000)
      const [bytesBefore, sentBefore] = [await databaseBytes(database), noises.sentBytes()]
      let isOver = false
      const noisy = noise
        .run(() => performance.now() > endMs)
        .then(() =>
          waitUntilNone(context, database, backlogMsMax, companyBacklog, [noisyShop.company.companyId]),
        )
        .finally(() => {
          isOver = true
        })
      const watched = watchReading(
        context,
        quiet,
        noise.name,
        async (rows) => (await send(rows)).entry.artifacts[0],
        () => isOver,
      )
      await neighbour.workThrough(noise.name, quietMs, Promise.all([noisy, watched]))
      const grown = (await databaseBytes(database)) - bytesBefore
      const sent = noises.sentBytes() - sentBefore
      const [grownMb, sentMb] = [grown, sent].map((bytes) => (bytes / 1_048_576).toFixed(1))
      // A rebuild sends nothing, but rewrites earlier samples, whose space is reused later.
      context.check(
        diskBounded,
        sent === 0 || grown <= growthMax * sent + growthBytesFree,
        `${noise.name}: ${grownMb} MiB written for ${sentMb} MiB sent`,
      )
      context.measure(`MiB sent, written: ${noise.name}`, `${sentMb}, ${grownMb}`)
    }
    for (let round = 0; round === 0 || (!context.short && performance.now() < context.untilMs); round++) {
      for (const noise of noises.all) await workThrough(noise)
    }
    neighbour.checkAll(quietMs)
    await checkMemory()
    await checkLedgers(context, [ledger], service, database, shop.company.orgnr)
  },
}
