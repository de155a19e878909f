import type { Pool } from 'pg'
import type { Clock } from '../clock/clock.ts'
import type { Rate } from '../config/config.ts'
import { createBatcher, type BatcherOptions } from '../database/batcher.ts'
import { readShare } from './bucket.ts'
import { consumeForSubjects, type RateLimitResult, type SubjectCalls } from './consume.ts'

export interface RateLimiterOptions {
  pool: Pool
  clock: Clock
  onBatch?: BatcherOptions<RateCall, RateLimitResult>['onBatch']
}

interface RateCall {
  subject: string
  rate: Rate
}

export type RateLimiter = (subject: string, rate: Rate) => Promise<RateLimitResult>

/** Calls that consume their tokens in one statement; further ones join the next. */
const limiterCallsMax = 512
/** Calls that wait for a token; a further one is 503. */
const limiterQueueMax = 20_000

/** `consume` for many calls: all waiting ones share a statement, and each subject's tokens go to its calls in their order. */
export function createRateLimiter({ pool, clock, onBatch }: RateLimiterOptions): RateLimiter {
  const batcher = createBatcher<RateCall, RateLimitResult>({
    itemsMax: limiterCallsMax,
    queueMax: limiterQueueMax,
    run: async (items) => {
      const nowMs = clock.now()
      const called = new Map<string, SubjectCalls>()
      const positions = items.map(({ subject, rate }) => {
        const position = called.get(subject)?.calls ?? 0
        called.set(subject, { calls: position + 1, rate })
        return position
      })
      const taken = await consumeForSubjects(pool, called, nowMs)
      return items.map(({ subject, rate }, index) =>
        readShare(taken.get(subject)!, positions[index]!, nowMs * 1_000, rate),
      )
    },
    ...(onBatch === undefined ? {} : { onBatch }),
  })
  return (subject, rate) => batcher.submit({ subject, rate })
}
