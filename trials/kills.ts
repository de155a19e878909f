import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Service } from '../acceptance/service.ts'
import { callOnce, keepCalling, told } from './calls.ts'
import type { TrialDatabase } from './database.ts'
import { hasEnded, openRates, openScene, startProcess } from './deployment.ts'
import { checkLedgers, ledgerInvariants } from './invariants.ts'
import { createLedger, type Entry } from './ledger.ts'
import type { Course, Trial } from './trial.ts'

const victims = ['service', 'database', 'both'] as const
type Victim = (typeof victims)[number]

const clients = 16
const roundsMin = 100
const roundsShort = 3
/** By itself after the database went away; then the service is started anew, as an operator's supervisor would. */
const recoveryMsMax = 5_000
const retriesMax = 100

const takenAfterwards = 'what was not answered is taken afterwards, with the same key'
const replayed = 'every delivery sent once more is a replay with its first receipt'
const noRefusal = 'a good delivery is never refused'

/** The built-in database of a service, by its socket. */
const builtIn = (service: Service): Pick<TrialDatabase, 'query'> => ({
  query: async (statement, params = []) => {
    const password = (await readFile(join(service.dataFolder, 'postgres.password'), 'utf8')).trim()
    const client = new Client({
      host: join(service.dataFolder, 'socket'),
      port: 5432,
      user: 'numera',
      database: 'numera',
      password,
    })
    await client.connect()
    try {
      return (await client.query(statement, params)).rows
    } finally {
      await client.end()
    }
  },
})

/** The one before may have been killed a moment ago, and the service not have noticed yet: then it waits for the next. */
const killDatabase = async (course: Course, service: Service): Promise<void> => {
  const file = join(service.dataFolder, 'postgres/postmaster.pid')
  const deadline = performance.now() + recoveryMsMax
  for (;;) {
    try {
      return void process.kill(Number((await readFile(file, 'utf8')).split('\n')[0]), 'SIGKILL')
    } catch (error) {
      if (performance.now() > deadline) throw error
      await course.sleep(20)
    }
  }
}

const kill = async (course: Course, service: Service, victim: Victim): Promise<void> => {
  if (victim !== 'service') await killDatabase(course, service)
  if (victim !== 'database') service.process().kill('SIGKILL')
}

const bringBack = async (course: Course, service: Service): Promise<void> => {
  const deadline = performance.now() + recoveryMsMax
  while (!hasEnded(service)) {
    const { status } = await callOnce(`${service.url}/health/ready`, { msMax: 1_000 })
    if (status === 200) return
    if (performance.now() > deadline) service.process().kill('SIGKILL')
    await course.sleep(50)
  }
  await service.start()
}

export const kills: Trial = {
  name: 'kills',
  about:
    'The service, its database or both are killed with SIGKILL at random moments under load, and brought back.',
  minutes: 5,
  invariants: [takenAfterwards, replayed, noRefusal, ...ledgerInvariants],
  run: async (course) => {
    const service = await startProcess(course, { environment: { DATABASE_URL: '', ...openRates } })
    const { accounts } = await openScene(service)
    const ledger = createLedger(service.url, accounts, course.random('deliveries'))
    const random = course.random('kills')
    let underLoad = 0
    let storedUnanswered = 0

    /** Whether it was answered with 202. */
    const sendOnce = async (entry: Entry): Promise<'new' | 'replay' | undefined> => {
      const outcome = await ledger.send(entry, { msMax: 10_000 })
      const isRefused = outcome.status !== 202 && outcome.status !== 0 && outcome.status < 500
      course.check(noRefusal, !isRefused, `${entry.key}: ${told(outcome)}`)
      if (outcome.status !== 202) return undefined
      return outcome.headers['idempotent-replayed'] === 'true' ? 'replay' : 'new'
    }

    for (let round = 0; ; round++) {
      if (course.short ? round >= roundsShort : round >= roundsMin && performance.now() > course.untilMs)
        break
      const victim = victims[round % victims.length]!
      const unanswered: Entry[] = []
      const load = course.use(
        keepCalling(clients, 0, async () => {
          const entry = ledger.next()
          if ((await sendOnce(entry)) === undefined) unanswered.push(entry)
          else underLoad++
        }),
      )
      await course.sleep(100 + random() * 900)
      await kill(course, service, victim)
      course.inject(`SIGKILL: ${victim}`)
      await load.stop()
      await bringBack(course, service)

      for (const entry of unanswered) {
        let answer = await sendOnce(entry)
        for (let retry = 0; answer === undefined && retry < retriesMax; retry++) {
          await course.sleep(100)
          answer = await sendOnce(entry)
        }
        course.check(takenAfterwards, answer !== undefined, `round ${round}: ${entry.key}`)
        if (answer === 'replay') storedUnanswered++
      }
      course.say(
        `round ${round + 1}: ${victim}, ${ledger.entries.length} deliveries, ${unanswered.length} unanswered`,
      )
    }
    for (let from = 0; from < ledger.entries.length; from += clients) {
      await Promise.all(
        ledger.entries.slice(from, from + clients).map(async (entry) => {
          const answer = await sendOnce(entry)
          const isSame = answer === 'replay' && new Set(entry.artifacts).size === 1
          course.check(replayed, isSame, `${entry.key} is ${answer}, ${entry.artifacts.join()}`)
        }),
      )
    }
    course.figure('answered under load', underLoad)
    course.figure('unanswered and stored after all', storedUnanswered)
    await checkLedgers(course, [ledger], service, builtIn(service))
  },
}
