import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readSamples, type Sample } from '../acceptance/numera-api.ts'
import type { Service } from '../acceptance/service.ts'
import type { TrialDatabase } from './database.ts'
import { hasEnded, peakMemoryMb } from './deployment.ts'
import { decimalText, type Entry, hundredthsOf, type Ledger, ledgerWindow } from './ledger.ts'
import type { Course } from './trial.ts'

const run = promisify(execFile)

const noneLost = 'every 202 is there, once, under the artifact that it named'
const sumsAgree = 'samples equal the independent sum'
const rebuildAgrees = 'rebuild --check finds no difference'
export const memoryBounded = 'memory stays under its ceiling'
export const processLives = 'the process lives'

/** What `checkLedgers` checks. */
export const ledgerInvariants = [noneLost, sumsAgree, rebuildAgrees] as const

/** What a process may hold above what it holds when it is quiet, whatever is sent to it. */
const memoryMbMax = 512
/** Parsing what waits, after everything. */
const backlogMsMax = 10 * 60_000
const backlogMsMaxShort = 60_000
const readAttemptsMax = 30

interface Stored {
  source_id: string
  idempotency_key: string
  artifact_id: string
}

const checkStored = (course: Course, ledgers: Ledger[], stored: Stored[]): void => {
  const byKey = Map.groupBy(stored, (row) => `${row.source_id} ${row.idempotency_key}`)
  let lost = 0
  for (const { accounts, entries } of ledgers) {
    for (const { key, channel, artifacts } of entries) {
      const rows = byKey.get(`${accounts[channel]!.sourceId} ${key}`) ?? []
      const named = new Set(artifacts)
      const isThere = named.size === 0 || (named.size === 1 && named.has(rows[0]?.artifact_id ?? ''))
      if (!isThere) lost++
      course.check(
        noneLost,
        rows.length <= 1 && isThere,
        `${key} was answered with ${[...named].join()}, stored is ${rows.map((row) => row.artifact_id).join()}`,
      )
    }
  }
  course.figure('acknowledged and lost', lost)
}

/** Waits until nothing is left to be parsed, and no projection is being filled that will take another's place. */
export const untilParsed = async (course: Course, database: Pick<TrialDatabase, 'query'>): Promise<void> => {
  const deadline = performance.now() + (course.short ? backlogMsMaxShort : backlogMsMax)
  for (;;) {
    const [row] = await database.query<{ deliveries: number; projections: number }>(
      `select (select count(*)::int from backlog) as deliveries,
         (select count(*)::int from projections where state = 'building') as projections`,
    )
    if (row?.deliveries === 0 && row.projections === 0) return
    if (performance.now() > deadline) {
      throw new Error(
        `${row?.deliveries} deliveries are still to be parsed, ${row?.projections} projections to be filled`,
      )
    }
    await course.sleep(100)
  }
}

/** Waits out what the trial has left of a bucket. */
const readAll = async (course: Course, url: string, credential: string): Promise<Sample[]> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await readSamples(url, credential, ledgerWindow)).samples
    } catch (error) {
      if (attempt === readAttemptsMax || !String(error).includes('429')) throw error
      await course.sleep(1_000)
    }
  }
}

const checkSums = async (course: Course, ledger: Ledger, url: string, stored: Stored[]): Promise<bigint> => {
  const read = Object.values(ledger.accounts).map(({ credential }) => readAll(course, url, credential))
  const samples = (await Promise.all(read)).flat()
  const total = (metric: string): bigint =>
    samples
      .filter((sample) => sample.metric === metric)
      .reduce((sum, { value }) => sum + hundredthsOf(value), 0n)
  const kept = new Set(stored.map((row) => `${row.source_id} ${row.idempotency_key}`))
  let amount = 0n
  let rows = 0n
  for (const entry of ledger.entries) {
    if (!kept.has(`${ledger.accounts[entry.channel]!.sourceId} ${entry.key}`)) continue
    amount += entry.amount
    rows += BigInt(entry.rows)
  }
  const [amountRead, rowsRead] = [total('revenue'), total('active_users') / 100n]
  course.check(
    sumsAgree,
    amountRead === amount && rowsRead === rows,
    `${decimalText(amountRead)} in ${rowsRead} rows are read, ${decimalText(amount)} in ${rows} were stored`,
  )
  return rows
}

