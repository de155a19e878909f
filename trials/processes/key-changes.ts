import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runOperatorCommand } from '../../testing/process/run-operator-command.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { callOnce, callRepeatedly, describe } from '../deployment/calls.ts'
import { startDatabase } from '../deployment/database.ts'
import { openRates, openVisitorsScene, startProcess } from '../deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../deployment/invariants.ts'
import { createLedger } from '../deployment/ledger.ts'
import type { Trial, TrialContext } from '../trial.ts'

const alwaysAccepted = 'one of two processes accepts every push and webhook while the master key is changed'
const oldRefused = 'a process with the old key is refused, and a process with the new one alone starts'
const oneKeySeals = 'after reseal every value is sealed under the new key'
const runOnce = 'the command is run once at each start, also after a fault'

const clients = 8
const roundsShort = 1
const readyMsMax = 60_000

/** A key store: the file that the command prints, and a line for each time that it was. */
interface KeyStore {
  command: string
  write(key: string): Promise<void>
  countRuns(): Promise<number>
}

const openKeyStore = async (context: TrialContext): Promise<KeyStore> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-trial-keys-'))
  context.use({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) })
  const [key, runs] = [join(folder, 'key'), join(folder, 'runs')]
  return {
    command: `echo run >> '${runs}' && cat '${key}'`,
    write: (text) => writeFile(key, `${text}\n`),
    countRuns: async () => (await readFile(runs, 'utf8')).split('\n').length - 1,
  }
}

const restart = async (services: readonly Service[], previousKey: string): Promise<void> => {
  for (const service of services) {
    service.environment['NUMERA_MASTER_KEY_PREVIOUS'] = previousKey
    await service.stop()
    await service.start()
  }
}

/** Causes a fault in a process, which replaces itself and gets its key again. */
const fault = async (context: TrialContext, service: Service, store: KeyStore): Promise<void> => {
  const before = await store.countRuns()
  const { pid } = service.process()
  await callOnce(`${service.url}/test/fault`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"kind":"exception"}',
  })
  context.inject('an unforeseen exception')
  const isReady = async (): Promise<boolean> =>
    (await store.countRuns()) > before &&
    (await callOnce(`${service.url}/health/ready`, { msMax: 1_000 })).status === 200
  const deadline = performance.now() + readyMsMax
  while (!(await isReady()) && performance.now() < deadline) await context.sleep(50)
  const runs = (await store.countRuns()) - before
  context.check(runOnce, runs === 1 && service.process().pid === pid, `it was run ${runs} times`)
}

/** Changes the key as docs/guides/operating.md says, and gives the seconds that `reseal` took. */
const changeKey = async (
  context: TrialContext,
  services: readonly Service[],
  store: KeyStore,
  [older, newer]: readonly [string, string],
): Promise<number> => {
  const first = services[0]!
  await restart(services, newer)
  await store.write(newer)
  const runs = await store.countRuns()
  await restart(services, older)
  const ran = (await store.countRuns()) - runs
  context.check(runOnce, ran === services.length, `${services.length} starts ran it ${ran} times`)
  const startedMs = performance.now()
  const { retired_fingerprints: retired } = await first.command('reseal')
  const seconds = (performance.now() - startedMs) / 1_000
  context.inject('changed the master key')
  const { keys } = (await first.command('keys list')) as { keys: { use: string; rows: number }[] }
  const [current, ...others] = keys
  const isDone = retired.length === 1 && current!.use === 'current' && current!.rows > 0
  context.check(
    oneKeySeals,
    isDone && others.every(({ use, rows }) => use === 'retired' && rows === 0),
    JSON.stringify(keys),
  )
  const startWith = (key: string): Promise<string> =>
    runOperatorCommand(
      { ...first.environment, NUMERA_MASTER_KEY_COMMAND: `echo ${key}`, NUMERA_MASTER_KEY_PREVIOUS: '' },
      'company list',
    ).then(
      () => 'started',
      (error: Error) => error.message,
    )
  const [withOld, withNew] = [await startWith(older), await startWith(newer)]
  context.check(
    oldRefused,
    withOld.includes('was retired at') && withNew === 'started',
    `${withOld} ${withNew}`,
  )
  return seconds
}

export const keyChanges: Trial = {
  name: 'key-changes',
  about:
    'The master key, which a command prints, is changed again and again under load, with faults in between.',
  minutes: 5,
  invariants: [alwaysAccepted, oneKeySeals, oldRefused, runOnce, ...ledgerInvariants],
  run: async (context) => {
    const store = await openKeyStore(context)
    let key = randomBytes(32).toString('base64url')
    await store.write(key)
    const database = context.use(await startDatabase())
    const services: Service[] = []
    for (let index = 0; index < 2; index++) {
      const environment = {
        ...openRates,
        NUMERA_MASTER_KEY: '',
        NUMERA_MASTER_KEY_COMMAND: store.command,
        NUMERA_WORKERS: '1',
      }
      const words = ['serve', '--test-clock']
      services.push(await startProcess(context, { databaseUrl: database.url, environment, words }))
    }
    const { accounts } = await openVisitorsScene(services[0]!.url, 'Sealed AB')
    const ledger = createLedger(services[0]!.url, accounts, context.random('deliveries'))
    let [accepted, elsewhere] = [0, 0]
    const load = context.use(
      callRepeatedly(clients, 5, async () => {
        const entry = ledger.next()
        const urls = services.map(({ url }) => url)
        if (accepted++ % 2 === 1) urls.reverse()
        let outcome = await ledger.send(entry, { url: urls[0]! })
        // A balancer sends what a stopping process cannot take to the other.
        if (outcome.status === 0 || outcome.status >= 500) {
          outcome = await ledger.send(entry, { url: urls[1]! })
          elsewhere++
        }
        context.check(alwaysAccepted, outcome.status === 202, `${entry.key}: ${describe(outcome)}`)
      }),
    )
    for (let round = 0; context.short ? round < roundsShort : performance.now() < context.untilMs; round++) {
      const next = randomBytes(32).toString('base64url')
      const seconds = await changeKey(context, services, store, [key, next])
      key = next
      await fault(context, services[round % 2]!, store)
      context.log(`round ${round + 1}: ${accepted} deliveries, reseal ${seconds.toFixed(1)} s`)
    }
    await load.stop()
    context.measure('accepted by the other process', elsewhere)
    await checkLedgers(context, [ledger], services[0]!, database)
  },
}
