import { authorization, refresh, registerApp, exchange } from '../../testing/process/oauth-app.ts'
import { requestToken, call } from '../../testing/process/call.ts'
import { allowApp } from '../../testing/process/consent.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { owner } from '../../testing/process/shop.ts'
import { isHonest503, callRepeatedly, type Outcome, describe } from '../deployment/calls.ts'
import { startDatabase, type TrialDatabase } from '../deployment/database.ts'
import { addAccount, openRates, openScene, type Scene, startProcess } from '../deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../deployment/invariants.ts'
import { createLedger, type Ledger, ledgerSource } from '../deployment/ledger.ts'
import type { TrialContext, Trial } from '../trial.ts'
import { createWallClock, type WallClock } from './wall-clock.ts'

const nothingDeleted = 'a wrong clock deletes nothing'
const stillWork = 'credentials work again once the clock is right'
const notReady = 'a process whose clock is 401 days off is not ready'
const boundedWait = 'no 429 asks for a longer wait than the 20 s that its bucket takes to fill'
const honestWait = 'after the wait of a 429 the call succeeds'
const shared = 'two processes with clocks 21 s apart share a bucket without exhausting it'
const explained = 'while the clock jumps, calls succeed or are refused with an honest wait'

const daySeconds = 86_400
const hourSeconds = 3_600
/** The expiry sweep runs once a minute, so only the long form is ahead during one. */
const aheadMs = { short: 2_000, long: 130_000 }
const readyMsMax = 15_000
const bucketSeconds = 20

/** Tables from which the expiry sweep deletes, and tables from which nothing may. */
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

/** A process of the service and its clock. */
interface Clocked {
  service: Service
  wall: WallClock
}

interface Credentials {
  /** Those that do not work any more. */
  findRefused(): Promise<string[]>
}

/** Issues an app's tokens, an unused code, a service connection's token, and a signing secret that ends. */
const issueCredentials = async (service: Service, scene: Scene): Promise<Credentials> => {
  const { url } = service
  const { shop, accounts } = scene
  const other = await addAccount(shop, ledgerSource('push', 'Other'))
  const app = await registerApp(url, 'http://localhost:9/callback')
  const request = authorization(url, app)
  const code = (await allowApp(url, request.url, owner)).searchParams.get('code')!
  const { body: tokens } = await exchange(url, app, code, request.codeVerifier)
  const unused = authorization(url, app)
  await allowApp(url, unused.url, owner)
  const client = await shop.connect({ source_id: other.sourceId, credential_kind: 'client' })
  const { body: token } = await requestToken(url, client.clientId, client.secret)
  const rotated = await shop.browser.post(
    `${shop.pages}/sources/${accounts.webhook.sourceId}/rotate-signing-secret`,
  )
  accounts.webhook.signingSecret = rotated.body.signing_secret ?? accounts.webhook.signingSecret
  const query = new URLSearchParams({ orgnr: shop.company.orgnr, source_id: other.sourceId })
  const findRefused = async (): Promise<string[]> => {
    const answers = {
      "an app's access token": await call(`${url}/v1/samples?${query}`, { credential: tokens.access_token }),
      "a connection's token": await call(`${url}/v1/samples`, { credential: token.access_token }),
      'a static credential': await call(`${url}/v1/samples`, { credential: other.credential }),
      'a session': await shop.browser.get(shop.pages),
    }
    return Object.entries(answers)
      .filter(([, { status }]) => status !== 200)
      .map(([what, { status, text }]) => `${what}: ${status} ${text}`)
  }
  const first = await findRefused()
  if (first.length > 0) throw new Error(first.join())
  return {
    findRefused: async () => {
      const refused = await findRefused()
      const { status, text } = await refresh(url, app, tokens.refresh_token)
      return status === 200 ? refused : [...refused, `a refresh token: ${status} ${text}`]
    },
  }
}

