import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { approve, createConsoleClient, signIn } from '../../testing/process/console-client.ts'
import { saveLog } from '../../testing/process/run-logs.ts'
import { owner } from '../../testing/process/shop.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { callRepeatedly } from '../../trials/deployment/calls.ts'
import { startDatabase } from '../../trials/deployment/database.ts'
import { openRates, openVisitorsScene, startProcess } from '../../trials/deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../../trials/deployment/invariants.ts'
import { createLedger } from '../../trials/deployment/ledger.ts'
import { noFailure, startLoad } from '../../trials/processes/load.ts'
import type { Trial, TrialContext } from '../../trials/trial.ts'
import { startRoundRobin, type RoundRobin } from './round-robin.ts'

const bothAnswer = 'both versions take calls at the same time'
const signInsSucceed = 'a person who signs in is signed in'
const endsCleanly = 'the old process ends by itself with exit code 0'

/** Of each part of an upgrade. */
const partMs = 5_000
const readyMsMax = 60_000
const signInEveryMs = 1_000
const signInAttemptsMax = 5

/** What a command printed. */
export interface Ran {
  code: number | null
  out: string
  err: string
}

export interface UpgradeOutcome {
  /** `numera migrate` of the new version, while the old one runs alone. */
  migrated: Ran
  /** `numera migrate --contract`, while both run. */
  contractBefore: Ran
  /** The same, once the new one runs alone. */
  contractAfter: Ran
  /** `numera migrate` of the old version, at the end. */
  oldAtEnd: Ran
}

/** Runs `numera` of a version. */
function runNumera(checkout: string, words: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ran> {
  const keep = saveLog('command')
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(checkout, 'src/main.ts'), ...words],
      { env: environment, timeout: 120_000, killSignal: 'SIGKILL' },
      (_error, out, err) => {
        keep(err)
        resolve({ code: child.exitCode, out, err })
      },
    )
  })
}

/** Signs in again and again, as people do who repeat what failed with 503. */
function signInRepeatedly(context: TrialContext, url: string): { stop(): Promise<void> } {
  return context.use(
    callRepeatedly(1, signInEveryMs, async () => {
      let fault = ''
      for (let attempt = 0; attempt < signInAttemptsMax; attempt++) {
        try {
          const browser = await signIn(url, owner)
          const { status } = await browser.get('/console/session')
          if (status === 200) return context.check(signInsSucceed, true, '')
          fault = `the session is ${status}`
        } catch (error) {
          fault = String(error)
        }
        await context.sleep(500)
      }
      context.check(signInsSucceed, false, fault)
    }),
  )
}

/** Begins to sign in now. @returns what completes it later */
async function beginSignIn(context: TrialContext, url: string): Promise<() => Promise<void>> {
  const browser = createConsoleClient(url)
  const { body: order } = await browser.post('/console/sign-in')
  return async () => {
    await approve(url, order.presentation.open_url, owner)
    const { body } = await browser.post(`/console/sign-in/${order.order_id}/collect`)
    context.check(signInsSucceed, body?.state === 'complete', JSON.stringify(body))
  }
}

async function untilReady(context: TrialContext, balancer: RoundRobin, ...urls: string[]): Promise<void> {
  const deadline = performance.now() + readyMsMax
  while (balancer.ready().toSorted().join() !== urls.toSorted().join()) {
    if (performance.now() > deadline)
      throw new Error(`ready are ${balancer.ready().join()}, not ${urls.join()}`)
    await context.sleep(50)
  }
}

/**
 * Upgrades a deployment under load: the old version alone, its database migrated, both versions behind one address, the new
 * one alone, its contracts.
 *
 * @param versions folders of two versions of the service
 */
export function upgrade(
  versions: { from: string; to: string },
  onOutcome: (outcome: UpgradeOutcome) => void,
): Trial {
  return {
    name: 'upgrade',
    about: 'A deployment is upgraded to another version under load.',
    minutes: 0,
    invariants: [noFailure, bothAnswer, signInsSucceed, endsCleanly, ...ledgerInvariants],
    run: async (context) => {
      const balancer = context.use(await startRoundRobin())
      const { url } = balancer
      const database = context.use(await startDatabase({ settings: { max_connections: 200 } }))
      const start = async (checkout: string): Promise<Service> => {
        const environment = {
          ...openRates,
          NUMERA_BASE_URL: url,
          NUMERA_TRUST_PROXY: '1',
          NUMERA_WORKERS: '1',
          NUMERA_DRAIN_SECONDS: '2',
        }
        const service = await startProcess(context, { databaseUrl: database.url, environment, checkout })
        balancer.add(service.url)
        return service
      }
      const old = await start(versions.from)
      await untilReady(context, balancer, old.url)
      const scene = await openVisitorsScene(url, 'Busy AB')
      const ledger = createLedger(url, scene.accounts, context.random('deliveries'))
      const load = await startLoad(context, url, scene, ledger)
      const signIns = signInRepeatedly(context, url)
      const completeSignIn = await beginSignIn(context, url)
      await context.sleep(partMs)

      const migrated = await runNumera(versions.to, ['migrate'], old.environment)
      await context.sleep(partMs)

      const recent = await start(versions.to)
      await untilReady(context, balancer, old.url, recent.url)
      await completeSignIn()
      const contractBefore = await runNumera(versions.to, ['migrate', '--contract'], old.environment)
      const before = new Map(balancer.calls)
      await context.sleep(partMs)
      for (const each of [old, recent]) {
        const calls = (balancer.calls.get(each.url) ?? 0) - (before.get(each.url) ?? 0)
        context.check(bothAnswer, calls > 10, `${calls} calls`)
      }

      const code = await old.stop()
      context.check(endsCleanly, code === 0, `exit code ${code}`)
      await untilReady(context, balancer, recent.url)
      await context.sleep(partMs)
      const contractAfter = await runNumera(versions.to, ['migrate', '--contract'], old.environment)
      await context.sleep(partMs)
      await load.stop()
      await signIns.stop()
      load.measure()
      const oldAtEnd = await runNumera(versions.from, ['migrate'], old.environment)
      onOutcome({ migrated, contractBefore, contractAfter, oldAtEnd })
      await checkLedgers(context, [ledger], recent, database)
    },
  }
}
