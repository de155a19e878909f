import { LRUCache } from 'lru-cache'
import { createBatcher } from '../../platform/database/batcher.ts'
import { countAs } from '../../platform/database/pool-shares.ts'
import { clientNetwork } from '../../platform/http/requests/client-network.ts'
import { createRateLimiter } from '../../platform/rate-limit/rate-limiter.ts'
import { rateLimited } from '../../platform/rate-limit/rate-limited.ts'
import type { DirectoryContext } from '../../context.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { selectIsMember } from './queries.ts'
import { findSession, type Session, type SignedInBy } from './session.ts'

/** Calls whose sessions are looked up together, each session once; further ones wait for the next batch. */
const lookUpsMax = 512
/** Calls that wait for their session; a further one is 503. */
const lookUpsWaitingMax = 20_000

/** Memberships that are cached, and for how many milliseconds. */
const rememberedMembershipsMax = 10_000
const membershipKeptMs = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    memberCalls: MemberCalls
  }
}

/** Limits what the calls of signed-in members cost others. Shared by all areas of a process. */
export interface MemberCalls {
  /** As `findSession`. Concurrent calls of one session share a lookup that starts after they arrived. */
  findSession(token: string): Promise<Session | undefined>
  /**
   * Consumes a token of the member's bucket; on a demo, where everyone signs in as the same few people, of the member's in
   * that client network.
   *
   * @throws 429 `rate_limited` with `Retry-After`
   */
  limitWrite(memberId: string, address: string): Promise<void>
  /**
   * Whose share of the connections a call uses: its company's, or its member's if the call names no company that they belong
   * to, so that strangers use up nothing of a company's. Cached for `membershipKeptMs`.
   */
  findCaller(memberId: string, companyId: unknown): Promise<string>
}

export function createMemberCalls(
  context: Pick<DirectoryContext, 'acceptPool' | 'pool' | 'clock' | 'config'> & SignedInBy,
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
  const consume = createRateLimiter({ pool: acceptPool, clock })
  const callers = new LRUCache<string, Promise<string>>({
    max: rememberedMembershipsMax,
    ttl: membershipKeptMs,
  })
  return {
    findSession: (token) => lookUps.submit(token),
    limitWrite: async (memberId, address) => {
      const subject = identity.demo ? `${memberId} ${clientNetwork(address)}` : memberId
      const bucket = await consume(`write ${subject}`, config.rates.write)
      if (bucket.granted) return
      throw rateLimited(bucket.retryAfterSeconds, {
        message: 'You sent too many changes. Wait as long as Retry-After says, then send this one again.',
      })
    },
    findCaller: async (memberId, companyId) => {
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
