import type { Counter } from 'prom-client'
import type { Pool } from 'pg'
import { standbyCheckMsMax, standbyReadMsMax } from '../database/deadlines.ts'
import { OverloadedError } from '../database/overloaded-error.ts'
import type { Queryable } from '../database/pool.ts'
import { UnlikePrimaryError, type Standby } from '../database/standbys/standby.ts'
import type { ShareLimiter } from '../database/share-limiter.ts'
import { attemptTransaction, beginSnapshot, inSnapshot } from '../database/transaction.ts'
import { ApiError } from '../http/errors/errors.ts'

/**
 * What an answer follows from, as the primary knows it: a version of a source's samples, or deliveries that never
 * change. Looks it up where the read would run; no row if it is not there.
 */
export type Basis = (on: Queryable) => Promise<{ is_standby: boolean } | undefined>

export interface BasedRead {
  /** Whose share of connections it counts against. */
  companyId: string
  basis: Basis
  /** Several statements whose results must agree. */
  isSnapshot?: boolean
}

/**
 * Runs a read that gives the same answer wherever its basis is: on a standby that has it, else on the primary. A
 * standby makes no read fail. It delays one by at most `standbyCheckMsMax` where it does not answer, and by about
 * `standbyReadMsMax` where it does not come to an end.
 */
export type ReadOnBasis = <T>(request: BasedRead, read: (on: Queryable) => Promise<T>) => Promise<T>

/** The connections to a shard. */
export interface ShardPools {
  readPool: Pool
  listStandbys: () => readonly Standby[]
}

export interface ReadOnBasisOptions {
  /** The limiter of a pool; reads wait there for their turn. */
  limitOn: (pool: Pool) => ShareLimiter
  /** The same without waiting: the read rejects if there is no turn for it now. */
  limitWithoutWaiting: (pool: Pool) => ShareLimiter
  /** By outcome, if there are standbys: one has answered, or why the primary does. */
  observe: Counter<'outcome'>
}

/** The standby has replayed less than the read needs, or more. */
class BasisMissingError extends Error {
  override readonly name = 'BasisMissingError'
}

/** In one snapshot with the look-up of the basis, so that the read sees exactly that. */
function readWithBasis<T>(pool: Pool, basis: Basis, read: (on: Queryable) => Promise<T>): Promise<T> {
  return attemptTransaction(
    pool,
    { begin: beginSnapshot, msMax: standbyCheckMsMax },
    async (client, allow) => {
      const found = await basis(client)
      if (found === undefined) throw new BasisMissingError('the standby is at another version')
      if (!found.is_standby) throw new UnlikePrimaryError('it is no standby: it was promoted')
      // The server ends a slow statement by itself, without harm to other reads.
      allow(standbyReadMsMax + standbyCheckMsMax)
      return read(client)
    },
  )
}

export function createReadOnBasis(
  { readPool, listStandbys }: ShardPools,
  { limitOn, limitWithoutWaiting, observe }: ReadOnBasisOptions,
): ReadOnBasis {
  let turn = 0
  const onPrimary: ReadOnBasis = ({ companyId, isSnapshot = false }, read) =>
    limitOn(readPool)(companyId, () => (isSnapshot ? inSnapshot(readPool, read) : read(readPool)))

  return async (request, read) => {
    const { companyId, basis } = request
    const standbys = listStandbys()
    if (standbys.length === 0) return onPrimary(request, read)
    let outcome = 'unavailable'
    turn++
    for (let place = 0; place < standbys.length; place++) {
      const standby = standbys[(turn + place) % standbys.length]!
      const pool = standby.getPool()
      if (pool === undefined) continue
      try {
        const answer = await limitWithoutWaiting(pool)(companyId, () => readWithBasis(pool, basis, read))
        observe.inc({ outcome: 'answered' })
        return answer
      } catch (error) {
        // What is wrong with the request is wrong with it everywhere.
        if (error instanceof ApiError) {
          observe.inc({ outcome: 'answered' })
          throw error
        }
        if (error instanceof BasisMissingError) outcome = 'behind'
        else if (error instanceof OverloadedError) outcome = 'busy'
        else {
          outcome = 'unavailable'
          standby.leaveAlone(error)
        }
      }
    }
    observe.inc({ outcome })
    return onPrimary(request, read)
  }
}
