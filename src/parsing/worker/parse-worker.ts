import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Clock } from '../../clock/clock.ts'
import { int4Array, int8Array, textArray, uuidArray } from '../../database/binary-array.ts'
import { isDatabaseAway } from '../../database/is-database-away.ts'
import type { Queryable } from '../../database/pool.ts'
import { inTransaction } from '../../database/transaction.ts'
import { addUsage, deliveryOverheadBytes, type AddedUsage } from '../../usage/add-usage.ts'
import { firstUuid, lastUuid } from '../../backlog/company-turns.ts'
import { decodeContent } from '../decode/decode-content.ts'
import { aggregateDelivery } from '../decode/aggregate-delivery.ts'
import { createPlanCache, type WantedPlan } from './plan-cache.ts'
import { projectParseResults, type CellsAdded } from '../project/project-parse-results.ts'
import { isMarkedLane, laneCycle, lanes, type Lane } from '../../backlog/lanes.ts'
import {
  addAttempt,
  addParseResults,
  claimBacklog,
  claimFirst,
  finishRound,
  giveBack,
  markBacklog,
  markRetry,
  queueForProjections,
  takeApart,
  takeMarked,
  type BacklogKey,
  type ClaimedRow,
  type ClaimParams,
  type NothingClaimed,
} from '../project/queries.ts'
import { partBytesMax, readStoredContent } from './read-stored-content.ts'
import { isParsed, type ParseResult } from '../project/parse-result.ts'
import { SentStatements } from '../project/pipelined-statements.ts'
import { release } from '../tables/long-lists.ts'

