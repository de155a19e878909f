import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '../../testing/process/free-port.ts'
import { readSamples } from '../../testing/process/numera-api.ts'
import { runOperatorCommand } from '../../testing/process/run-operator-command.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { callRepeatedly } from '../deployment/calls.ts'
import { openRates, openScene, startProcess } from '../deployment/deployment.ts'
import { type BuiltIn, openBuiltIn, signalDatabase } from '../deployment/built-in.ts'
import { createLedger, type Entry, type Ledger, ledgerWindow, toHundredths } from '../deployment/ledger.ts'
import type { Trial, TrialContext } from '../trial.ts'

const present = 'every delivery with a 202 before the instant is there once'
const absent = 'no delivery that was sent after the instant is there'
const sumsAgree = 'samples equal the independent sum'
const rebuildAgrees = 'rebuild --check of a restored copy finds no difference'
const shipped =
  'what was answered two minutes before the loss, or before a segment was stored, can be restored'

const clients = 8
const rounds = { long: 30, short: 1 }
const instantsOfRound = 3
/** A segment is finished after a minute by itself; in a trial more often. */
const switchEveryMs = 700

/** When a delivery was sent first, and when its first 202 arrived. By the clock of the machine, as the database's is. */
interface Times {
  sentAtMs: number
  answeredAtMs?: number
}

interface Restored {
  restored_to: string
  log_ends_at: string
  sources_that_differ: number
}

/** Sends until stopped, while the database finishes segments. */
const sendFor = async (
  context: TrialContext,
  { ledger, times }: { ledger: Ledger; times: Map<Entry, Times> },
  database: BuiltIn,
  ms: number,
): Promise<void> => {
  const load = context.use(
    callRepeatedly(clients, 5, async () => {
      const entry = ledger.next()
      const at: Times = { sentAtMs: Date.now() }
      times.set(entry, at)
      if ((await ledger.send(entry, { msMax: 10_000 })).status === 202) at.answeredAtMs = Date.now()
    }),
  )
  const switching = context.use(
    callRepeatedly(1, switchEveryMs, async () => {
      await database.queryAsSuperuser('select pg_switch_wal()')
    }),
  )
  await context.sleep(ms)
  await Promise.all([load.stop(), switching.stop()])
}

/** Compares a restored copy with what was sent. @returns the entries that it has */
const compare = async (
  context: TrialContext,
  { ledger, times }: { ledger: Ledger; times: Map<Entry, Times> },
  { folder, service, toMs, isEnd }: { folder: string; service: Service; toMs: number; isEnd: boolean },
): Promise<Set<Entry>> => {
  const database = openBuiltIn(folder)
  await service.command('tokens resume')
  for (;;) {
    const [row] = await database.query<{ waiting: boolean }>('select exists (select from backlog) as waiting')
    if (!row!.waiting) break
    await context.sleep(50)
  }
  const rows = await database.query<{ source_id: string; idempotency_key: string }>(
    'select source_id, idempotency_key from deliveries',
  )
  const stored = new Map<string, number>()
  for (const { source_id: source, idempotency_key: key } of rows)
    stored.set(`${source} ${key}`, (stored.get(`${source} ${key}`) ?? 0) + 1)
  const found = new Set<Entry>()
  let amount = 0n
  for (const [entry, { sentAtMs, answeredAtMs }] of times) {
    const count = stored.get(`${ledger.accounts[entry.channel]!.sourceId} ${entry.key}`) ?? 0
    if (answeredAtMs !== undefined && answeredAtMs < toMs)
      context.check(present, count === 1, `${entry.key}: ${count}`)
    // The end is at least the instant. And the database's clock has microseconds.
    if (!isEnd && sentAtMs > toMs + 1) context.check(absent, count === 0, `${entry.key}: ${count}`)
    if (count === 0) continue
    found.add(entry)
    amount += entry.amount
  }
  const read = Object.values(ledger.accounts).map(({ credential }) =>
    readSamples(service.url, credential, ledgerWindow),
  )
  const samples = (await Promise.all(read)).flatMap((answer) => answer.samples)
  const sum = samples
    .filter(({ metric }) => metric === 'revenue')
    .reduce((total, { value }) => total + toHundredths(value), 0n)
  context.check(sumsAgree, sum === amount, `${sum} instead of ${amount}`)
  return found
}

