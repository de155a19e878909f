import type { Service } from '../../testing/process/start-service.ts'
import { callOnce, callRepeatedly, describe } from '../deployment/calls.ts'
import { openBuiltIn, signalDatabase } from '../deployment/built-in.ts'
import { hasEnded, openRates, openScene, startProcess } from '../deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../deployment/invariants.ts'
import { createLedger, type Entry } from '../deployment/ledger.ts'
import type { TrialContext, Trial } from '../trial.ts'

const victims = ['service', 'database', 'both'] as const
type Victim = (typeof victims)[number]

const clients = 16
const roundsMin = 100
const roundsShort = 3
/** Within this time the service must recover from the loss of its database; after that it is restarted, as a supervisor would. */
const recoveryMsMax = 5_000
const retriesMax = 100

const acceptedLater = 'an unanswered delivery is accepted later with the same key'
const replayed = 'every delivery that is sent again is a replay with its first receipt'
const noRefusal = 'a valid delivery is never refused'

/** Waits for the service to replace a database that was just killed. */
const killDatabase = async (context: TrialContext, service: Service): Promise<void> => {
  const deadline = performance.now() + recoveryMsMax
  for (;;) {
    try {
      return await signalDatabase(service.dataFolder, 'SIGKILL')
    } catch (error) {
      if (performance.now() > deadline) throw error
      await context.sleep(20)
    }
  }
}

const kill = async (context: TrialContext, service: Service, victim: Victim): Promise<void> => {
  if (victim !== 'service') await killDatabase(context, service)
  if (victim !== 'database') service.process().kill('SIGKILL')
}

const recover = async (context: TrialContext, service: Service): Promise<void> => {
  const deadline = performance.now() + recoveryMsMax
  while (!hasEnded(service)) {
    const { status } = await callOnce(`${service.url}/health/ready`, { msMax: 1_000 })
    if (status === 200) return
    if (performance.now() > deadline) service.process().kill('SIGKILL')
    await context.sleep(50)
  }
  await service.start()
}

export const kills: Trial = {
  name: 'kills',
  about:
    'The service, its database or both are killed with SIGKILL at random moments under load, and recover.',
  minutes: 5,
  invariants: [acceptedLater, replayed, noRefusal, ...ledgerInvariants],
  run: async (context) => {
    const service = await startProcess(context, { environment: { DATABASE_URL: '', ...openRates } })
    const { accounts } = await openScene(service)
    const ledger = createLedger(service.url, accounts, context.random('deliveries'))
    const random = context.random('kills')
    let underLoad = 0
    let storedUnanswered = 0

    /** Undefined without a 202. */
    const sendOnce = async (entry: Entry): Promise<'new' | 'replay' | undefined> => {
      const outcome = await ledger.send(entry, { msMax: 10_000 })
      const isRefused = outcome.status !== 202 && outcome.status !== 0 && outcome.status < 500
      context.check(noRefusal, !isRefused, `${entry.key}: ${describe(outcome)}`)
      if (outcome.status !== 202) return undefined
      return outcome.headers['idempotent-replayed'] === 'true' ? 'replay' : 'new'
    }

    for (let round = 0; ; round++) {
      if (context.short ? round >= roundsShort : round >= roundsMin && performance.now() > context.untilMs)
        break
      const victim = victims[round % victims.length]!
      const unanswered: Entry[] = []
      const load = context.use(
        callRepeatedly(clients, 0, async () => {
          const entry = ledger.next()
          if ((await sendOnce(entry)) === undefined) unanswered.push(entry)
          else underLoad++
        }),
      )
      await context.sleep(100 + random() * 900)
      await kill(context, service, victim)
      context.inject(`SIGKILL: ${victim}`)
      await load.stop()
      await recover(context, service)

      for (const entry of unanswered) {
        let answer = await sendOnce(entry)
        for (let retry = 0; answer === undefined && retry < retriesMax; retry++) {
          await context.sleep(100)
          answer = await sendOnce(entry)
        }
        context.check(acceptedLater, answer !== undefined, `round ${round}: ${entry.key}`)
        if (answer === 'replay') storedUnanswered++
      }
      context.log(
        `round ${round + 1}: ${victim}, ${ledger.entries.length} deliveries, ${unanswered.length} unanswered`,
      )
    }
    for (let from = 0; from < ledger.entries.length; from += clients) {
      await Promise.all(
        ledger.entries.slice(from, from + clients).map(async (entry) => {
          const answer = await sendOnce(entry)
          const isSame = answer === 'replay' && new Set(entry.artifacts).size === 1
          context.check(replayed, isSame, `${entry.key} is ${answer}, ${entry.artifacts.join()}`)
        }),
      )
    }
    context.measure('answered under load', underLoad)
    context.measure('unanswered and nevertheless stored', storedUnanswered)
    await checkLedgers(context, [ledger], service, openBuiltIn(service.dataFolder))
  },
}