export interface WorkerLog {
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

export interface ParseWorkerOptions {
  /** Of `createWorkerPool`: statements are sent ahead. One connection is used at a time. */
  pool: Pool
  clock: Clock
  log: WorkerLog
  /** What it reads; everything where nothing is said. */
  lanes?: readonly Lane[]
  /** Deliveries of one round at most. */
  deliveriesMax?: number
  /** Content of one round at most, in bytes before compression, once for each projection; one delivery above it goes alone. */
  bytesMax?: number
}

/** What one round did. */
export interface Round {
  /** Backlog rows done with; 0 when there was nothing to do. */
  deliveries: number
  rowsRead: number
  rowsRefused: number
  /** Cells that there were not before. */
  cellsAdded: number
  /** There may be more waiting. */
  isFull: boolean
}

export interface ParseWorker {
  /**
   * Takes some backlog of one lane, reads it and commits, in one transaction. Any number of workers may do so at once, in
   * any number of processes. Rejects where the database is away, or nothing could be taken at all.
   */
  round(): Promise<Round>
  /** Rounds until nothing is left that can be read now. */
  drain(): Promise<void>
}

/** Deliveries of a round; the rest waits for the next. */
export const roundDeliveriesMax = 500
/** Bytes of their content before compression; the rest waits for the next round, and a larger delivery goes alone. */
export const roundBytesMax = 8 * 1024 * 1024
/**
 * Companies that share a round, each with as many deliveries; the next round begins behind them. So a company that sends
 * without end has its share only.
 */
export const roundCompaniesMax = 64
/**
 * About what a round writes, in bytes (`write-allowance.ts`): the delivery that comes to more is the last, and the rest waits
 * for the next round.
 */
export const roundWrittenBytesMax = 24 * 1024 * 1024
/** The same of small deliveries. It is less, so that the next one waits a second or so. */
export const smallRoundWrittenBytesMax = 4 * 1024 * 1024
/**
 * How long a round of small deliveries waits for rows that another worker has locked. A larger delivery of the same company
 * may have them for as long as it is written: then that company's small ones wait, and nobody else's.
 */
export const smallRoundLockTimeoutMs = 500
/** How long a delivery that could not be read is left alone, in milliseconds; each time for twice as long. */
export const retryDelayMs = 1_000
/** The longest that it is left alone; it grows no further. Milliseconds. */
export const retryDelayMsMax = 60 * 60_000
/**
 * How long a company's small deliveries are left alone that had to wait for a lock, in milliseconds; each time for
 * twice as long.
 */
export const blockedMs = 500
/** The longest that they are left alone; it grows no further. Milliseconds. */
export const blockedMsMax = 4_000

/** Between two looks at what waits for locks, where nothing else is left. */
const drainPauseMs = 20

/** SQLSTATE of a statement that waited for a lock for too long. */
const lockNotAvailable = '55P03'

/** Small deliveries that are taken without regard to companies where none waited before, or of a company that goes alone. */
const firstMax = 64
/** Companies that are looked through for one whose retries are due. */
const retryCompaniesMax = 10_000

const lockTimeout = `set local lock_timeout = ${smallRoundLockTimeoutMs}`

/** A projection was retired between the round's first statement and its last. */
class ProjectionRetiredError extends Error {
  override name = 'ProjectionRetiredError'
}

/** How far a worker is in a lane. */
interface LaneState {
  /** The company that was served last. */
  after: string
  /** Deliveries to claim next; fewer where the last batch was cut by its bytes, since claimed rows are locked. */
  claimMax: number
  /**
   * All companies have had their turn since this reader began. What ended the worker before is the oldest of its company:
   * until then all that is claimed is marked.
   */
  isKnown: boolean
  /** Nothing was left waiting the last time, not even what others have locked. */
  isQuiet: boolean
}

/** A company whose small deliveries waited for a lock; instants as of `performance.now`. */
interface Blocked {
  untilMs: number
  delayMs: number
}

/** A projection of a claimed delivery, with the plan that it wants it aggregated by. */
interface WantedProjection {
  projectionId: number
  wanted: WantedPlan
}

/** A projection that a large delivery is still to be read into. */
interface LeftToParse {
  row: ClaimedRow
  projectionId: number
}

interface Failed {
  row: ClaimedRow
  error: unknown
}

/** What came of the claimed deliveries of a batch. */
interface AggregatedBatch {
  done: ClaimedRow[]
  failed: Failed[]
  /** Claimed, and left for another round. */
  untouched: ClaimedRow[]
  left: LeftToParse[]
  /** Sorted, each (projection, delivery) once. */
  results: ParseResult[]
}

interface Batch extends Round {
  failed: Failed[]
  /** Of all that were claimed, how many were read or failed: they come first. */
  taken: number
}

const nothing: Round = { deliveries: 0, rowsRead: 0, rowsRefused: 0, cellsAdded: 0, isFull: false }

const compare = <T>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

const bySourceAndProjection = (a: ParseResult, b: ParseResult): number =>
  compare(a.companyId, b.companyId) ||
  compare(a.sourceId, b.sourceId) ||
  a.projectionId - b.projectionId ||
  a.receiveNumber - b.receiveNumber

/** The projections of a claimed row, each with the plan it wants the delivery aggregated by. */
const wantedBy = (row: ClaimedRow): WantedProjection[] =>
  (row.projections?.split(',') ?? []).map((pair) => {
    const [projectionId, projectionShapeVersion] = pair.split(':').map(Number)
    return {
      projectionId: projectionId!,
      wanted: {
        companyId: row.company_id,
        sourceId: row.source_id,
        projectionShapeVersion: projectionShapeVersion!,
        deliveryShapeVersion: row.shape_version,
      },
    }
  })

/** Leaves deliveries to a later round, each for a projection that it was not read into. */
const queueLeft = async (left: LeftToParse[], sent: SentStatements): Promise<void> =>
  sent.send(queueForProjections, [
    left.map(({ row }) => row.position),
    int4Array(left.map(({ projectionId }) => projectionId)),
  ])

/** Writes the outcome of reading; gives back the readings that are the first of their delivery in their projection. */
const writeParseResults = async (
  client: Queryable,
  results: ParseResult[],
  nowMs: number,
): Promise<ParseResult[]> => {
  const count = (pick: (outcome: ParseResult['outcome'] & { state: 'parsed' }) => number): Buffer =>
    int4Array(results.map(({ outcome }) => (outcome.state === 'parsed' ? pick(outcome) : 0)))
  const written = await addParseResults.rows(client, [
    uuidArray(results.map((result) => result.companyId)),
    uuidArray(results.map((result) => result.sourceId)),
    int4Array(results.map((result) => result.projectionId)),
    int8Array(results.map((result) => result.receiveNumber)),
    uuidArray(results.map((result) => result.artifactId)),
    textArray(results.map(({ outcome }) => outcome.state)),
    textArray(results.map(({ outcome }) => (outcome.state === 'unreadable' ? outcome.reason : null))),
    count((result) => result.rowsAccepted),
    count((result) => result.rowsRefused),
    count((result) => result.rowsDateAlone),
    textArray(
      results.map(({ outcome }) => JSON.stringify(outcome.state === 'parsed' ? outcome.refusals : [])),
    ),
    new Date(nowMs).toISOString(),
  ])
  if (written.length === results.length) return results
  const first = new Set(written.map((row) => `${row.projection_id} ${row.receive_number}`))
  return results.filter((result) => first.has(`${result.projectionId} ${result.receiveNumber}`))
}

/** What the companies of a batch hold now that they did not: deliveries read for the first time, and new cells. */
const addedBy = (done: ClaimedRow[], cellsAdded: CellsAdded): Map<string, AddedUsage> => {
  const added = new Map<string, AddedUsage>()
  const of = (companyId: string): AddedUsage => {
    const usage = added.get(companyId) ?? { deliveries: 0, storedBytes: 0, cells: 0 }
    added.set(companyId, usage)
    return usage
  }
  for (const { company_id, projection_id, sandbox, content_bytes } of done) {
    // Rows for a single projection are of deliveries that were counted before.
    if (projection_id !== null || sandbox === null) continue
    const usage = of(company_id)
    usage.deliveries++
    usage.storedBytes += content_bytes + deliveryOverheadBytes
  }
  for (const [companyId, cells] of cellsAdded) of(companyId).cells += cells
  return added
}

/** Takes the claimed rows off the backlog, lets the versions of changed projections grow, and adds to what companies hold. */
const finish = async (
  client: Queryable,
  done: ClaimedRow[],
  results: ParseResult[],
  cellsAdded: CellsAdded,
): Promise<void> => {
  const projections = new Map<string, { result: ParseResult; growth: number }>()
  for (const result of results) {
    const key = `${result.sourceId} ${result.projectionId}`
    const projection = projections.get(key) ?? { result, growth: 0 }
    if (isParsed(result) && result.outcome.metrics.some(({ periods }) => periods.size > 0))
      projection.growth = 1
    projections.set(key, projection)
  }
  // Readings are sorted, and so are their projections.
  const written = [...projections.values()]
  const active = await finishRound.rows(client, [
    done.map((row) => row.position),
    uuidArray(written.map(({ result }) => result.companyId)),
    uuidArray(written.map(({ result }) => result.sourceId)),
    int4Array(written.map(({ result }) => result.projectionId)),
    int4Array(written.map(({ growth }) => growth)),
  ])
  if (active.length < written.length)
    throw new ProjectionRetiredError('a projection was retired while it was written to')
  // Every statement sent before has been answered by now, so that all new cells are counted.
  await addUsage(client, addedBy(done, cellsAdded))
}

const keyArrays = (rows: readonly BacklogKey[]): [Buffer, Buffer, Buffer] => [
  uuidArray(rows.map((row) => row.company_id)),
  int8Array(rows.map((row) => Number(row.receive_number))),
  int4Array(rows.map((row) => row.projection_id ?? 0)),
]

const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === lockNotAvailable

/** Reads deliveries from the backlog into the samples of their sources. */
export const createParseWorker = (options: ParseWorkerOptions): ParseWorker => {
  const { pool, clock, log } = options
  const deliveriesMax = options.deliveriesMax ?? roundDeliveriesMax
  const bytesMax = options.bytesMax ?? roundBytesMax
  const own = options.lanes ?? laneCycle
  const cycle = laneCycle.filter((lane) => own.includes(lane))
  const plans = createPlanCache()
  const states = new Map<Lane, LaneState>()
  const blocked = new Map<string, Blocked>()
  let rounds = 0

  const stateOf = (lane: Lane): LaneState => {
    let state = states.get(lane)
    if (!state)
      states.set(
        lane,
        (state = { after: firstUuid, claimMax: deliveriesMax, isKnown: false, isQuiet: false }),
      )
    return state
  }

  const now = (): string => new Date(clock.now()).toISOString()

  /** Projections as many of the claimed deliveries as one batch may hold. */
  const parse = async (client: Queryable, lane: Lane, rows: ClaimedRow[]): Promise<AggregatedBatch> => {
    const done: ClaimedRow[] = []
    const failed: Failed[] = []
    const left: LeftToParse[] = []
    let untouched: ClaimedRow[] = []
    /** By projection and delivery: two backlog rows may be of one. */
    const results = new Map<string, ParseResult>()
    const writtenMax = lane === 'small' ? smallRoundWrittenBytesMax : roundWrittenBytesMax
    let written = 0
    let bytes = 0
    for (const [index, row] of rows.entries()) {
      const projections = wantedBy(row)
      const bytesAggregated = row.content_bytes * projections.length
      if (written > writtenMax || (bytes > 0 && bytes + bytesAggregated > bytesMax)) {
        untouched = rows.slice(index)
        break
      }
      if (row.sandbox === null) {
        log.warn({ artifactId: row.artifact_id }, 'a delivery is gone that was still to be read')
      } else if (projections.length > 0) {
        // What a delivery says is kept until it is written: a large one is read into one projection at a time.
        const projectionsNow = bytesAggregated > bytesMax ? projections.slice(0, 1) : projections
        const stored = await readStoredContent(client, row)
        try {
          for (const result of readRow(row, row.sandbox, stored, projectionsNow)) {
            results.set(`${result.projectionId} ${result.receiveNumber}`, result)
            if (isParsed(result)) written += result.outcome.writtenBytes
          }
        } catch (error) {
          failed.push({ row, error })
          continue
        }
        for (const { projectionId } of projections.slice(projectionsNow.length))
          left.push({ row, projectionId })
        bytes += bytesAggregated
      }
      done.push(row)
    }
    return { done, failed, untouched, left, results: [...results.values()].toSorted(bySourceAndProjection) }
  }

  /** Reads one delivery into some projections. */
  const readRow = (
    row: ClaimedRow,
    sandbox: boolean,
    stored: Buffer,
    projections: WantedProjection[],
  ): ParseResult[] => {
    const content = decodeContent({ ...row, content: stored })
    if (content !== stored) release(stored)
    const results = projections.map(({ projectionId, wanted }): ParseResult => {
      const { plan, delivers } = plans.get(wanted)
      return {
        companyId: row.company_id,
        sourceId: row.source_id,
        projectionId,
        delivers,
        artifactId: row.artifact_id,
        receiveNumber: Number(row.receive_number),
        receivedAt: row.received_at,
        sandbox,
        outcome: aggregateDelivery(plan, content, row.format),
      }
    })
    release(content)
    return results
  }

  /** Reads what was claimed. `isMarked`: that it is tried was written down before. */
  const readBatch = async (
    client: PoolClient,
    lane: Lane,
    rows: ClaimedRow[],
    isMarked: boolean,
  ): Promise<Batch> => {
    const nowMs = clock.now()
    await plans.load(
      client,
      rows.flatMap((row) => (row.sandbox === null ? [] : wantedBy(row).map(({ wanted }) => wanted))),
    )
    const { done, failed, untouched, left, results } = await parse(client, lane, rows)
    const first = results.length > 0 ? await writeParseResults(client, results, nowMs) : []
    const parsed = first.filter(isParsed)
    const sent = new SentStatements(client)
    let cellsAdded: CellsAdded
    try {
      if (left.length > 0) await queueLeft(left, sent)
      cellsAdded = await projectParseResults(client, parsed, sent)
      if (failed.length > 0 && !isMarked) {
        const keys = keyArrays(failed.map(({ row }) => row))
        await sent.send(addAttempt, [...keys, now(), retryDelayMs, retryDelayMsMax])
      }
      if (isMarked && untouched.length > 0) await sent.send(giveBack, keyArrays(untouched))
      await finish(client, done, first, cellsAdded)
    } finally {
      // Where one of those sent ahead failed, whatever was waited for failed because of it.
      await sent.answered()
    }
    const sum = (of: (outcome: (typeof parsed)[number]['outcome']) => number): number =>
      parsed.reduce((total, { outcome }) => total + of(outcome), 0)
    return {
      deliveries: done.length,
      rowsRead: sum((result) => result.rowsAccepted),
      rowsRefused: sum((result) => result.rowsRefused),
      cellsAdded: [...cellsAdded.values()].reduce((total, cells) => total + cells, 0),
      isFull: untouched.length > 0,
      failed,
      taken: rows.length - untouched.length,
    }
  }

  const claimParams = (lane: Lane): ClaimParams => {
    const { after, claimMax } = stateOf(lane)
    const leftAlone = lane === 'small' ? [...blocked.keys()] : []
    return [lanes[lane], after, roundCompaniesMax, claimMax, bytesMax, uuidArray(leftAlone)]
  }

  /** Goes on behind companies whose rows others have all locked, until it has been at every company of the lane. */
  const claim = async <Row extends { company_id: string }>(
    lane: Lane,
    run: (params: ClaimParams) => Promise<(Row | NothingClaimed)[]>,
  ): Promise<Row[]> => {
    const state = stateOf(lane)
    const start = state.after
    for (let timesAround = 0; ;) {
      const [first, ...rest] = await run(claimParams(lane))
      if (first!.company_id !== null) return [first as Row, ...(rest as Row[])]
      const { is_locked: isLocked, searched_to: searchedTo } = first as NothingClaimed
      state.isQuiet = !isLocked
      if (searchedTo === null) return []
      if (searchedTo <= state.after) timesAround++
      state.after = searchedTo
      if (timesAround > 1 || (timesAround === 1 && searchedTo >= start)) return []
    }
  }

  const mark = async (lane: Lane): Promise<BacklogKey[]> => {
    const pauses = [retryDelayMs, retryDelayMsMax] as const
    if (lane !== 'retry')
      return claim(lane, (params) => markBacklog.rows(pool, [...params, now(), ...pauses]))
    return markRetry.rows(pool, [now(), stateOf(lane).after, retryCompaniesMax, ...pauses])
  }

  /** Marks some backlog of a lane, then reads it in a transaction of its own. */
  const markedBatch = async (lane: Lane, tell: (rows: ClaimedRow[]) => void): Promise<Batch | undefined> => {
    const marked = await mark(lane)
    if (marked.length === 0) return undefined
    return inTransaction(pool, async (client) => {
      const rows = await takeMarked.rows(client, [...keyArrays(marked), partBytesMax])
      tell(rows)
      if (lane === 'small') await client.query(lockTimeout)
      return readBatch(client, lane, rows, true)
    })
  }

  /** Claims some backlog of a lane, or of one company in it, and reads it, in one transaction. */
  const plainBatch = async (
    lane: Lane,
    company: string | undefined,
    tell: (rows: ClaimedRow[]) => void,
  ): Promise<Batch | undefined> =>
    inTransaction(pool, async (client) => {
      // Answered before the claim is, which is sent right behind it.
      const set = lane === 'small' ? client.query(lockTimeout) : undefined
      set?.catch(() => {})
      const isFirst = lane === 'small' && stateOf(lane).isQuiet && blocked.size === 0
      const rows =
        company === undefined && !isFirst
          ? await claim(lane, (params) => claimBacklog.rows(client, [...params, partBytesMax]))
          : await claimFirst.rows(client, [
              lanes[lane],
              company ?? firstUuid,
              company ?? lastUuid,
              Math.min(firstMax, deliveriesMax),
              partBytesMax,
            ])
      tell(rows)
      return rows.length === 0 ? undefined : readBatch(client, lane, rows, false)
    })

  const logFailed = ({ row, error }: Failed, isMarked: boolean): void => {
    const attempts = (row.attempts ?? 0) + (isMarked ? 0 : 1)
    const delayMs = Math.min(retryDelayMs * 2 ** (attempts - 1), retryDelayMsMax)
    const { artifact_id: artifactId } = row
    log.error({ err: error, artifactId, attempts, delayMs }, 'a delivery could not be read, it stays queued')
  }

  /** After a batch failed as a whole: sees to it that what was at fault is found, and the others are read. */
  const onFault = async (
    lane: Lane,
    rows: ClaimedRow[],
    isMarked: boolean,
    error: unknown,
  ): Promise<void> => {
    const keys = keyArrays(rows)
    if (error instanceof ProjectionRetiredError) {
      if (isMarked) await takeApart.run(pool, [...keys, now(), 1])
    } else if (lane === 'small' && isLockTimeout(error)) {
      if (isMarked) await giveBack.run(pool, keys)
      leaveAlone(new Set(rows.map((row) => row.company_id)))
    } else if (rows.length > 1) {
      const details = { err: error, deliveries: rows.length }
      log.warn(details, 'a batch could not be read, its deliveries go one by one')
      await takeApart.run(pool, [...keys, now(), isMarked ? 1 : 0])
    } else {
      if (!isMarked) await addAttempt.run(pool, [...keys, now(), retryDelayMs, retryDelayMsMax])
      logFailed({ row: rows[0]!, error }, isMarked)
    }
  }

  /** Of several companies nobody knows which one had to wait: each goes alone once, at once. */
  const leaveAlone = (companies: Set<string>): void => {
    for (const company of companies) {
      const before = blocked.get(company)
      const delayMs = companies.size > 1 ? 0 : Math.min((before?.delayMs ?? 0) * 2 || blockedMs, blockedMsMax)
      blocked.set(company, { untilMs: performance.now() + delayMs, delayMs })
    }
  }

  /** A company that was left alone and may be tried again, by itself. */
  const dueCompany = (): string | undefined => {
    if (blocked.size === 0) return undefined
    const nowMs = performance.now()
    for (const [company, { untilMs }] of blocked) if (untilMs <= nowMs) return company
    return undefined
  }

  /** Goes on behind the companies that were served. Says whether there may be more. */
  const goOn = (lane: Lane, rows: ClaimedRow[], batch: Batch): boolean => {
    const state = stateOf(lane)
    // Of one row that is small and had room beside it, it is known that there was no other.
    const isFull = batch.isFull || rows.length > 1 || isMarkedLane[lane] || state.claimMax < roundCompaniesMax
    // Each company's first delivery comes before any one's second: the last company that is new was served last.
    const companies = new Set<string>()
    let after = ''
    for (const { company_id: company } of rows.slice(0, Math.max(1, batch.taken))) {
      if (companies.has(company)) continue
      companies.add(company)
      after = company
    }
    if (!isFull || after <= state.after) state.isKnown = true
    state.isQuiet = !isFull
    state.after = after
    // Rows claimed beyond the bytes of a batch are locked for nothing: as many next time as had room of these.
    const bytes = rows.reduce((sum, row) => sum + (row.sandbox === null ? 0 : row.content_bytes), 1)
    state.claimMax = Math.max(1, Math.min(deliveriesMax, Math.floor((rows.length * bytesMax) / bytes)))
    return isFull
  }

  /** One round of one lane, or of one company in it; undefined where nothing could be taken. */
  const laneRound = async (lane: Lane, company?: string): Promise<Round | undefined> => {
    const isMarked = company === undefined && (isMarkedLane[lane] || !stateOf(lane).isKnown)
    let rows: ClaimedRow[] = []
    const tell = (claimed: ClaimedRow[]): void => {
      rows = claimed
    }
    let batch: Batch | undefined
    try {
      batch = await (isMarked ? markedBatch(lane, tell) : plainBatch(lane, company, tell))
    } catch (error) {
      if (isDatabaseAway(error) || rows.length === 0) throw error
      await onFault(lane, rows, isMarked, error)
      return { ...nothing, isFull: true }
    }
    if (company !== undefined) blocked.delete(company)
    else if (batch === undefined) stateOf(lane).isKnown = true
    if (batch === undefined) return undefined
    for (const failed of batch.failed) logFailed(failed, isMarked)
    // Of marked rows all may be somebody else's by now.
    if (company !== undefined || rows.length === 0) return { ...batch, isFull: true }
    return { ...batch, isFull: goOn(lane, rows, batch) }
  }

  const round = async (): Promise<Round> => {
    const turn = rounds++
    const company = own.includes('small') && turn % 2 === 1 ? dueCompany() : undefined
    if (company !== undefined) {
      const read = await laneRound('small', company)
      if (read !== undefined) return read
    }
    const preferred = cycle[turn % cycle.length]!
    for (const lane of new Set([preferred, ...cycle])) {
      const read = await laneRound(lane)
      if (read !== undefined) return read
    }
    return { ...nothing, isFull: dueCompany() !== undefined }
  }

  return {
    round,
    drain: async () => {
      for (;;) {
        const { deliveries, isFull } = await round()
        if (deliveries > 0 || isFull) continue
        if (blocked.size === 0) return
        // They wait for a lock, which somebody gives back.
        await sleep(drainPauseMs)
      }
    },
  }
}
