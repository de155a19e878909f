import type { Context, DirectoryContext } from '../../context.ts'
import {
  boolArray,
  int4Array,
  textArray,
  timestamptzArray,
  uuidArray,
} from '../../platform/database/binary-array.ts'
import { OverloadedError } from '../../platform/database/overloaded-error.ts'
import { createRecordBatches, type RecordBatches } from '../../platform/database/record-batches.ts'
import { createBatchObserver } from '../../platform/telemetry/observe-batch.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { deleteBeyond, insertRefusedCalls, selectCallersCompanies } from './queries.ts'
import type { RefusedCall } from './refused-call.ts'

/** Refused calls that are stored for a connection or a webhook address; newer ones replace older ones. */
export const keptByCallerMax = 200

/** Unsigned calls that are stored for a webhook address, in addition to those of its sender. */
export const strangersKeptMax = 50

/** For how long like calls are gathered into one row, in milliseconds. */
const likeCallsDefaultMs = 1_000

/** Different calls of one connection or address that are gathered at the same time; further ones are only counted. */
export const gatheredByCallerMax = 20

/** The same for all callers of one process. */
const gatheredMax = 2_000

/** Of them, those of one company; calls that name no company share this bound by their channel. */
export const gatheredByCompanyMax = 250

/** Of them, unsigned ones, which leave the rest to known callers. */
export const strangersGatheredMax = 200

const uniqueViolation = '23505'

interface Entry extends RefusedCall {
  callId: string
  calls: number
}

/**
 * Stores refused calls without delaying them (`database/record-batches.ts`). A caller that is refused thousands of times a second
 * takes one row a second. Disposing of it writes the rest.
 */
export function createRefusedCallRecords(
  context: Pick<DirectoryContext, 'pool' | 'shards' | 'log' | 'telemetry'>,
  likeCallsMs = likeCallsDefaultMs,
): RecordBatches<RefusedCall> {
  return new GatheredCalls(context, likeCallsMs)
}

class GatheredCalls implements RecordBatches<RefusedCall> {
  readonly #batches: RecordBatches<Entry>
  /** By everything that like calls have in common. */
  readonly #gathered = new Map<string, Entry>()
  /** How many calls count towards each bound. */
  readonly #shares = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  readonly #lose: (count: number) => void
  readonly #likeCallsMs: number

  constructor(
    { pool, shards, log, telemetry }: Pick<DirectoryContext, 'pool' | 'shards' | 'log' | 'telemetry'>,
    likeCallsMs: number,
  ) {
    this.#likeCallsMs = likeCallsMs
    this.#lose = (count) => telemetry.refusedCallsUnrecorded.inc(count)
    this.#batches = createRecordBatches<Entry>({
      // The calls have been gathered before; it is also how soon a failed batch is retried.
      everyMs: Math.min(250, likeCallsMs),
      write: (entries) => writeByShard({ pool, shards }, entries),
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
    const shares = toShares(call)
    const isFull = shares.some(([name, max]) => this.#used(name) >= max)
    if (isFull || this.#gathered.size >= gatheredMax) return this.#lose(1)
    this.#gathered.set(key, { ...call, calls: 1, callId: uuidv7(call.calledAtMs) })
    for (const [name] of shares) this.#shares.set(name, this.#used(name) + 1)
    this.#timer ??= setTimeout(() => this.#flush(), this.#likeCallsMs).unref()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#flush()
    await this.#batches[Symbol.asyncDispose]()
  }

  #used(share: string): number {
    return this.#shares.get(share) ?? 0
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const entry of this.#gathered.values()) this.#batches.add(entry)
    this.#gathered.clear()
    this.#shares.clear()
  }
}

/** The bounds that a call counts towards; those of an address are separate for signed and unsigned calls. */
function toShares({ callerId, signed, companyId, channel }: RefusedCall): [share: string, max: number][] {
  return [
    [`caller ${callerId} ${signed}`, gatheredByCallerMax],
    signed ? [`company ${companyId ?? channel}`, gatheredByCompanyMax] : ['strangers', strangersGatheredMax],
  ]
}

/** A call that named no company is its connection's or its webhook source's; calls of unknown callers are not written. */
async function writeByShard(
  { pool, shards }: Pick<DirectoryContext, 'pool' | 'shards'>,
  entries: readonly Entry[],
): Promise<void> {
  const companies = await selectCallersCompanies.rows(pool, {
    callerIds: uuidArray(entries.map((entry) => entry.callerId)),
    companyIds: uuidArray(entries.map((entry) => entry.companyId)),
    channels: textArray(entries.map((entry) => entry.channel)),
  })
  // Nothing is written yet, so all of them are tried again.
  if (companies.some(({ held }) => held)) throw new OverloadedError('a company moves to another shard')
  const known = entries.flatMap((entry, index) => {
    const { company_id: companyId, shard } = companies[index]!
    return companyId === null ? [] : [{ shard, entry: { ...entry, companyId } }]
  })
  const outcomes = await Promise.allSettled(
    Array.from(
      Map.groupBy(known, (one) => one.shard),
      async ([shard, of]) => {
        try {
          await write(
            shards.get(shard),
            of.map(({ entry }) => entry),
          )
        } catch (error) {
          // Of a batch that is tried again: those of this shard had been written.
          if ((error as { code?: unknown }).code !== uniqueViolation) throw error
        }
      },
    ),
  )
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

/** Writes the calls of existing callers, and deletes what each has beyond its bound. */
async function write(
  { pool, shard }: Pick<Context, 'pool' | 'shard'>,
  entries: readonly Entry[],
): Promise<void> {
  const written = await insertRefusedCalls.rows(pool, {
    shard,
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
  // All processes use the same order, so that they do not deadlock.
  const sorted = [...callers].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  await deleteBeyond.run(pool, {
    companyIds: uuidArray(sorted.map((row) => row.company_id)),
    callerIds: uuidArray(sorted.map((row) => row.caller_id)),
    signed: boolArray(sorted.map((row) => row.signed)),
    signedMax: keptByCallerMax,
    unsignedMax: strangersKeptMax,
  })
}
