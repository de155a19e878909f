import { once } from 'node:events'
import { connect } from 'node:net'
import type { Service } from '../../testing/process/start-service.ts'
import {
  callMsMax,
  callOnce,
  isHonest503,
  callRepeatedly,
  type Outcome,
  slackMs,
  describe,
} from '../deployment/calls.ts'
import { startDatabase, type TrialDatabase } from '../deployment/database.ts'
import { createDeafProxy, type DeafProxy } from '../../testing/faults/deaf-proxy.ts'
import { hasEnded, openRates, openScene, startProcess } from '../deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../deployment/invariants.ts'
import { createLedger } from '../deployment/ledger.ts'
import type { TrialContext, Trial } from '../trial.ts'

const readyMsMax = 10_000
const stopMsMax = 40_000
const clients = 8
const latencyMs = 150

const inTime = 'no call hangs beyond its deadline of 15 s'
const explained = 'every call is answered as usual, or with 503 and Retry-After during a fault'
const unready = 'readiness fails within 10 s'
const readyAgain = 'readiness recovers within 10 s'
const stops = 'SIGTERM while the database is deaf ends the service within 40 s'

type FaultName = 'deaf connections' | 'all deaf' | 'frozen' | 'reset' | 'latency'

interface Fault {
  /** Duration; in the short form, a fault that readiness must notice ends once it has. */
  ms: [short: number, long: number]
  /** The database is unreachable for all connections. */
  isAway: boolean
  begin(): Promise<void> | void
  end(): Promise<void> | void
}

const createFaults = (proxy: DeafProxy, database: TrialDatabase): Record<FaultName, Fault> => ({
  'deaf connections': {
    ms: [1_000, 5_000],
    isAway: false,
    begin: () => proxy.goDeaf({ existingOnly: true }),
    end: () => {},
  },
  'all deaf': { ms: [10_000, 40_000], isAway: true, begin: () => proxy.goDeaf(), end: proxy.hear },
  frozen: {
    ms: [1_000, 40_000],
    isAway: true,
    begin: () => database.signal('SIGSTOP'),
    end: () => database.signal('SIGCONT'),
  },
  reset: { ms: [500, 2_000], isAway: false, begin: proxy.reset, end: () => {} },
  latency: {
    ms: [1_000, 10_000],
    isAway: false,
    begin: () => proxy.delay(latencyMs),
    end: () => proxy.delay(0),
  },
})
const everyFault: FaultName[] = ['reset', 'deaf connections', 'frozen', 'latency', 'all deaf']

/** The time until readiness answers with this status; undefined after `readyMsMax`. */
const waitUntilReady = async (
  context: TrialContext,
  service: Service,
  status: number,
): Promise<number | undefined> => {
  const startedMs = performance.now()
  for (;;) {
    const outcome = await callOnce(`${service.url}/health/ready`, { msMax: 3_000 })
    const ms = performance.now() - startedMs
    if (ms > readyMsMax) return undefined
    if (outcome.status === status) return ms
    await context.sleep(100)
  }
}

const checkStop = async (context: TrialContext, service: Service, proxy: DeafProxy): Promise<void> => {
  const ended = once(service.process(), 'exit')
  proxy.goDeaf()
  // Calls in progress wait for a database that does not answer.
  const calls = Array.from({ length: clients }, () =>
    callOnce(`${service.url}/v1/companies`, { headers: { authorization: 'Bearer nsk_unknown' } }),
  )
  await context.sleep(200)
  const startedMs = performance.now()
  service.process().kill('SIGTERM')
  context.inject('SIGTERM, all deaf')
  await Promise.race([ended, context.sleep(stopMsMax)])
  context.check(stops, hasEnded(service), `it still runs after ${stopMsMax / 1_000} s`)
  context.measure('stopped within, s', ((performance.now() - startedMs) / 1_000).toFixed(1))
  if (!hasEnded(service)) {
    service.process().kill('SIGKILL')
    await ended
  }
  proxy.hear()
  await Promise.all(calls)
}