export const restores: Trial = {
  name: 'restore',
  about:
    'Under load the data folder of the built-in database is deleted at a random moment, and restored to random instants and to the end.',
  minutes: 40,
  invariants: [present, absent, sumsAgree, rebuildAgrees, shipped],
  run: async (context) => {
    const random = context.random('restores')
    const scratch = await mkdtemp(join(tmpdir(), 'numera-restores-'))
    context.use({ [Symbol.asyncDispose]: () => rm(scratch, { recursive: true, force: true }) })
    const dataFolder = join(scratch, 'data')
    const port = await freePort()
    const common = { DATABASE_URL: '', ...openRates }
    const backup = {
      NUMERA_BACKUP: pathToFileURL(join(scratch, 'store')).href,
      NUMERA_BACKUP_KEY: '5a'.repeat(32),
    }
    const start = (folder: string, environment: Record<string, string> = {}): Promise<Service> =>
      startProcess(context, { port, dataFolder: folder, environment: { ...common, ...environment } })
    let service = await start(dataFolder, backup)
    const { accounts } = await openScene(service)
    const sent = {
      ledger: createLedger(service.url, accounts, context.random('deliveries')),
      times: new Map<Entry, Times>(),
    }
    await service.command('backup')
    const firstMs = Date.now()
    const sizes: number[] = []

    for (let round = 1; round <= rounds[context.short ? 'short' : 'long']; round++) {
      await sendFor(context, sent, openBuiltIn(dataFolder), 2_000 + random() * 4_000)
      if (random() < 0.2) await service.command('backup')
      await sendFor(context, sent, openBuiltIn(dataFolder), 500 + random() * 2_000)
      const lostMs = Date.now()
      // The database first: it ends by itself when the service has.
      await signalDatabase(dataFolder, 'SIGKILL')
      service.process().kill('SIGKILL')
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      context.inject('the data folder was deleted')

      let endMs = lostMs
      for (let instant = 1; instant <= instantsOfRound; instant++) {
        const isLast = instant === instantsOfRound
        const folder = join(scratch, `restored-${round}-${instant}`)
        const to =
          isLast || instant === 1 ? 'latest' : new Date(firstMs + random() * (endMs - firstMs)).toISOString()
        const startedMs = performance.now()
        const restored: Restored = await runOperatorCommand(
          { ...service.environment, ...backup },
          'restore',
          { to, folder },
        )
        context.check(
          rebuildAgrees,
          restored.sources_that_differ === 0,
          `${restored.sources_that_differ} differ`,
        )
        endMs = Date.parse(restored.log_ends_at)
        if (isLast) sizes.push(performance.now() - startedMs)
        context.check(shipped, lostMs - endMs < 120_000, `${lostMs - endMs} ms are lost`)
        const copy = await start(folder)
        const toMs = Date.parse(restored.restored_to)
        const found = await compare(context, sent, { folder, service: copy, toMs, isEnd: to === 'latest' })
        await copy.stop()
        context.log(
          `round ${round}: ${to} restored to ${restored.restored_to}, ${found.size} of ${sent.times.size} deliveries`,
        )
        if (!isLast) {
          await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
          continue
        }
        for (const entry of sent.times.keys()) if (!found.has(entry)) sent.times.delete(entry)
        await rename(folder, dataFolder)
      }
      service = await start(dataFolder, backup)
    }
    await service.stop()
    context.measure('restores, s, longest', (Math.max(...sizes) / 1_000).toFixed(1))
    context.measure('deliveries', sent.times.size)
  },
}
