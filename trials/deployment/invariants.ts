import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { readSamples, type Sample } from '../../testing/process/numera-api.ts'
import type { Service } from '../../testing/process/start-service.ts'
import type { TrialDatabase } from './database.ts'
import { hasEnded, readPeakMemoryMb } from './deployment.ts'
import { decimalText, type Entry, toHundredths, type Ledger, ledgerWindow } from './ledger.ts'
import type { TrialContext } from '../trial.ts'

const run = promisify(execFile)

const noneLost = 'every delivery with a 202 is stored once, under the artifact of its receipt'
const sumsAgree = 'samples equal the independent sum'
const rebuildAgrees = 'rebuild --check finds no difference'
export const memoryBounded = 'memory stays within its bound'
export const processLives = 'the process survives'

/** Checked by `checkLedgers`. */
export const ledgerInvariants = [noneLost, sumsAgree, rebuildAgrees] as const

/** The growth over a process's memory at rest. */
const memoryMbMax = 512
/** For parsing the backlog at the end. */
const backlogMsMax = 10 * 60_000
const backlogMsMaxShort = 60_000
const readAttemptsMax = 30

/** Whose operator checks the rebuild. */
type CheckedService = Pick<Service, 'environment' | 'entry'>

interface Stored {
  source_id: string
  idempotency_key: string
  artifact_id: string
}

const checkStored = (context: TrialContext, ledgers: Ledger[], stored: Stored[]): void => {
  const byKey = Map.groupBy(stored, (row) => `${row.source_id} ${row.idempotency_key}`)
  let lost = 0
  for (const { accounts, entries } of ledgers) {
    for (const { key, channel, artifacts } of entries) {
      const rows = byKey.get(`${accounts[channel]!.sourceId} ${key}`) ?? []
      const named = new Set(artifacts)
      const isStored = named.size === 0 || (named.size === 1 && named.has(rows[0]?.artifact_id ?? ''))
      if (!isStored) lost++
      context.check(
        noneLost,
        rows.length <= 1 && isStored,
        `${key} was acknowledged as ${[...named].join()}, and is stored as ${rows.map((row) => row.artifact_id).join()}`,
      )
    }
  }
  context.measure('acknowledged and lost', lost)
}

/** Waits until the backlog is empty and no rebuild is running. */
const waitUntilParsed = async (
  context: TrialContext,
  database: Pick<TrialDatabase, 'query'>,
): Promise<void> => {
  const deadline = performance.now() + (context.short ? backlogMsMaxShort : backlogMsMax)
  for (;;) {
    const [row] = await database.query<{ deliveries: number; projections: number }>(
      `select (select count(*)::int from backlog) as deliveries,
         (select count(*)::int from projections where state = 'building') as projections`,
    )
    if (row?.deliveries === 0 && row.projections === 0) return
    if (performance.now() > deadline) {
      throw new Error(
        `${row?.deliveries} deliveries are not parsed and ${row?.projections} rebuilds not finished`,
      )
    }
    await context.sleep(100)
  }
}

/** Retries while the trial's own calls have exhausted the rate limit. */
const readAll = async (context: TrialContext, url: string, credential: string): Promise<Sample[]> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await readSamples(url, credential, ledgerWindow)).samples
    } catch (error) {
      if (attempt === readAttemptsMax || !String(error).includes('429')) throw error
      await context.sleep(1_000)
    }
  }
}

