import { authorization, refresh, registerApp, exchange } from '../acceptance/app.ts'
import { askForToken, call } from '../acceptance/call.ts'
import { allowApp } from '../acceptance/consent.ts'
import type { Service } from '../acceptance/service.ts'
import { owner } from '../acceptance/shop.ts'
import { isHonest503, keepCalling, type Outcome, told } from './calls.ts'
import { startDatabase, type TrialDatabase } from './database.ts'
import { addAccount, openRates, openScene, type Scene, startProcess } from './deployment.ts'
import { checkLedgers, ledgerInvariants } from './invariants.ts'
import { createLedger, type Ledger, ledgerSource } from './ledger.ts'
import type { Course, Trial } from './trial.ts'
import { createWallClock, type WallClock } from './wall-clock.ts'

const nothingDeleted = 'nothing is deleted for good by a clock that is wrong'
const stillOpens = 'what opened before opens once the clock is right again'
const tellsSkew = 'a process whose clock is 401 days off is not ready'
const boundedWait = 'no 429 asks for a longer wait than its bucket takes to fill, 20 s'
const honestWait = 'after the wait that a 429 asks for the call is taken'
const shared = 'two processes whose clocks are 21 s apart share a bucket and exhaust it for neither'
const explained = 'while the clock jumps calls are taken, or refused with an honest wait'

const daySeconds = 86_400
const hourSeconds = 3_600
/** The expiry sweep comes once a minute: only the long form is ahead long enough to meet it. */
const aheadMs = { short: 2_000, long: 130_000 }
const readyMsMax = 15_000
const bucketSeconds = 20

/** What the expiry sweep may take rows from, and what nothing may. */
const tables = [
  'apps',
  'app_connections',
  'app_tokens',
  'authorization_codes',
  'app_calls',
  'tokens',
  'credentials',
  'webhook_secrets',
  'connections',
  'deliveries',
  'samples',
  'signatures',
  'members',
  'memberships',
]

