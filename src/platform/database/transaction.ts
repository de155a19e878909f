import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { cutConnection, getTransactionMsMax } from './pool.ts'
import { countAs } from './pool-shares.ts'

/** SQLSTATE of a transaction that lost against another one and may simply be run again. */
const serializationFailure = '40001'
const deadlockDetected = '40P01'

/** Tries of a transaction that loses against others (serialization failure, deadlock). Then the call fails with 503. */
const attemptsMax = 5
const backoffMs = 5

function lostAgainstAnother(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  return code === serializationFailure || code === deadlockDetected
}

// A client outside the pool has no listener for a socket that breaks between two statements, and an error
// event without a listener ends the process. The next statement reports it, so listening is all there is to do.
function ignore(): void {}

/** A snapshot of the database: all statements see what was committed before the first of them. */
export const beginSnapshot = 'begin isolation level repeatable read, read only'

/** From now on the transaction may take this long; its connection is cut then. Milliseconds. */
type Allow = (msMax: number) => void

/**
 * Runs `work` once, in one transaction that `begin` begins. Past `msMax`, or what `work` allows itself, its connection is
 * cut.
 */
export async function attemptTransaction<T>(
  pool: Pool,
  { begin, msMax }: { begin: string; msMax: number },
  work: (client: PoolClient, allow: Allow) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  client.on('error', ignore)
  const cutAfter = (ms: number): NodeJS.Timeout => setTimeout(() => cutConnection(client), Math.max(0, ms))
  // Each statement has a deadline of its own; this one is for the whole transaction.
  let timer = cutAfter(msMax)
  const allow: Allow = (ms) => {
    clearTimeout(timer)
    timer = cutAfter(ms)
  }
  let broken: Error | undefined
  try {
    await client.query(begin)
    // Other queries of the caller must not wait for the connection that the transaction itself uses.
    const result = await countAs(undefined, () => work(client, allow))
    await client.query('commit')
    return result
  } catch (error) {
    if (isDatabaseUnavailable(error)) broken = error as Error
    else await client.query('rollback').catch((fault: Error) => (broken = fault))
    throw error
  } finally {
    clearTimeout(timer)
    client.off('error', ignore)
    // A client in an unknown state is closed, not given to the next caller.
    client.release(broken)
  }
}

/**
 * Runs `work`, which is one transaction or one statement. If it loses against another transaction (serialization
 * failure, deadlock) it runs again, at most five times in all, so `work` must have no effects outside the database.
 */
export async function retryLost<T>(work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work()
    } catch (error) {
      if (attempts >= attemptsMax || !lostAgainstAnother(error)) throw error
      // Random pauses, so that two that collided do not collide again.
      await sleep(backoffMs * 2 ** attempts * (0.5 + Math.random()))
    }
  }
}

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws, and run again as `retryLost`
 * does. Past the pool's limit (`transactionMsMax`) its connection is cut, and it rejects as if the database were
 * unavailable: whether it was committed is then unknown.
 */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return runTransaction(pool, 'begin', work)
}

/** Reads with several statements what was stored at one moment, so that all parts of an answer agree. */
export async function inSnapshot<T>(pool: Pool, read: (on: PoolClient) => Promise<T>): Promise<T> {
  return runTransaction(pool, beginSnapshot, read)
}

async function runTransaction<T>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const untilMs = performance.now() + getTransactionMsMax(pool)
  return retryLost(() => attemptTransaction(pool, { begin, msMax: untilMs - performance.now() }, work))
}

/**
 * Sends statements in one transaction without waiting for each other's answers: on a pipelined pool they take one round trip.
 * Resolves with their results once committed; rejects with the error of the first that failed, and is run again as
 * `retryLost` does.
 */
export function inOneTransaction<T>(pool: Pool, send: (client: PoolClient) => Promise<T>[]): Promise<T[]> {
  return retryLost(async () => {
    const client = await pool.connect()
    client.on('error', ignore)
    let broken: Error | undefined
    try {
      const begun = client.query('begin')
      const sent = send(client)
      const outcomes = await Promise.allSettled([begun, ...sent, client.query('commit')])
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (failed === undefined) return await Promise.all(sent)
      if (isDatabaseUnavailable(failed.reason)) broken = failed.reason as Error
      throw failed.reason
    } finally {
      client.off('error', ignore)
      client.release(broken)
    }
  })
}
