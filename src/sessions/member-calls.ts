import { LRUCache } from 'lru-cache'
import { createRateLimiter } from '../rate-limit/rate-limiter.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import type { Context } from '../service/context.ts'
import { uuidPattern } from '../values/uuid-pattern.ts'
import { selectIsMember } from './queries.ts'

/**
 * Writes of one member on the pages. A page that waits for a signature writes once a second, and one that previews writes
 * now and then: a person with several open does not come near it, and what a script sends costs the others little.
 */
export const writeRate = { perMinute: 120, burst: 120 }

/** Members and companies that are remembered, and for how long: milliseconds. */
export const rememberedMembershipsMax = 10_000
export const membershipKeptMs = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    memberCalls: MemberCalls
  }
}

/** What calls of signed-in members may cost the others. One for all areas of a process. */
export interface MemberCalls {
  /** Uses up a token of the member's. @throws 429 `rate_limited` with `Retry-After` */
  limitWrite(memberId: string): Promise<void>
  /**
   * Whose share of the connections a call has: its company's, or its member's where it names no company that they belong
   * to, so that strangers use up nothing of a company's. As things were at most `membershipKeptMs` ago.
   */
  callerOf(memberId: string, companyId: unknown): Promise<string>
}

export function createMemberCalls(context: Pick<Context, 'acceptPool' | 'pool' | 'clock'>): MemberCalls {
  const { acceptPool, pool, clock } = context
  const consume = createRateLimiter({ pool: acceptPool, clock, rate: writeRate })
  const callers = new LRUCache<string, string>({ max: rememberedMembershipsMax, ttl: membershipKeptMs })
  return {
    limitWrite: async (memberId) => {
      const bucket = await consume(`write ${memberId}`)
      if (bucket.granted) return
      throw rateLimited(bucket.retryAfterSeconds, {
        message: 'You have changed too much within a minute; wait as long as Retry-After says, then send it again.',
      })
    },
    callerOf: async (memberId, companyId) => {
      const member = `member ${memberId}`
      if (typeof companyId !== 'string' || !uuidPattern.test(companyId)) return member
      const key = `${memberId} ${companyId.toLowerCase()}`
      const known = callers.get(key)
      if (known !== undefined) return known
      const { is_member: isMember } = (await selectIsMember.first(pool, { memberId, companyId }))!
      const caller = isMember ? `company ${companyId.toLowerCase()}` : member
      callers.set(key, caller)
      return caller
    },
  }
}
