import { freePort } from '../../testing/process/free-port.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { startBalancer } from '../deployment/balancer.ts'
import { startDatabase } from '../deployment/database.ts'
import { openRates, openVisitorsScene, startProcess } from '../deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../deployment/invariants.ts'
import { createLedger } from '../deployment/ledger.ts'
import type { Trial, TrialContext } from '../trial.ts'
import { noFailure, startLoad } from './load.ts'
import {
  checkLivePages,
  checkRate,
  checkRevocation,
  liveEverywhere,
  revokedEverywhere,
  sharedRate,
} from './shared-state.ts'

const endsCleanly = 'a process that is replaced ends by itself with exit code 0'

const processes = 3
const roundsMin = 2
const everyMs = 10_000
/** Two checks of the balancer, a second apart. */
const noticedMs = 2_500

const toEnvironment = (url: string): NodeJS.ProcessEnv => ({
  ...openRates,
  // The defaults, to see what the processes grant together.
  NUMERA_OAUTH_RATE_PER_MINUTE: '',
  NUMERA_OAUTH_RATE_BURST: '',
  NUMERA_BASE_URL: url,
  NUMERA_TRUST_PROXY: '1',
  NUMERA_WORKERS: '1',
  NUMERA_DRAIN_SECONDS: '',
})

/** Stops one process and starts it again, as a rolling restart does. */
const replace = async (context: TrialContext, service: Service): Promise<number> => {
  const startedMs = performance.now()
  const code = await service.stop()
  const seconds = (performance.now() - startedMs) / 1_000
  context.inject('replaced a process')
  context.check(endsCleanly, code === 0, `exit code ${code} after ${seconds.toFixed(1)} s`)
  await service.start()
  return seconds
}

export const replacements: Trial = {
  name: 'replacements',
  about: 'Of three processes behind HAProxy one is replaced every ten seconds under load.',
  minutes: 10,
  invariants: [noFailure, endsCleanly, revokedEverywhere, liveEverywhere, sharedRate, ...ledgerInvariants],
  run: async (context) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const database = context.use(await startDatabase({ settings: { max_connections: 300 } }))
    const services: Service[] = []
    const start = (): Promise<Service> =>
      startProcess(context, { databaseUrl: database.url, environment: toEnvironment(url) })
    // The first migrates the database.
    services.push(await start())
    services.push(...(await Promise.all(Array.from({ length: processes - 1 }, start))))
    context.log('the processes are ready')
    await startBalancer(context, port, services)
    const scene = await openVisitorsScene(url, 'Busy AB')
    const ledger = createLedger(url, scene.accounts, context.random('deliveries'))
    // Without load, so that the events of its page name each delivery.
    const quietScene = await openVisitorsScene(url, 'Quiet AB')
    const quietLedger = createLedger(url, quietScene.accounts, context.random('quiet'), 'quiet')
    const load = await startLoad(context, url, scene, ledger)
    let longestStop = 0
    for (let round = 0; round < roundsMin || performance.now() < context.untilMs; round++) {
      const nextMs = performance.now() + everyMs
      longestStop = Math.max(longestStop, await replace(context, services[round % processes]!))
      await context.sleep(noticedMs)
      await checkRevocation(context, services, scene)
      await checkLivePages(context, services, quietScene, quietLedger)
      context.log(`round ${round + 1}: ${ledger.entries.length} deliveries`)
      await context.sleep(Math.max(0, nextMs - performance.now()))
    }
    await load.stop()
    load.measure()
    context.measure('a process stopped within, s', longestStop.toFixed(1))
    await checkRate(context, services, scene)
    await checkLedgers(context, [ledger, quietLedger], services[0]!, database)
  },
}