/** Aggregates everything that is stored anew, of one company or of all, and compares. */
const checkRebuild = async (
  course: Course,
  service: Pick<Service, 'environment'>,
  orgnr: string | undefined,
): Promise<void> => {
  const only = orgnr === undefined ? [] : ['--company', orgnr]
  const entry = join(import.meta.dirname, '../src/main.ts')
  const outcome = await run(process.execPath, [entry, 'rebuild', '--check', ...only], {
    env: service.environment,
    timeout: course.short ? 60_000 : 10 * 60_000,
    maxBuffer: 64 * 1_048_576,
  }).then(
    () => '',
    (error: Error & { stdout?: string }) => `${error.stdout?.slice(0, 500)} ${error.message}`,
  )
  course.check(rebuildAgrees, outcome === '', outcome)
}

/**
 * Once the faults are over: every 202 is there, once; what is read is what was stored, summed independently; and
 * aggregating it anew makes no difference. `orgnr` names the one company that is aggregated anew, where a trial wrote
 * another's rows itself.
 */
export const checkLedgers = async (
  course: Course,
  ledgers: Ledger[],
  service: Pick<Service, 'url' | 'environment'>,
  database: Pick<TrialDatabase, 'query'>,
  orgnr?: string,
): Promise<void> => {
  await untilParsed(course, database)
  const sources = ledgers.flatMap(({ accounts }) => Object.values(accounts).map(({ sourceId }) => sourceId))
  const stored = await database.query<Stored>(
    'select source_id, idempotency_key, artifact_id from deliveries where source_id = any($1::uuid[])',
    [sources],
  )
  let rows = 0n
  checkStored(course, ledgers, stored)
  for (const ledger of ledgers) rows += await checkSums(course, ledger, service.url, stored)
  await checkRebuild(course, service, orgnr)
  const count = (entries: (ledger: Ledger) => Entry[]): number =>
    ledgers.reduce((sum, ledger) => sum + entries(ledger).length, 0)
  course.figure(
    'deliveries sent',
    count((ledger) => ledger.entries),
  )
  course.figure(
    'deliveries answered with 202',
    count((ledger) => ledger.acknowledged()),
  )
  course.figure('rows in the independent sum', String(rows))
}

/** Measures from now on; call the answer at the end, before the ledger is checked. */
export const watchMemory = async (
  course: Course,
  service: Service,
  mbMax = memoryMbMax,
): Promise<() => Promise<void>> => {
  await peakMemoryMb(service)
  const quietMb = await peakMemoryMb(service)
  const pid = service.process().pid
  return async () => {
    course.check(
      processLives,
      !hasEnded(service) && service.process().pid === pid,
      `it ended:\n${service.output().slice(-1_500)}`,
    )
    const peakMb = await peakMemoryMb(service)
    // Started again, so that what it left can be looked at.
    if (hasEnded(service)) await service.start()
    if (quietMb === undefined || peakMb === undefined) {
      // A process that has ended holds nothing; elsewhere than on Linux nothing is told at all.
      course.check(memoryBounded, process.platform !== 'linux', 'nothing is told about its memory any more')
      return
    }
    course.figure('memory, quiet and at most, MiB', `${Math.round(quietMb)}, ${Math.round(peakMb)}`)
    course.check(
      memoryBounded,
      peakMb <= quietMb + mbMax,
      `${Math.round(peakMb)} MiB, quiet ${Math.round(quietMb)} MiB`,
    )
  }
}
