import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../clock.ts'
import { int4Array, int8Array, textArray, timestamptzArray, uuidArray } from '../database/binary-array.ts'
import { isDatabaseAway } from '../database/is-database-away.ts'
import type { Queryable } from '../database/pool.ts'
import { inTransaction } from '../database/transaction.ts'
import { addUsage, deliveryOverheadBytes, type AddedUsage } from '../usage/add-usage.ts'
import { decodeContent } from './decode-content.ts'
import { foldDelivery } from './fold-delivery.ts'
import { createPlanCache, type WantedPlan } from './plan-cache.ts'
import { projectReadings } from './project-readings.ts'
import {
  addReadings,
  claimBacklog,
  finishRound,
  queueForFolds,
  type ClaimedRow,
  type NewCellsRow,
} from './queries.ts'
import { partBytesMax, readStoredContent } from './read-stored-content.ts'
import { isParsed, type Reading } from './reading.ts'
import { SentStatements } from './sent-statements.ts'
import { release } from './long-lists.ts'

export interface ReaderLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface ReaderOptions {
  /** Of `createReaderPool`: statements are sent ahead. One connection is used at a time. */
  pool: Pool
  clock: Clock
  log: ReaderLog
  /** Deliveries of one round at most. */
  deliveriesMax?: number
  /** Content of one round at most, in bytes before compression, once for each fold; one delivery above it goes alone. */
  bytesMax?: number
}

/** What one round did. */
export interface Round {
  /** Backlog rows done with; 0 when there was nothing to do. */
  deliveries: number
  rowsRead: number
  rowsRefused: number
  /** There may be more waiting. */
  isFull: boolean
}

export interface Reader {
  /**
   * Takes some backlog, reads it and commits, in one transaction. Any number of readers may do so at once, in any
   * number of processes. Rejects where the database is away, or nothing could be taken at all.
   */
  round(): Promise<Round>
  /** Rounds until nothing is left that can be read now. */
  drain(): Promise<void>
}

const deliveriesMaxDefault = 500
const bytesMaxDefault = 8 * 1024 * 1024
/** Contributions are kept in memory until they are written; past so many, the rest of a batch waits for the next. */
const contributionsMax = 50_000
/** While deliveries come in faster than they are read, one round in so many is for those to be folded anew. */
const anewTurn = 4
const retryDelayMs = 1_000
const retryDelayMsMax = 5 * 60_000
/** Deliveries left alone at once. Where more fail, it is not the deliveries. */
const failingMax = 1_000

/** A fold was retired between the round's first statement and its last. */
class FoldRetiredError extends Error {
  override name = 'FoldRetiredError'
}

interface Failing {
  attempts: number
  /** Milliseconds since 1970. */
  notBeforeMs: number
}

/** A fold of a claimed delivery, with the plan that it wants it folded by. */
interface WantedFold {
  foldId: number
  wanted: WantedPlan
}

/** A fold that a large delivery is still to be read into. */
interface LeftToFold {
  row: ClaimedRow
  foldId: number
}

/** What came of the claimed deliveries of a batch. */
interface Folded {
  done: ClaimedRow[]
  left: LeftToFold[]
  /** Sorted, each (fold, delivery) once. */
  readings: Reading[]
}

interface Batch extends Round {
  failed: { receiveNumber: number; artifactId: string; error: unknown }[]
}

const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

const bySourceAndFold = (a: Reading, b: Reading): number =>
  compare(a.companyId, b.companyId) ||
  compare(a.sourceId, b.sourceId) ||
  a.foldId - b.foldId ||
  a.receiveNumber - b.receiveNumber

/** The folds of a claimed row, each with the plan it wants the delivery folded by. */
const wantedBy = (row: ClaimedRow): WantedFold[] =>
  (row.folds?.split(',') ?? []).map((pair) => {
    const [foldId, foldShapeVersion] = pair.split(':').map(Number)
    return {
      foldId: foldId!,
      wanted: {
        companyId: row.company_id,
        sourceId: row.source_id,
        foldShapeVersion: foldShapeVersion!,
        deliveryShapeVersion: row.shape_version,
      },
    }
  })

