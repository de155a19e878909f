import type { Rate } from '../config/config.ts'
import { int4Array, int8Array, textArray } from '../database/binary-array.ts'
import type { Queryable } from '../database/pool.ts'
import { intervalUs, readShare, type BucketState, type ConsumedRow } from './bucket.ts'
import { consumeTokens } from './queries.ts'

export type RateLimitResult = BucketState & { granted: boolean }

/**
 * Consumes one token from the bucket of any subject (a client's network, a webhook source). All processes of a
 * deployment share the bucket; a subject is a word for what it is, a space, and its id.
 */
export async function consume(
  on: Queryable,
  subject: string,
  rate: Rate,
  nowMs: number,
): Promise<RateLimitResult> {
  const taken = await consumeForSubjects(on, new Map([[subject, { calls: 1, rate }]]), nowMs)
  return readShare(taken.get(subject)!, 0, nowMs * 1_000, rate)
}

/** Calls of one subject that consume together. */
export interface SubjectCalls {
  calls: number
  rate: Rate
}

/** Consumes at most as many tokens of each subject's bucket as it has calls. */
export async function consumeForSubjects(
  on: Queryable,
  subjects: ReadonlyMap<string, SubjectCalls>,
  nowMs: number,
): Promise<Map<string, ConsumedRow>> {
  if (subjects.size === 0) return new Map()
  const called = [...subjects.values()]
  const rows = await consumeTokens.rows(on, {
    subjects: textArray([...subjects.keys()]),
    calls: int4Array(called.map(({ calls }) => calls)),
    bursts: int4Array(called.map(({ rate }) => rate.burst)),
    intervalsUs: int8Array(called.map(({ rate }) => intervalUs(rate))),
    nowUs: nowMs * 1_000,
  })
  return new Map(rows.map((row) => [row.subject, { fullAtUs: Number(row.full_at_us), granted: row.granted }]))
}