const countRows = async (database: TrialDatabase): Promise<Map<string, number>> => {
  const counts = tables.map((table) => `select '${table}' as name, count(*)::int as count from ${table}`)
  const rows = await database.query<{ name: string; count: number }>(counts.join(' union all '))
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** A process of the service, and the clock that it goes by. */
interface Clocked {
  service: Service
  wall: WallClock
}

interface Holder {
  /** Whether everything that was given out still opens. */
  opens(): Promise<string[]>
}

/** An app with tokens, a code that is not used yet, a service connection's token, and a signing secret that ends. */
const giveOut = async (service: Service, scene: Scene): Promise<Holder> => {
  const { url } = service
  const { shop, accounts } = scene
  const kept = await addAccount(shop, ledgerSource('push', 'Kept'))
  const app = await registerApp(url, 'http://localhost:9/callback')
  const asked = authorization(url, app)
  const code = (await allowApp(url, asked.url, owner)).searchParams.get('code')!
  const { body: tokens } = await exchange(url, app, code, asked.codeVerifier)
  const again = authorization(url, app)
  await allowApp(url, again.url, owner)
  const client = await shop.connect({ source_id: kept.sourceId, credential_kind: 'client' })
  const { body: token } = await askForToken(url, client.clientId, client.secret)
  const rotated = await shop.browser.post(
    `${shop.pages}/sources/${accounts.webhook.sourceId}/rotate-signing-secret`,
  )
  accounts.webhook.signingSecret = rotated.body.signing_secret ?? accounts.webhook.signingSecret
  const query = new URLSearchParams({ orgnr: shop.company.orgnr, source_id: kept.sourceId })
  const opens = async (): Promise<string[]> => {
    const answers = {
      "an app's access token": await call(`${url}/v1/samples?${query}`, { credential: tokens.access_token }),
      "a connection's token": await call(`${url}/v1/samples`, { credential: token.access_token }),
      'a static credential': await call(`${url}/v1/samples`, { credential: kept.credential }),
      'a session': await shop.browser.get(shop.pages),
    }
    return Object.entries(answers)
      .filter(([, { status }]) => status !== 200)
      .map(([what, { status, text }]) => `${what}: ${status} ${text}`)
  }
  const first = await opens()
  if (first.length > 0) throw new Error(first.join())
  return {
    opens: async () => {
      const closed = await opens()
      const { status, text } = await refresh(url, app, tokens.refresh_token)
      return status === 200 ? closed : [...closed, `a refresh token: ${status} ${text}`]
    },
  }
}

const checkFarAhead = async (
  course: Course,
  { service, wall }: Clocked,
  database: TrialDatabase,
  holder: Holder,
): Promise<void> => {
  const before = await countRows(database)
  const seconds = 401 * daySeconds
  await wall.move(seconds)
  course.inject('401 days ahead')
  let saysNo = false
  const startedMs = performance.now()
  const lastsMs = course.short ? aheadMs.short : aheadMs.long
  while (performance.now() < startedMs + lastsMs || (!saysNo && performance.now() < startedMs + readyMsMax)) {
    const { status } = await call(`${service.url}/health/ready`)
    saysNo ||= status === 503
    if (performance.now() > startedMs + readyMsMax) await course.sleep(1_000)
    else await course.sleep(200)
  }
  course.check(tellsSkew, saysNo, 'it says that it is ready')
  await wall.move(-seconds)
  const after = await countRows(database)
  for (const [table, count] of before) {
    const left = after.get(table)!
    course.check(nothingDeleted, left >= count, `${count - left} of ${count} rows of ${table} are gone`)
  }
  const closed = await holder.opens()
  course.check(stillOpens, closed.length === 0, closed.join('; '))
}

const waitOf = ({ headers }: Outcome): number => Number(headers['retry-after'] ?? Infinity)

const checkHourBack = async (course: Course, { service, wall }: Clocked, ledger: Ledger): Promise<void> => {
  const { url } = service
  for (let count = 0; count < 15; count++) await ledger.send(ledger.next({ rows: 1 }), { url })
  for (const seconds of [-hourSeconds, hourSeconds]) {
    await wall.move(seconds)
    course.inject(seconds < 0 ? 'an hour back' : 'an hour on')
    // More than the bucket holds, so that one is refused.
    let entry = ledger.next({ rows: 1 })
    let outcome = await ledger.send(entry, { url })
    for (let count = 0; count < 60 && outcome.status !== 429; count++) {
      entry = ledger.next({ rows: 1 })
      outcome = await ledger.send(entry, { url })
    }
    course.check(boundedWait, outcome.status === 429 && waitOf(outcome) <= bucketSeconds, told(outcome))
    await course.sleep(1_000 * Math.min(waitOf(outcome), bucketSeconds))
    const later = await ledger.send(entry, { url })
    course.check(honestWait, later.status === 202, told(later))
  }
}

const checkShared = async (course: Course, processes: [Clocked, Clocked], ledger: Ledger): Promise<void> => {
  await processes[1].wall.move(21)
  course.inject('21 s apart')
  // Fewer than the bucket holds, by turns.
  for (let count = 0; count < 16; count++) {
    const { url } = processes[count % 2]!.service
    const outcome = await ledger.send(ledger.next({ rows: 1 }), { url })
    course.check(shared, outcome.status === 202, `push ${count} by process ${count % 2}: ${told(outcome)}`)
  }
  await processes[1].wall.move(-21)
}

const checkJumps = async (course: Course, { wall }: Clocked, ledger: Ledger): Promise<void> => {
  const random = course.random('jumps')
  const pushing = course.use(
    keepCalling(4, 5, async () => {
      const outcome = await ledger.send(ledger.next())
      const isWait = outcome.status === 429 && waitOf(outcome) <= bucketSeconds
      course.check(explained, outcome.status === 202 || isHonest503(outcome) || isWait, told(outcome))
    }),
  )
  let shift = 0
  for (let jump = 0; course.short ? jump < 12 : performance.now() < course.untilMs || jump < 100; jump++) {
    const seconds = random.integer(-hourSeconds, hourSeconds)
    await wall.move(seconds)
    course.inject('jump while pushing')
    shift += seconds
    await course.sleep(course.short ? 150 : 500)
  }
  await wall.move(-shift)
  await pushing.stop()
}

export const clocks: Trial = {
  name: 'clocks',
  about:
    'Clocks are 401 days ahead for two minutes, an hour back, 21 s apart in two processes, and jump under load.',
  minutes: 8,
  invariants: [
    nothingDeleted,
    stillOpens,
    tellsSkew,
    boundedWait,
    honestWait,
    shared,
    explained,
    ...ledgerInvariants,
  ],
  run: async (course) => {
    const database = course.use(await startDatabase())
    const start = async (environment: NodeJS.ProcessEnv, ...words: string[]): Promise<Clocked> => {
      const wall = await createWallClock(course)
      const service = await startProcess(course, {
        databaseUrl: database.url,
        words: ['serve', ...words],
        environment: { ...environment, ...wall.environment },
      })
      return { service, wall }
    }
    const first = await start({ NUMERA_WORKERS: '1' })
    const [second, jumping] = await Promise.all([start({}, '--no-worker'), start(openRates, '--no-worker')])
    const { service } = first
    const scene = await openScene(service)
    const ledger = createLedger(
      jumping.service.url,
      { push: scene.accounts.push },
      course.random('deliveries'),
    )
    const apart = async (name: string): Promise<Ledger> => {
      const push = await addAccount(scene.shop, ledgerSource('push', name))
      return createLedger(service.url, { push }, course.random(name), name)
    }
    const [hour, between] = [await apart('hour'), await apart('between')]

    const holder = await giveOut(service, scene)
    await checkShared(course, [first, second], between)
    await checkHourBack(course, first, hour)
    await checkJumps(course, jumping, ledger)
    await checkFarAhead(course, first, database, holder)
    await checkLedgers(course, [between, hour, ledger], second.service, database)
  },
}