/** Leaves deliveries to a later round, each for a fold that it was not read into. */
const queueLeft = async (left: LeftToFold[], sent: SentStatements): Promise<void> =>
  sent.send(queueForFolds, [
    uuidArray(left.map(({ row }) => row.company_id)),
    uuidArray(left.map(({ row }) => row.artifact_id)),
    int4Array(left.map(({ foldId }) => foldId)),
    timestamptzArray(left.map(({ row }) => row.queued_at)),
  ])

/** Writes the outcome of reading; gives back the readings that are the first of their delivery in their fold. */
const writeReadings = async (client: Queryable, readings: Reading[], nowMs: number): Promise<Reading[]> => {
  const count = (pick: (result: Reading['result'] & { state: 'parsed' }) => number): Buffer =>
    int4Array(readings.map(({ result }) => (result.state === 'parsed' ? pick(result) : 0)))
  const written = await addReadings.rows(client, [
    uuidArray(readings.map((reading) => reading.companyId)),
    uuidArray(readings.map((reading) => reading.sourceId)),
    int4Array(readings.map((reading) => reading.foldId)),
    int8Array(readings.map((reading) => reading.receiveNumber)),
    uuidArray(readings.map((reading) => reading.artifactId)),
    textArray(readings.map(({ result }) => result.state)),
    textArray(readings.map(({ result }) => (result.state === 'unreadable' ? result.reason : null))),
    count((result) => result.rowsAccepted),
    count((result) => result.rowsRefused),
    count((result) => result.rowsDateAlone),
    textArray(readings.map(({ result }) => JSON.stringify(result.state === 'parsed' ? result.refusals : []))),
    new Date(nowMs).toISOString(),
  ])
  if (written.length === readings.length) return readings
  const first = new Set(written.map((row) => `${row.fold_id} ${row.receive_number}`))
  return readings.filter((reading) => first.has(`${reading.foldId} ${reading.receiveNumber}`))
}

/** What the companies of a batch hold now that they did not: deliveries read for the first time, and new cells. */
const addedBy = (done: ClaimedRow[], newCells: NewCellsRow[]): Map<string, AddedUsage> => {
  const added = new Map<string, AddedUsage>()
  const of = (companyId: string): AddedUsage => {
    const usage = added.get(companyId) ?? { deliveries: 0, storedBytes: 0, cells: 0 }
    added.set(companyId, usage)
    return usage
  }
  for (const { company_id, fold_id, sandbox, content_bytes } of done) {
    if (fold_id !== 0 || sandbox === null) continue
    const usage = of(company_id)
    usage.deliveries++
    usage.storedBytes += content_bytes + deliveryOverheadBytes
  }
  for (const { company_id, cells } of newCells) of(company_id).cells += cells
  return added
}

/** Takes the claimed rows off the backlog, lets the versions of changed folds grow, and adds to what companies hold. */
const finish = async (
  client: Queryable,
  done: ClaimedRow[],
  readings: Reading[],
  newCells: NewCellsRow[],
): Promise<void> => {
  const folds = new Map<string, { reading: Reading; growth: number }>()
  for (const reading of readings) {
    const key = `${reading.sourceId} ${reading.foldId}`
    const fold = folds.get(key) ?? { reading, growth: 0 }
    if (isParsed(reading) && reading.result.metrics.some(({ periods }) => periods.size > 0)) fold.growth = 1
    folds.set(key, fold)
  }
  // Readings are sorted, and so are their folds.
  const written = [...folds.values()]
  const living = await finishRound.rows(client, [
    done.map((row) => row.position),
    uuidArray(written.map(({ reading }) => reading.companyId)),
    uuidArray(written.map(({ reading }) => reading.sourceId)),
    int4Array(written.map(({ reading }) => reading.foldId)),
    int4Array(written.map(({ growth }) => growth)),
  ])
  if (living.length < written.length) throw new FoldRetiredError('a fold was retired while it was written to')
  // Every statement sent before has been answered by now.
  await addUsage(client, addedBy(done, newCells))
}

