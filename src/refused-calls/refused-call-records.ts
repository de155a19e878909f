import type { Context } from '../service/context.ts'
import { boolArray, int4Array, textArray, timestamptzArray, uuidArray } from '../database/binary-array.ts'
import type { Queryable } from '../database/pool.ts'
import { createRecordBatches, type RecordBatches } from '../database/record-batches.ts'
import { createBatchObserver } from '../telemetry/observe-batch.ts'
import { uuidv7 } from '../values/uuidv7.ts'
import { deleteBeyond, insertRefusedCalls } from './queries.ts'
import type { RefusedCall } from './refused-call.ts'

/** Refused calls that are kept of a connection, and of a webhook address; older ones are deleted as newer ones come. */
export const keptByCallerMax = 200

/** Unsigned calls that are kept of a webhook address, beside those of its sender. */
export const strangersKeptMax = 50

/** How long like calls gather, in milliseconds: they become one row. */
export const likeCallsMs = 1_000

/** Different calls of one connection or address that are recorded within `likeCallsMs`; further ones are lost, and counted. */
export const gatheredByCallerMax = 20

/** The same of all together, in one process. */
export const gatheredMax = 2_000

/** Of them, those of one company; those that name no company of theirs share such a part, by their channel. */
export const gatheredByCompanyMax = 250

/** Of them, unsigned ones: strangers leave room for those who are known. */
export const strangersGatheredMax = 200

interface Entry extends RefusedCall {
  callId: string
  calls: number
}

/**
 * Keeps refused calls, apart from the calls: none waits for its record (`database/record-batches.ts`). A caller that is refused
 * thousands of times a second takes a row a second. Disposing of it writes what is left.
 */
export function createRefusedCallRecords(
  context: Pick<Context, 'pool' | 'log' | 'telemetry'>,
): RecordBatches<RefusedCall> {
  return new GatheredCalls(context)
}

class GatheredCalls implements RecordBatches<RefusedCall> {
  readonly #batches: RecordBatches<Entry>
  /** By what like calls have in common. */
  readonly #gathered = new Map<string, Entry>()
  /** How many of each that has a share. */
  readonly #shares = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  readonly #lose: (count: number) => void

  constructor({ pool, log, telemetry }: Pick<Context, 'pool' | 'log' | 'telemetry'>) {
    this.#lose = (count) => telemetry.refusedCallsUnrecorded.inc(count)
    this.#batches = createRecordBatches<Entry>({
      // They have gathered already; it is how soon a batch that failed is tried again, too.
      everyMs: 250,
      write: (entries) => write(pool, entries),
      onBatch: createBatchObserver(telemetry, 'refused_calls'),
      onFailure: (err) => log.warn({ err }, 'refused calls cannot be recorded now'),
      onLoss: this.#lose,
    })
  }

  add(call: RefusedCall): void {
    const { callerId, signed, companyId, sourceId, method, path, status, code, field } = call
    const key = [callerId, signed, companyId, sourceId, method, path, status, code, field].join(' ')
    const like = this.#gathered.get(key)
    if (like !== undefined) {
      like.calls++
      like.calledAtMs = call.calledAtMs
      return
    }
    const shares = sharesOf(call)
    const isFull = shares.some(([name, max]) => this.#takenOf(name) >= max)
    if (isFull || this.#gathered.size >= gatheredMax) return this.#lose(1)
    this.#gathered.set(key, { ...call, calls: 1, callId: uuidv7(call.calledAtMs) })
    for (const [name] of shares) this.#shares.set(name, this.#takenOf(name) + 1)
    this.#timer ??= setTimeout(() => this.#pass(), likeCallsMs).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pass()
    await this.#batches[Symbol.asyncDispose]()
  }

  #takenOf(share: string): number {
    return this.#shares.get(share) ?? 0
  }

  #pass(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const entry of this.#gathered.values()) this.#batches.add(entry)
    this.#gathered.clear()
    this.#shares.clear()
  }
}

/** What a call takes a part of, each with how many may; of an address, signed and unsigned ones apart. */
function sharesOf({ callerId, signed, companyId, channel }: RefusedCall): [share: string, max: number][] {
  return [
    [`caller ${callerId} ${signed}`, gatheredByCallerMax],
    signed ? [`company ${companyId ?? channel}`, gatheredByCompanyMax] : ['strangers', strangersGatheredMax],
  ]
}

/** Writes the calls of those callers that there are, and deletes what each has beyond its bound. */
async function write(on: Queryable, entries: readonly Entry[]): Promise<void> {
  const written = await insertRefusedCalls.rows(on, {
    callIds: uuidArray(entries.map((entry) => entry.callId)),
    callerIds: uuidArray(entries.map((entry) => entry.callerId)),
    signed: boolArray(entries.map((entry) => entry.signed)),
    channels: textArray(entries.map((entry) => entry.channel)),
    companyIds: uuidArray(entries.map((entry) => entry.companyId)),
    sourceIds: uuidArray(entries.map((entry) => entry.sourceId)),
    methods: textArray(entries.map((entry) => entry.method)),
    paths: textArray(entries.map((entry) => entry.path)),
    statuses: int4Array(entries.map((entry) => entry.status)),
    codes: textArray(entries.map((entry) => entry.code)),
    fields: textArray(entries.map((entry) => entry.field)),
    calls: int4Array(entries.map((entry) => entry.calls)),
    instants: timestamptzArray(entries.map((entry) => entry.calledAtMs)),
  })
  const callers = new Map(written.map((row) => [`${row.company_id} ${row.caller_id} ${row.signed}`, row]))
  if (callers.size === 0) return
  // In one order for all processes, so that two do not deadlock.
  const sorted = [...callers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  await deleteBeyond.run(on, {
    companyIds: uuidArray(sorted.map((row) => row.company_id)),
    callerIds: uuidArray(sorted.map((row) => row.caller_id)),
    signed: boolArray(sorted.map((row) => row.signed)),
    signedMax: keptByCallerMax,
    unsignedMax: strangersKeptMax,
  })
}
