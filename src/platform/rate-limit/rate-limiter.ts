import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.ts'
import type { Rate } from '../config/config.ts'
import { createBatcher, type BatcherOptions } from '../database/batcher.ts'
import { readShare } from './bucket.ts'
import { consumeForSubjects, type RateLimitResult, type SubjectCalls } from './consume.ts'

export interface RateLimiterOptions {
  pool: Pool
  clock: Clock
  rate: Rate
  onBatch?: BatcherOptions<string, RateLimitResult>['onBatch']
}

/** Calls that consume their tokens in one statement; further ones join the next. */
const limiterCallsMax = 512
/** Calls that wait for a token; a further one is 503. */
const limiterQueueMax = 20_000

/** `consume` for a rate that limits many calls: all waiting ones share a statement, in their order. */
export function createRateLimiter(
  options: RateLimiterOptions,
): (subject: string) => Promise<RateLimitResult> {
  const { pool, clock, rate, onBatch } = options
  const batcher = createBatcher<string, RateLimitResult>({
    itemsMax: limiterCallsMax,
    queueMax: limiterQueueMax,
    run: async (subjects) => {
      const nowMs = clock.now()
      const called = new Map<string, SubjectCalls>()
      const positions = subjects.map((subject) => {
        const position = called.get(subject)?.calls ?? 0
        called.set(subject, { calls: position + 1, rate })
        return position
      })
      const taken = await consumeForSubjects(pool, called, nowMs)
      return subjects.map((subject, index) =>
        readShare(taken.get(subject)!, positions[index]!, nowMs * 1_000, rate),
      )
    },
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  return (subject) => batcher.submit(subject)
}
