import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

/** A database that a test can take away and give back. */
export interface BreakableDatabase extends AsyncDisposable {
  /** The same database, by way of a gate. */
  url: string
  /** Cuts every connection and takes no more. */
  takeAway(): Promise<void>
  giveBack(): Promise<void>
}

/** Puts a gate in front of a database. */
export const createBreakableDatabase = async (databaseUrl: string): Promise<BreakableDatabase> => {
  const url = new URL(databaseUrl)
  const socketFolder = url.searchParams.get('host')
  const databasePort = Number(url.port || 5432)
  const reach = (): Socket =>
    socketFolder === null
      ? connect(databasePort, url.hostname)
      : connect(join(socketFolder, `.s.PGSQL.${databasePort}`))

  const open = new Set<Socket>()
  let server: Server | undefined
  const listen = async (port: number): Promise<number> => {
    server = createServer((client) => {
      const database = reach()
      for (const [one, other] of [
        [client, database],
        [database, client],
      ] as const) {
        open.add(one)
        one.pipe(other)
        one.on('error', () => other.destroy())
        one.on('close', () => {
          open.delete(one)
          other.destroy()
        })
      }
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const takeAway = async (): Promise<void> => {
    const closed = server?.listening ? once(server, 'close') : undefined
    server?.close()
    for (const socket of open) socket.destroy()
    await closed
  }

  const port = await listen(0)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    takeAway,
    giveBack: async () => {
      await listen(port)
    },
    [Symbol.asyncDispose]: takeAway,
  }
}