const checkSums = async (
  context: TrialContext,
  ledger: Ledger,
  url: string,
  stored: Stored[],
): Promise<bigint> => {
  const read = Object.values(ledger.accounts).map(({ credential }) => readAll(context, url, credential))
  const samples = (await Promise.all(read)).flat()
  const total = (metric: string): bigint =>
    samples
      .filter((sample) => sample.metric === metric)
      .reduce((sum, { value }) => sum + toHundredths(value), 0n)
  const keys = new Set(stored.map((row) => `${row.source_id} ${row.idempotency_key}`))
  let amount = 0n
  let rows = 0n
  for (const entry of ledger.entries) {
    if (!keys.has(`${ledger.accounts[entry.channel]!.sourceId} ${entry.key}`)) continue
    amount += entry.amount
    rows += BigInt(entry.rows)
  }
  const [amountRead, rowsRead] = [total('revenue'), total('active_users') / 100n]
  context.check(
    sumsAgree,
    amountRead === amount && rowsRead === rows,
    `${decimalText(amountRead)} in ${rowsRead} rows were read, ${decimalText(amount)} in ${rows} stored`,
  )
  return rows
}

/** Runs the operator's check for one company or all. */
const checkRebuild = async (
  context: TrialContext,
  service: CheckedService,
  orgnr: string | undefined,
): Promise<void> => {
  const only = orgnr === undefined ? [] : ['--company', orgnr]
  const outcome = await run(process.execPath, [service.entry, 'rebuild', '--check', ...only], {
    env: service.environment,
    timeout: context.short ? 60_000 : 10 * 60_000,
    maxBuffer: 64 * 1_048_576,
  }).then(
    () => '',
    (error: Error & { stdout?: string }) => `${error.stdout?.slice(0, 500)} ${error.message}`,
  )
  context.check(rebuildAgrees, outcome === '', outcome)
}

/**
 * After the faults: checks that each acknowledged delivery is stored once, that samples equal the independent sum, and that
 * a rebuild changes nothing.
 *
 * @param orgnr limits the rebuild to one company, for trials that insert rows of another one themselves
 */
export const checkLedgers = async (
  context: TrialContext,
  ledgers: Ledger[],
  service: Pick<Service, 'url'> & CheckedService,
  database: Pick<TrialDatabase, 'query'>,
  orgnr?: string,
): Promise<void> => {
  await waitUntilParsed(context, database)
  const sources = ledgers.flatMap(({ accounts }) => Object.values(accounts).map(({ sourceId }) => sourceId))
  const stored = await database.query<Stored>(
    'select source_id, idempotency_key, artifact_id from deliveries where source_id = any($1::uuid[])',
    [sources],
  )
  let rows = 0n
  checkStored(context, ledgers, stored)
  for (const ledger of ledgers) rows += await checkSums(context, ledger, service.url, stored)
  await checkRebuild(context, service, orgnr)
  const count = (entries: (ledger: Ledger) => Entry[]): number =>
    ledgers.reduce((sum, ledger) => sum + entries(ledger).length, 0)
  context.measure(
    'deliveries sent',
    count((ledger) => ledger.entries),
  )
  context.measure(
    'deliveries answered with 202',
    count((ledger) => ledger.acknowledged()),
  )
  context.measure('rows in the independent sum', String(rows))
}

/** Measures from now on. @returns the check to call at the end, before `checkLedgers` */
export const watchMemory = async (
  context: TrialContext,
  service: Service,
  mbMax = memoryMbMax,
): Promise<() => Promise<void>> => {
  await readPeakMemoryMb(service)
  const restMb = await readPeakMemoryMb(service)
  const pid = service.process().pid
  return async () => {
    context.check(
      processLives,
      !hasEnded(service) && service.process().pid === pid,
      `it exited:\n${service.output().slice(-1_500)}`,
    )
    const peakMb = await readPeakMemoryMb(service)
    // Restarted for the checks of the ledger.
    if (hasEnded(service)) await service.start()
    if (restMb === undefined || peakMb === undefined) {
      // Only Linux has this, and only for a running process.
      context.check(memoryBounded, process.platform !== 'linux', 'its memory cannot be read any more')
      return
    }
    context.measure('memory at rest and at most, MiB', `${Math.round(restMb)}, ${Math.round(peakMb)}`)
    context.check(
      memoryBounded,
      peakMb <= restMb + mbMax,
      `${Math.round(peakMb)} MiB, at rest ${Math.round(restMb)} MiB`,
    )
  }
}
