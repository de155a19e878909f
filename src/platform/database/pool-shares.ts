import { AsyncLocalStorage } from 'node:async_hooks'
import type { Pool, PoolClient } from 'pg'
import { createConnectionLimiter } from './share-limiter.ts'

/** Work of one caller that waits for a connection of a shared pool; further work gets 503 immediately. */
export const connectionsWaitingMax = 2_000

const callers = new AsyncLocalStorage<string | undefined>()

/** Attributes the connections that some work takes from a shared pool to a caller, or with undefined to none. */
export function countAs<T>(caller: string | undefined, work: () => T): T {
  return callers.run(caller, work)
}

type Callback = Parameters<Pool['connect']>[0]

async function callBack(callback: Callback, connected: Promise<PoolClient>): Promise<void> {
  let client: PoolClient
  try {
    client = await connected
  } catch (error) {
    callback(error as Error, undefined, () => {})
    return
  }
  callback(undefined, client, client.release)
}

/**
 * From now on no caller (`countAs`) has more than its share of the pool's connections, and waiting callers take turns. Work
 * without a caller only waits for the pool.
 */
export function sharePool(pool: Pool): void {
  const limit = createConnectionLimiter(pool, { callerWaitingMax: connectionsWaitingMax })
  const connect = pool.connect.bind(pool)
  const connectInTurn = (caller: string): Promise<PoolClient> => {
    const { promise, resolve, reject } = Promise.withResolvers<PoolClient>()
    limit(caller, async () => {
      const client = await connect()
      const released = Promise.withResolvers<void>()
      // The pool sets it on each checkout.
      const { release } = client
      client.release = (error) => {
        released.resolve()
        release(error)
      }
      resolve(client)
      await released.promise
    }).catch(reject)
    return promise
  }
  // `pool.query` calls this too, with a callback.
  pool.connect = ((callback?: Callback) => {
    const caller = callers.getStore()
    if (caller === undefined) return callback === undefined ? connect() : connect(callback)
    if (callback === undefined) return connectInTurn(caller)
    void callBack(callback, connectInTurn(caller))
  }) as Pool['connect']
}
