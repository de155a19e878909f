import type { Service } from '../acceptance/service.ts'
import type { Shop } from '../acceptance/shop.ts'
import { openShop } from '../acceptance/shop.ts'
import { quantile } from './calls.ts'
import { startDatabase, type TrialDatabase } from './database.ts'
import { addAccount, startProcess } from './deployment.ts'
import { checkLedgers, ledgerInvariants, memoryBounded, processLives, watchMemory } from './invariants.ts'
import { createLedger, type Ledger, ledgerSource } from './ledger.ts'
import { createNeighbour, neighbourInvariants } from './neighbour.ts'
import { createNoises, type Noise, toldHonestly, toldInTime } from './noises.ts'
import type { Course, Trial } from './trial.ts'

const readable = "a neighbour's small delivery is readable within 3 s"
const rebuilt = "a neighbour's rebuild is done within 15 s"
const diskBounded = 'what is written is at most 32 times what came in, and 8 MiB'

/** Beside other tests on the same cores it is given longer. */
const readableMsMax = { short: 6_000, long: 3_000 }
const rebuiltMsMax = 15_000
/** What `docs/limits.md` says of each byte of content; labels are stored twice, the second time as what samples sort by. */
const growthMax = 32
const growthBytesFree = 8 * 1_048_576
/** Each has a bucket of 20 that gains one a second: enough for the 40 calls a second of which a p99 is taken. */
const neighbourConnections = 50
/** One owner makes and signs all of them in a moment, which is not what is tried. */
const quickScene = { NUMERA_WRITE_RATE_BURST: '400' }
/** Between two calls of the neighbour. A p99 of a few hundred calls would be the slowest two or three of them. */
const neighbourPauseMs = 20
const everyMs = 500
/** Until all that was sent at once is parsed. */
const backlogMsMax = 10 * 60_000
const backlogOf = 'select from backlog where company_id = $1::uuid limit 1'

const databaseBytes = async (database: TrialDatabase): Promise<number> => {
  const [row] = await database.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  return Number(row!.bytes)
}

/** Waits until a query finds nothing; how long that took, at most `msMax`. */
const untilNone = async (
  course: Course,
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
    await course.sleep(50)
  }
}

interface Quiet {
  ledger: Ledger
  shop: Shop
  service: Service
  database: TrialDatabase
}

/** Delivers now and then, and looks when it can be read; asks once for a rebuild. */
const watchReading = async (
  course: Course,
  { ledger, shop, database }: Quiet,
  name: string,
  send: (rows: number) => Promise<string | undefined>,
  isOver: () => boolean,
): Promise<void> => {
  const times: number[] = []
  const msMax = course.short ? readableMsMax.short : readableMsMax.long
  do {
    const artifact = await send(3)
    if (artifact !== undefined) {
      const ms = await untilNone(
        course,
        database,
        2 * msMax,
        'select from backlog where artifact_id = $1::uuid',
        [artifact],
      )
      times.push(ms)
      course.check(readable, ms <= msMax, `${name}: it is not after ${Math.round(ms)} ms`)
    }
    await course.sleep(everyMs)
  } while (!isOver())
  course.figure(`readable after, ms, at most: ${name}`, Math.round(quantile(times, 1)))

  const { sourceId } = ledger.accounts.push!
  const asked = await shop.browser.post(`${shop.pages}/sources/${sourceId}/refold`)
  const ms = await untilNone(
    course,
    database,
    rebuiltMsMax,
    "select from projections where source_id = $1::uuid and state = 'building'",
    [sourceId],
  )
  course.check(
    rebuilt,
    asked.status < 300 && ms <= rebuiltMsMax,
    `${name}: ${asked.status}, not after ${Math.round(ms)} ms`,
  )
}

export const noisyNeighbours: Trial = {
  name: 'noisy-neighbours',
  about: 'One company does the worst that the usual rates allow, beside another.',
  minutes: 20,
  invariants: [
    ...neighbourInvariants,
    readable,
    rebuilt,
    diskBounded,
    toldHonestly,
    toldInTime,
    memoryBounded,
    processLives,
    ...ledgerInvariants,
  ],
  run: async (course) => {
    const database = course.use(await startDatabase())
    const service = await startProcess(course, { databaseUrl: database.url, environment: quickScene })
    const noisyShop = await openShop(service, { orgnr: '559999-0024' })
    const noises = await createNoises(course, noisyShop, database)
    const shop = await openShop(service)
    const push = await addAccount(shop, ledgerSource('push'))
    const credentials: string[] = []
    while (credentials.length < neighbourConnections) {
      credentials.push((await shop.connect({ source_id: push.sourceId })).credential)
    }
    const ledger = createLedger(service.url, { push }, course.random('deliveries'))
    let turn = 0
    const send = (rows: number) => {
      const entry = ledger.next({ rows })
      const authorization = `Bearer ${credentials[turn++ % credentials.length]}`
      return ledger.send(entry, { headers: { authorization } }).then((outcome) => ({ outcome, entry }))
    }
    const neighbour = createNeighbour(
      course,
      'pushes',
      { clients: 1, pauseMs: neighbourPauseMs },
      async () => {
        return (await send(3)).outcome
      },
    )
    const quietMs = await neighbour.work(course.short ? 1_500 : 30_000)
    const checkMemory = await watchMemory(course, service)
    const quiet: Quiet = { ledger, shop, service, database }

    const endure = async (noise: Noise): Promise<void> => {
      course.say(noise.name)
      const endMs = performance.now() + (course.short ? 1_000 : 30_000)
      const [bytesBefore, sentBefore] = [await databaseBytes(database), noises.sentBytes()]
      let isOver = false
      const noisy = noise
        .make(() => performance.now() > endMs)
        .then(() => untilNone(course, database, backlogMsMax, backlogOf, [noisyShop.company.companyId]))
        .finally(() => {
          isOver = true
        })
      const watched = watchReading(
        course,
        quiet,
        noise.name,
        async (rows) => (await send(rows)).entry.artifacts[0],
        () => isOver,
      )
      await neighbour.workThrough(noise.name, quietMs, Promise.all([noisy, watched]))
      const grown = (await databaseBytes(database)) - bytesBefore
      const sent = noises.sentBytes() - sentBefore
      const [grownMb, sentMb] = [grown, sent].map((bytes) => (bytes / 1_048_576).toFixed(1))
      // What sends nothing writes anew what was sent before, and takes the place of that later.
      course.check(
        diskBounded,
        sent === 0 || grown <= growthMax * sent + growthBytesFree,
        `${noise.name}: ${grownMb} MiB are written of ${sentMb} MiB`,
      )
      course.figure(`MiB sent, written: ${noise.name}`, `${sentMb}, ${grownMb}`)
    }
    for (let round = 0; round === 0 || (!course.short && performance.now() < course.untilMs); round++) {
      for (const noise of noises.all) await endure(noise)
    }
    await checkMemory()
    await checkLedgers(course, [ledger], service, database, shop.company.orgnr)
  },
}
