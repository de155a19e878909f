import { connect } from 'node:net'
import { join } from 'node:path'
import { createDeafProxy, type DeafProxy } from './deaf-proxy.ts'

/** A database that a test can take away and give back, or make deaf. */
export interface BreakableDatabase extends AsyncDisposable {
  /** The same database, by way of a gate. */
  url: string
  /** The gate. */
  proxy: DeafProxy
  /** Cuts every connection and takes no more. */
  takeAway(): Promise<void>
  giveBack(): Promise<void>
}

/** Puts a gate in front of a database. */
export const createBreakableDatabase = async (databaseUrl: string): Promise<BreakableDatabase> => {
  const url = new URL(databaseUrl)
  const socketFolder = url.searchParams.get('host')
  const databaseHost = url.hostname
  const databasePort = Number(url.port || 5432)
  const proxy = await createDeafProxy(() =>
    socketFolder === null
      ? connect(databasePort, databaseHost)
      : connect(join(socketFolder, `.s.PGSQL.${databasePort}`)),
  )
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(proxy.port)
  return {
    url: url.href,
    proxy,
    takeAway: async () => {
      await proxy.close()
      proxy.cut()
    },
    giveBack: () => proxy.listen(),
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