/** Reads deliveries from the backlog into the samples of their sources. */
export const createReader = (options: ReaderOptions): Reader => {
  const { pool, clock, log } = options
  const deliveriesMax = options.deliveriesMax ?? deliveriesMaxDefault
  const bytesMax = options.bytesMax ?? bytesMaxDefault
  const plans = createPlanCache()
  const failing = new Map<number, Failing>()
  /** Deliveries to claim next; fewer where the last batch was cut by its bytes, since claimed rows are locked. */
  let claimMax = deliveriesMax
  /** After a batch that failed: so many are taken one at a time, to find the one at fault. */
  let singles = 0
  let wasFull = false
  let fullRounds = 0

  const leftAlone = (nowMs: number): number[] => {
    const numbers: number[] = []
    for (const [receiveNumber, { notBeforeMs }] of failing) {
      if (notBeforeMs > nowMs) numbers.push(receiveNumber)
      // Due long ago and never seen again: another reader read it.
      else if (notBeforeMs < nowMs - 2 * retryDelayMsMax) failing.delete(receiveNumber)
    }
    return numbers
  }

  const leaveAlone = (receiveNumber: number, artifactId: string, error: unknown): void => {
    if (failing.size >= failingMax) throw error
    const attempts = (failing.get(receiveNumber)?.attempts ?? 0) + 1
    const delayMs = Math.min(retryDelayMs * 2 ** (attempts - 1), retryDelayMsMax)
    failing.set(receiveNumber, { attempts, notBeforeMs: clock.now() + delayMs })
    log.error({ err: error, artifactId, attempts, delayMs }, 'a delivery could not be read, it stays queued')
  }

  /** Folds as many of the claimed deliveries as one batch may hold. */
  const fold = async (client: Queryable, rows: ClaimedRow[], batch: Batch): Promise<Folded> => {
    const done: ClaimedRow[] = []
    const left: LeftToFold[] = []
    /** By fold and delivery: two backlog rows may be of one. */
    const readings = new Map<string, Reading>()
    let contributions = 0
    let bytes = 0
    for (const row of rows) {
      const folds = wantedBy(row)
      const bytesFolded = row.content_bytes * folds.length
      if (contributions > contributionsMax || (bytes > 0 && bytes + bytesFolded > bytesMax)) {
        batch.isFull = true
        break
      }
      if (row.sandbox === null) {
        log.warn({ artifactId: row.artifact_id }, 'a delivery is gone that was still to be read')
      } else if (folds.length > 0) {
        // What a delivery says is kept until it is written: a large one is read into one fold at a time.
        const foldsNow = bytesFolded > bytesMax ? folds.slice(0, 1) : folds
        const stored = await readStoredContent(client, row)
        try {
          for (const reading of readRow(row, row.sandbox, stored, foldsNow)) {
            readings.set(`${reading.foldId} ${reading.receiveNumber}`, reading)
            if (!isParsed(reading)) continue
            for (const { cells } of reading.result.metrics) contributions += cells
          }
        } catch (error) {
          const receiveNumber = Number(row.receive_number)
          batch.failed.push({ receiveNumber, artifactId: row.artifact_id, error })
          continue
        }
        for (const { foldId } of folds.slice(foldsNow.length)) left.push({ row, foldId })
        bytes += bytesFolded
      }
      done.push(row)
    }
    return { done, left, readings: [...readings.values()].toSorted(bySourceAndFold) }
  }

  /** Reads one delivery into some folds. */
  const readRow = (row: ClaimedRow, sandbox: boolean, stored: Buffer, folds: WantedFold[]): Reading[] => {
    const content = decodeContent({ ...row, content: stored })
    if (content !== stored) release(stored)
    const readings = folds.map(({ foldId, wanted }): Reading => {
      const { plan, delivers } = plans.get(wanted)
      return {
        companyId: row.company_id,
        sourceId: row.source_id,
        foldId,
        delivers,
        artifactId: row.artifact_id,
        receiveNumber: Number(row.receive_number),
        receivedAt: row.received_at,
        sandbox,
        result: foldDelivery(plan, content, row.form),
      }
    })
    release(content)
    return readings
  }

  const readBatch = async (
    client: PoolClient,
    rowsMax: number,
    onlyAnew: boolean,
    claimed: (rows: ClaimedRow[]) => void,
  ): Promise<Batch> => {
    const batch: Batch = { deliveries: 0, rowsRead: 0, rowsRefused: 0, isFull: false, failed: [] }
    const nowMs = clock.now()
    const rows = await claimBacklog.rows(client, [
      rowsMax,
      bytesMax,
      int8Array(leftAlone(nowMs)),
      onlyAnew ? 1 : 0,
      partBytesMax,
    ])
    claimed(rows)
    if (rows.length === 0) return batch
    await plans.load(
      client,
      rows.flatMap((row) => (row.sandbox === null ? [] : wantedBy(row).map(({ wanted }) => wanted))),
    )
    const { done, left, readings } = await fold(client, rows, batch)
    batch.deliveries = done.length
    const first = readings.length > 0 ? await writeReadings(client, readings, nowMs) : []
    const sent = new SentStatements(client)
    try {
      if (left.length > 0) await queueLeft(left, sent)
      const newCells: NewCellsRow[] = []
      await projectReadings(client, first.filter(isParsed), sent, (rows) => newCells.push(...rows))
      await finish(client, done, first, newCells)
    } finally {
      // Where one of those sent ahead failed, whatever was waited for failed because of it.
      await sent.answered()
    }
    for (const { result } of first.filter(isParsed)) {
      batch.rowsRead += result.rowsAccepted
      batch.rowsRefused += result.rowsRefused
    }
    return batch
  }

  const round = async (): Promise<Round> => {
    const rowsMax = singles > 0 ? 1 : claimMax
    const onlyAnew = wasFull && singles === 0 && ++fullRounds % anewTurn === 0
    let rows: ClaimedRow[] = []
    let batch: Batch
    try {
      batch = await inTransaction(pool, (client) =>
        readBatch(client, rowsMax, onlyAnew, (claimed) => (rows = claimed)),
      )
    } catch (error) {
      if (isDatabaseAway(error) || rows.length === 0) throw error
      const nothing = { deliveries: 0, rowsRead: 0, rowsRefused: 0, isFull: true }
      if (error instanceof FoldRetiredError) return nothing
      if (rows.length > 1) {
        log.warn(
          { err: error, deliveries: rows.length },
          'a batch could not be read, its deliveries go one by one',
        )
        singles = rows.length
        return nothing
      }
      singles = Math.max(0, singles - 1)
      leaveAlone(Number(rows[0]!.receive_number), rows[0]!.artifact_id, error)
      return nothing
    }

    const failed = new Set(batch.failed.map(({ receiveNumber }) => receiveNumber))
    if (failing.size > 0) {
      for (const row of rows)
        if (!failed.has(Number(row.receive_number))) failing.delete(Number(row.receive_number))
    }
    for (const { receiveNumber, artifactId, error } of batch.failed)
      leaveAlone(receiveNumber, artifactId, error)
    if (singles > 0) {
      singles = rows.length === 0 ? 0 : singles - 1
      return { ...batch, isFull: rows.length > 0 }
    }
    const isCut = rows.length > 0 && rows.length < rows[0]!.taken
    const isFull = onlyAnew || batch.isFull || isCut || rows.length === claimMax
    wasFull = isFull
    // Rows claimed beyond the bytes of a batch are locked for nothing.
    claimMax = isCut ? rows.length : Math.min(deliveriesMax, claimMax * 2)
    return { ...batch, isFull }
  }

  return {
    round,
    drain: async () => {
      for (;;) {
        const { deliveries, isFull } = await round()
        if (deliveries === 0 && !isFull) return
      }
    },
  }
}