const checkFarAhead = async (
  context: TrialContext,
  { service, wall }: Clocked,
  database: TrialDatabase,
  credentials: Credentials,
): Promise<void> => {
  const before = await countRows(database)
  const seconds = 401 * daySeconds
  await wall.move(seconds)
  context.inject('401 days ahead')
  let isUnready = false
  const startedMs = performance.now()
  const lastsMs = context.short ? aheadMs.short : aheadMs.long
  while (
    performance.now() < startedMs + lastsMs ||
    (!isUnready && performance.now() < startedMs + readyMsMax)
  ) {
    const { status } = await call(`${service.url}/health/ready`)
    isUnready ||= status === 503
    if (performance.now() > startedMs + readyMsMax) await context.sleep(1_000)
    else await context.sleep(200)
  }
  context.check(notReady, isUnready, 'it stays ready')
  await wall.move(-seconds)
  const after = await countRows(database)
  for (const [table, count] of before) {
    const left = after.get(table)!
    context.check(nothingDeleted, left >= count, `${count - left} of ${count} rows of ${table} were deleted`)
  }
  const refused = await credentials.findRefused()
  context.check(stillWork, refused.length === 0, refused.join('; '))
}

const getWaitSeconds = ({ headers }: Outcome): number => Number(headers['retry-after'] ?? Infinity)

const checkHourBack = async (
  context: TrialContext,
  { service, wall }: Clocked,
  ledger: Ledger,
): Promise<void> => {
  const { url } = service
  for (let count = 0; count < 15; count++) await ledger.send(ledger.next({ rows: 1 }), { url })
  for (const seconds of [-hourSeconds, hourSeconds]) {
    await wall.move(seconds)
    context.inject(seconds < 0 ? 'an hour back' : 'an hour forward')
    // More than the bucket allows, so that one is refused.
    let entry = ledger.next({ rows: 1 })
    let outcome = await ledger.send(entry, { url })
    for (let count = 0; count < 60 && outcome.status !== 429; count++) {
      entry = ledger.next({ rows: 1 })
      outcome = await ledger.send(entry, { url })
    }
    context.check(
      boundedWait,
      outcome.status === 429 && getWaitSeconds(outcome) <= bucketSeconds,
      describe(outcome),
    )
    await context.sleep(1_000 * Math.min(getWaitSeconds(outcome), bucketSeconds))
    const later = await ledger.send(entry, { url })
    context.check(honestWait, later.status === 202, describe(later))
  }
}

const checkShared = async (
  context: TrialContext,
  processes: [Clocked, Clocked],
  ledger: Ledger,
): Promise<void> => {
  await processes[1].wall.move(21)
  context.inject('21 s apart')
  // Fewer than the bucket allows, alternating between the processes.
  for (let count = 0; count < 16; count++) {
    const { url } = processes[count % 2]!.service
    const outcome = await ledger.send(ledger.next({ rows: 1 }), { url })
    context.check(
      shared,
      outcome.status === 202,
      `push ${count} by process ${count % 2}: ${describe(outcome)}`,
    )
  }
  await processes[1].wall.move(-21)
}

const checkJumps = async (context: TrialContext, { wall }: Clocked, ledger: Ledger): Promise<void> => {
  const random = context.random('jumps')
  const pushing = context.use(
    callRepeatedly(4, 5, async () => {
      const outcome = await ledger.send(ledger.next())
      const isWait = outcome.status === 429 && getWaitSeconds(outcome) <= bucketSeconds
      context.check(explained, outcome.status === 202 || isHonest503(outcome) || isWait, describe(outcome))
    }),
  )
  let shift = 0
  for (let jump = 0; context.short ? jump < 12 : performance.now() < context.untilMs || jump < 100; jump++) {
    const seconds = random.integer(-hourSeconds, hourSeconds)
    await wall.move(seconds)
    context.inject('jump while pushing')
    shift += seconds
    await context.sleep(context.short ? 150 : 500)
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
    stillWork,
    notReady,
    boundedWait,
    honestWait,
    shared,
    explained,
    ...ledgerInvariants,
  ],
  run: async (context) => {
    const database = context.use(await startDatabase())
    const start = async (environment: NodeJS.ProcessEnv, ...words: string[]): Promise<Clocked> => {
      const wall = await createWallClock(context)
      const service = await startProcess(context, {
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
      context.random('deliveries'),
    )
    const apart = async (name: string): Promise<Ledger> => {
      const push = await addAccount(scene.shop, ledgerSource('push', name))
      return createLedger(service.url, { push }, context.random(name), name)
    }
    const [hour, between] = [await apart('hour'), await apart('between')]

    const credentials = await issueCredentials(service, scene)
    await checkShared(context, [first, second], between)
    await checkHourBack(context, first, hour)
    await checkJumps(context, jumping, ledger)
    await checkFarAhead(context, first, database, credentials)
    await checkLedgers(context, [between, hour, ledger], second.service, database)
  },
}
