import { connect } from 'node:net'
import { join } from 'node:path'
import { createDeafProxy, type DeafProxy } from './deaf-proxy.ts'

/** A database behind a network that can fail. */
export interface BreakableDatabase extends AsyncDisposable {
  /** The same database, through the proxy. */
  url: string
  proxy: DeafProxy
  /** Cuts every connection and refuses new ones. */
  takeAway(): Promise<void>
  giveBack(): Promise<void>
}

/** Puts a proxy in front of a database. */
export async function createBreakableDatabase(databaseUrl: string): Promise<BreakableDatabase> {
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
