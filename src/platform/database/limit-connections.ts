import type { Pool, PoolClient } from 'pg'
import type { ShareLimiter } from './share-limiter.ts'

type Callback = Parameters<Pool['connect']>[0]

/** Takes a connection as a part of a caller's work, which ends when it is released. */
export function connectInTurn(
  limit: ShareLimiter,
  caller: string,
  connect: () => Promise<PoolClient>,
): Promise<PoolClient> {
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

/** Replaces how a pool takes a connection. `pool.query` does it too, with a callback. */
export function setConnect(pool: Pool, connect: () => Promise<PoolClient>): void {
  pool.connect = ((callback?: Callback) => {
    if (callback === undefined) return connect()
    void callBack(callback, connect())
  }) as Pool['connect']
}
