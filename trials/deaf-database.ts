import { once } from 'node:events'
import type { Service } from '../acceptance/service.ts'
import { callMsMax, callOnce, isHonest503, keepCalling, type Outcome, slackMs, told } from './calls.ts'
import { startDatabase, type TrialDatabase } from './database.ts'
import { type DeafProxy, startDeafProxy } from './deaf-proxy.ts'
import { hasEnded, openRates, openScene, startProcess } from './deployment.ts'
import { checkLedgers, ledgerInvariants } from './invariants.ts'
import { createLedger } from './ledger.ts'
import type { Course, Trial } from './trial.ts'

const readyMsMax = 10_000
const stopMsMax = 40_000
const clients = 8
const latencyMs = 150

const inTime = 'no call hangs beyond its deadline of 15 s'
const explained = 'every call is answered: as usual, or with 503 and Retry-After where the fault explains it'
const honestNo = 'readiness says no within 10 s'
const honestYes = 'readiness says yes again within 10 s'
const stops = 'SIGTERM while the database is deaf ends within 40 s'

type FaultName = 'deaf connections' | 'all deaf' | 'frozen' | 'reset' | 'latency'

interface Fault {
  /** How long, in milliseconds; in the short form, one that must be told by readiness is over once it was told. */
  ms: [short: number, long: number]
  /** Whether the database can be reached by nobody while it lasts. */
  isAway: boolean
  begin(): Promise<void> | void
  end(): Promise<void> | void
}

const faultsOf = (proxy: DeafProxy, database: TrialDatabase): Record<FaultName, Fault> => ({
  'deaf connections': {
    ms: [1_000, 5_000],
    isAway: false,
    begin: () => void proxy.deafen(),
    end: () => {},
  },
  'all deaf': { ms: [10_000, 40_000], isAway: true, begin: proxy.shut, end: proxy.open },
  frozen: {
    ms: [1_000, 40_000],
    isAway: true,
    begin: () => database.signal('SIGSTOP'),
    end: () => database.signal('SIGCONT'),
  },
  reset: { ms: [500, 2_000], isAway: false, begin: () => void proxy.reset(), end: () => {} },
  latency: {
    ms: [1_000, 10_000],
    isAway: false,
    begin: () => proxy.delay(latencyMs),
    end: () => proxy.delay(0),
  },
})
const everyFault: FaultName[] = ['reset', 'deaf connections', 'frozen', 'latency', 'all deaf']

/** How long it takes until readiness says so; undefined where it does not in time. */
const untilReady = async (course: Course, service: Service, status: number): Promise<number | undefined> => {
  const startedMs = performance.now()
  for (;;) {
    const outcome = await callOnce(`${service.url}/health/ready`, { msMax: 3_000 })
    const ms = performance.now() - startedMs
    if (ms > readyMsMax) return undefined
    if (outcome.status === status) return ms
    await course.sleep(100)
  }
}

const checkStop = async (course: Course, service: Service, proxy: DeafProxy): Promise<void> => {
  const ended = once(service.process(), 'exit')
  proxy.shut()
  // Some of it is under way, and waits for a database that says nothing.
  const calls = Array.from({ length: clients }, () =>
    callOnce(`${service.url}/v1/companies`, { headers: { authorization: 'Bearer nsk_nobody' } }),
  )
  await course.sleep(200)
  const startedMs = performance.now()
  service.process().kill('SIGTERM')
  course.inject('SIGTERM, all deaf')
  await Promise.race([ended, course.sleep(stopMsMax)])
  course.check(stops, hasEnded(service), `it still runs after ${stopMsMax / 1_000} s`)
  course.figure('stopped within, s', ((performance.now() - startedMs) / 1_000).toFixed(1))
  if (!hasEnded(service)) {
    service.process().kill('SIGKILL')
    await ended
  }
  proxy.open()
  await Promise.all(calls)
}

export const deafDatabase: Trial = {
  name: 'deaf-database',
  about:
    'Connections to the database go deaf, slow, or are reset, and PostgreSQL is stopped and goes on, under load.',
  minutes: 15,
  invariants: [inTime, explained, honestNo, honestYes, stops, ...ledgerInvariants],
  run: async (course) => {
    const database = course.use(await startDatabase())
    const proxy = course.use(await startDeafProxy(database.port))
    const service = await startProcess(course, {
      databaseUrl: database.url.replace(`:${database.port}`, `:${proxy.port}`),
      environment: openRates,
    })
    const { accounts } = await openScene(service)
    const ledger = createLedger(service.url, accounts, course.random('deliveries'))
    const faults = faultsOf(proxy, database)
    const random = course.random('faults')
    let isQuiet = true
    let longestMs = 0
    let refusals = 0

    const underWay = new Set<Promise<Outcome>>()

    const timed = async (what: string, call: Promise<Outcome>): Promise<void> => {
      const begunInQuiet = isQuiet
      underWay.add(call)
      const outcome = await call
      underWay.delete(call)
      const isUsual = outcome.status === 200 || outcome.status === 202
      const isRefusal = isHonest503(outcome) && !(begunInQuiet && isQuiet)
      course.check(explained, isUsual || isRefusal, `${what}: ${told(outcome)}`)
      course.check(inTime, outcome.ms <= callMsMax + slackMs, `${what}: ${told(outcome)}`)
      longestMs = Math.max(longestMs, outcome.ms)
      if (isRefusal) refusals++
    }
    const headers = { authorization: `Bearer ${accounts.push.credential}` }
    const pushing = course.use(
      keepCalling(clients, 50, () => timed('delivery', ledger.send(ledger.next({ rows: 3 })))),
    )
    const reading = course.use(
      keepCalling(clients, 50, () => timed('read', callOnce(`${service.url}/v1/samples`, { headers }))),
    )
    /** Those that are under way now have been answered, or have had their time. */
    const untilAnswered = async (): Promise<boolean> => {
      const all = Promise.all(underWay).then(() => true)
      return Promise.race([all, course.sleep(callMsMax + slackMs).then(() => false)])
    }

    for (let round = 0; ; round++) {
      // Each once, then as drawn.
      if (course.short ? round >= everyFault.length : performance.now() > course.untilMs && round >= 5) break
      const name = everyFault[round] ?? random.pick(everyFault)
      const { ms, isAway, begin, end } = faults[name]
      const lasts = ms[course.short ? 0 : 1]
      course.say(`${name} for ${lasts / 1_000} s`)
      course.inject(name)
      isQuiet = false
      await begin()
      const overMs = performance.now() + lasts
      if (isAway && lasts >= readyMsMax) {
        const noMs = await untilReady(course, service, 503)
        course.check(honestNo, noMs !== undefined, `${name}: it did not say no`)
        if (course.short) await course.sleep(1_000)
      }
      if (!course.short || lasts < readyMsMax) await course.sleep(Math.max(0, overMs - performance.now()))
      await end()
      const yesMs = await untilReady(course, service, 200)
      course.check(honestYes, yesMs !== undefined, `${name}: it did not say yes`)
      // What waits on a connection that is deaf for good may wait until its own deadline.
      course.check(inTime, await untilAnswered(), `${name}: calls hang`)
      isQuiet = true
      await course.sleep(course.short ? 500 : 3_000)
    }
    await Promise.all([pushing.stop(), reading.stop()])
    course.figure('answered with 503', refusals)
    course.figure('longest call, s', (longestMs / 1_000).toFixed(1))
    await checkStop(course, service, proxy)
    await service.start()
    await checkLedgers(course, [ledger], service, database)
  },
}
