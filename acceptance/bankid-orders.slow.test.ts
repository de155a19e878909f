import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type BankIdApart, startBankIdApart } from '../testing/process/bankid-apart.ts'
import { type ConsoleClient, createConsoleClient } from '../testing/process/console-client.ts'
import { freePort } from '../testing/process/free-port.ts'
import { createDatabase } from '../testing/process/create-database.ts'
import { type Service, startService } from '../testing/process/start-service.ts'

const orders = 200
/** As often as a page asks. */
const askEveryMs = 1_000
/** Long enough for several polls of each order. */
const waitMs = 14_000
/** The time between two polls of one order, by all processes together. */
const collectEveryMs = 2_000
/** The stand-in's clock and the database's are read in different processes of one machine. */
const clockMs = 20
/** Far above the usual 20 ms, for a busy machine. */
const lagSecondsMax = 0.5

let stack: AsyncDisposableStack
let bankId: BankIdApart
let processes: { service: Service; metricsUrl: string }[]
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  bankId = stack.use(await startBankIdApart())
  const { server, template, masterKey } = inject('acceptanceCluster')
  const database = stack.use(await createDatabase(server, template))
  const start = async (baseUrl?: string) => {
    const metricsPort = await freePort()
    const service = await startService({
      words: ['serve'],
      environment: {
        ...bankId.environment,
        DATABASE_URL: database.url,
        NUMERA_MASTER_KEY: masterKey,
        NUMERA_IDENTITY: 'bankid',
        NUMERA_TRUST_PROXY: '1',
        NUMERA_METRICS_PORT: String(metricsPort),
        ...(baseUrl !== undefined && { NUMERA_BASE_URL: baseUrl }),
      },
    })
    return { service: stack.use(service), metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` }
  }
  const first = await start()
  processes = [first, await start(first.service.url)]
})
afterAll(() => stack?.disposeAsync())

/** The event loop's lag since the last read, which resets it. */
const readLag = async ({ metricsUrl }: { metricsUrl: string }): Promise<number> => {
  const text = await (await fetch(metricsUrl)).text()
  return Number(/^numera_nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text)?.[1])
}

/** An idle process, whose lag is the machine's. Gives the lag since the last read, in seconds. */
const startIdle = (): { lag(): Promise<number> } & Disposable => {
  const program = `
    const lag = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 10 })
    lag.enable()
    process.on('message', () => (process.send(lag.percentile(99) / 1e9), lag.reset()))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return {
    lag: async () => {
      child.send('lag')
      return ((await once(child, 'message')) as [number])[0]
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}

/** A person's browser, answered by one process after the other. */
interface Person {
  browsers: ConsoleClient[]
  headers: Record<string, string>
  orderId: string
  state: string
}

/** One in another network, so that no rate counts them together. */
const begin = async (number: number): Promise<Person> => {
  const cookies = new Map<string, string>()
  const browsers = processes.map(({ service }) => createConsoleClient(service.url, cookies))
  const headers = { 'x-forwarded-for': `10.${number}.0.1` }
  const { status, text, body } = await browsers[number % 2]!.post('/console/sign-in', {}, headers)
  if (status !== 200) throw new Error(`no sign-in was begun: ${status} ${text}`)
  return { browsers, headers, orderId: body.order_id, state: 'pending' }
}

const ask = async (person: Person, round: number): Promise<void> => {
  const { browsers, headers, orderId, state } = person
  if (state !== 'pending') return
  const { body } = await browsers[round % 2]!.post(`/console/sign-in/${orderId}/collect`, {}, headers)
  person.state = body.state === 'failed' ? `failed: ${body.reason}` : body.state
}

/** All pages poll once a second, evenly spread, alternating between the processes. */
const askForAWhile = async (people: Person[], untilMs: number): Promise<void> => {
  for (let round = 0; Date.now() < untilMs && people.some(({ state }) => state === 'pending'); round++) {
    const roundEndsMs = Date.now() + askEveryMs
    await Promise.all(
      people.map(async (person, number) => {
        await sleep((number / people.length) * askEveryMs)
        await ask(person, round + number)
      }),
    )
    await sleep(Math.max(0, roundEndsMs - Date.now()))
  }
}

/** The lags of both processes, and of the idle one. */
const told = (lags: number[]): string => {
  const [first, second, ofIdle] = lags.map((lag) => (lag * 1_000).toFixed(1))
  return `${first} and ${second} ms (of an idle process ${ofIdle} ms)`
}

test('200 concurrent orders, at two processes: each is polled at BankID every other second and never faster', async () => {
  using idle = startIdle()
  const people: Person[] = []
  for (let number = 0; number < orders; number++) people.push(await begin(number))
  await Promise.all([...processes.map(readLag), idle.lag()])

  await askForAWhile(people, Date.now() + waitMs)
  const waitingLags = await Promise.all([...processes.map(readLag), idle.lag()])
  expect(new Set(people.map(({ state }) => state))).toEqual(new Set(['pending']))

  expect(await bankId.signAll()).toBe(orders)
  await askForAWhile(people, Date.now() + 60_000)
  const signedLags = await Promise.all([...processes.map(readLag), idle.lag()])
  expect(new Set(people.map(({ state }) => state))).toEqual(new Set(['complete']))

  const record = await bankId.record()
  expect(record).toHaveLength(orders)
  const gaps = record.flatMap(({ collectsMs }) =>
    collectsMs.slice(1).map((atMs, index) => atMs - collectsMs[index]!),
  )
  expect(record.filter(({ refused }) => refused > 0)).toEqual([])
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(collectEveryMs - clockMs)
  // Both processes polled all the while.
  expect(Math.min(...record.map(({ collectsMs }) => collectsMs.length))).toBeGreaterThan(2)

  process.stdout.write(
    `${orders} orders at BankID: ${gaps.length + orders} questions, the closest ${Math.min(...gaps)} ms apart; event loop lag p99 ` +
      `${told(waitingLags)} while all waited, ${told(signedLags)} while all were signed and verified.\n`,
  )
  expect(Math.max(...waitingLags, ...signedLags)).toBeLessThan(lagSecondsMax)
})