export const deafDatabase: Trial = {
  name: 'deaf-database',
  about:
    'Connections to the database go deaf, become slow or are reset, and PostgreSQL is frozen and continues, under load.',
  minutes: 15,
  invariants: [inTime, explained, unready, readyAgain, stops, ...ledgerInvariants],
  run: async (context) => {
    const database = context.use(await startDatabase())
    const proxy = context.use(
      await createDeafProxy(() => connect({ port: database.port, host: '127.0.0.1', noDelay: true })),
    )
    const service = await startProcess(context, {
      databaseUrl: database.url.replace(`:${database.port}`, `:${proxy.port}`),
      environment: openRates,
    })
    const { accounts } = await openScene(service)
    const ledger = createLedger(service.url, accounts, context.random('deliveries'))
    const faults = createFaults(proxy, database)
    const random = context.random('faults')
    let isQuiet = true
    let longestMs = 0
    let refusals = 0

    const pending = new Set<Promise<Outcome>>()

    const timed = async (what: string, call: Promise<Outcome>): Promise<void> => {
      const wasQuiet = isQuiet
      pending.add(call)
      const outcome = await call
      pending.delete(call)
      const isUsual = outcome.status === 200 || outcome.status === 202
      const isRefusal = isHonest503(outcome) && !(wasQuiet && isQuiet)
      context.check(explained, isUsual || isRefusal, `${what}: ${describe(outcome)}`)
      context.check(inTime, outcome.ms <= callMsMax + slackMs, `${what}: ${describe(outcome)}`)
      longestMs = Math.max(longestMs, outcome.ms)
      if (isRefusal) refusals++
    }
    const headers = { authorization: `Bearer ${accounts.push.credential}` }
    const pushing = context.use(
      callRepeatedly(clients, 50, () => timed('delivery', ledger.send(ledger.next({ rows: 3 })))),
    )
    const reading = context.use(
      callRepeatedly(clients, 50, () => timed('read', callOnce(`${service.url}/v1/samples`, { headers }))),
    )
    /** Whether all pending calls are answered within their deadline. */
    const waitForAnswers = async (): Promise<boolean> => {
      const all = Promise.all(pending).then(() => true)
      return Promise.race([all, context.sleep(callMsMax + slackMs).then(() => false)])
    }

    for (let round = 0; ; round++) {
      // Each once, then at random.
      if (context.short ? round >= everyFault.length : performance.now() > context.untilMs && round >= 5)
        break
      const name = everyFault[round] ?? random.pick(everyFault)
      const { ms, isAway, begin, end } = faults[name]
      const lasts = ms[context.short ? 0 : 1]
      context.log(`${name} for ${lasts / 1_000} s`)
      context.inject(name)
      isQuiet = false
      await begin()
      const endMs = performance.now() + lasts
      if (isAway && lasts >= readyMsMax) {
        const unreadyMs = await waitUntilReady(context, service, 503)
        context.check(unready, unreadyMs !== undefined, `${name}: it stayed ready`)
        if (context.short) await context.sleep(1_000)
      }
      if (!context.short || lasts < readyMsMax) await context.sleep(Math.max(0, endMs - performance.now()))
      await end()
      const readyMs = await waitUntilReady(context, service, 200)
      context.check(readyAgain, readyMs !== undefined, `${name}: it stayed unready`)
      // A call on a permanently deaf connection may wait until its own deadline.
      context.check(inTime, await waitForAnswers(), `${name}: calls hang`)
      isQuiet = true
      await context.sleep(context.short ? 500 : 3_000)
    }
    await Promise.all([pushing.stop(), reading.stop()])
    context.measure('answered with 503', refusals)
    context.measure('longest call, s', (longestMs / 1_000).toFixed(1))
    await checkStop(context, service, proxy)
    await service.start()
    await checkLedgers(context, [ledger], service, database)
  },
}
