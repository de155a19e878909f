import { LRUCache } from 'lru-cache'
import { createBatcher } from '../database/batcher.ts'
import { countAs } from '../database/pool-shares.ts'
import { clientNetwork } from '../http/client-network.ts'
import { createRateLimiter } from '../rate-limit/rate-limiter.ts'
import { rateLimited } from '../rate-limit/rate-limited.ts'
import type { Context } from '../service/context.ts'
import { uuidPattern } from '../values/uuid-pattern.ts'
import { selectIsMember } from './queries.ts'
import { findSession, type Session } from './session.ts'

/** Calls whose sessions are looked up together, each session once; further ones go with the next. */
export const lookUpsMax = 512
/** Calls that wait for that; a further one is 503. */
export const lookUpsWaitingMax = 20_000

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
  /** As `findSession`. Calls of one session that wait at the same moment share a look-up, which begins after they came. */
  findSession(token: string): Promise<Session | undefined>
  /**
   * Uses up a token of the member's; on a demo, where everybody signs in as the same few people, of the member's in that
   * client network.
   *
   * @throws 429 `rate_limited` with `Retry-After`
   */
  limitWrite(memberId: string, address: string): Promise<void>
  /**
   * Whose share of the connections a call has: its company's, or its member's where it names no company that they belong
   * to, so that strangers use up nothing of a company's. As things were at most `membershipKeptMs` ago.
   */
  callerOf(memberId: string, companyId: unknown): Promise<string>
}

export function createMemberCalls(
  context: Pick<Context, 'acceptPool' | 'pool' | 'clock' | 'config' | 'identity'>,
): MemberCalls {
  const { acceptPool, pool, clock, config, identity } = context
  const lookUps = createBatcher<string, Session | undefined>({
    itemsMax: lookUpsMax,
    queueMax: lookUpsWaitingMax,
    concurrencyMax: 4,
    run: async (tokens) => {
      const found = new Map([...new Set(tokens)].map((token) => [token, findSession(context, token)]))
      return Promise.all(tokens.map((token) => found.get(token)))
    },
  })
  const consume = createRateLimiter({ pool: acceptPool, clock, rate: config.rates.write })
  const callers = new LRUCache<string, Promise<string>>({
    max: rememberedMembershipsMax,
    ttl: membershipKeptMs,
  })
  return {
    findSession: (token) => lookUps.submit(token),
    limitWrite: async (memberId, address) => {
      const subject = identity.demo ? `${memberId} ${clientNetwork(address)}` : memberId
      const bucket = await consume(`write ${subject}`)
      if (bucket.granted) return
      throw rateLimited(bucket.retryAfterSeconds, {
        message: 'You sent too many changes; wait as long as Retry-After says, then send it again.',
      })
    },
    callerOf: async (memberId, companyId) => {
      if (typeof companyId !== 'string' || !uuidPattern.test(companyId)) return `member ${memberId}`
      const key = `${memberId} ${companyId.toLowerCase()}`
      const known = callers.get(key)
      if (known !== undefined) return known
      const caller = countAs(`member ${memberId}`, async () => {
        const { is_member: isMember } = (await selectIsMember.first(pool, { memberId, companyId }))!
        return isMember ? `company ${companyId.toLowerCase()}` : `member ${memberId}`
      })
      callers.set(key, caller)
      caller.catch(() => callers.delete(key))
      return caller
    },
  }
}
