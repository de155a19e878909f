import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/**
 * A way to a server on which a network can fail. What is deaf is still connected: nothing comes through, in neither
 * direction, and neither side learns that the other one closed. What was sent meanwhile arrives once it hears again.
 */
export interface DeafProxy extends AsyncDisposable {
  /** On the loopback address. */
  readonly port: number
  /** How many connections are open now. */
  readonly connections: number
  /** Makes all connections deaf, and those to come as well unless only the existing ones are meant. */
  goDeaf(options?: { existingOnly?: boolean }): void
  /** All connections hear again, and those to come. */
  hear(): void
  /** Cuts every connection; both sides are told. */
  cut(): void
  /** Takes no more connections: they are refused, at the same port. */
  close(): Promise<void>
  /** Takes connections again. */
  listen(): Promise<void>
}

interface Link {
  client: Socket
  server: Socket
}

/** Listens on a port of its own and forwards to whatever `reach` connects to. */
export const createDeafProxy = async (reach: () => Socket): Promise<DeafProxy> => {
  const links = new Set<Link>()
  let isDeaf = false
  let listener: Server | undefined

  const silence = ({ client, server }: Link): void => {
    client.unpipe(server).pause()
    server.unpipe(client).pause()
  }
  const forward = (link: Link): void => {
    const { client, server } = link
    if (client.destroyed || server.destroyed) {
      client.destroy()
      server.destroy()
      return
    }
    silence(link)
    client.pipe(server)
    server.pipe(client)
  }

  const onConnection = (client: Socket): void => {
    const link = { client, server: reach() }
    links.add(link)
    for (const [one, other] of [
      [link.client, link.server],
      [link.server, link.client],
    ] as const) {
      one.on('error', () => {})
      one.on('close', () => {
        // Of a deaf connection the other side hears nothing, its end included.
        if (!one.isPaused()) other.destroy()
        if (link.client.destroyed && link.server.destroyed) links.delete(link)
      })
    }
    if (isDeaf) silence(link)
    else forward(link)
  }

  const listen = async (port: number): Promise<number> => {
    listener = createServer(onConnection)
    listener.listen(port, '127.0.0.1')
    await once(listener, 'listening')
    return (listener.address() as AddressInfo).port
  }
  const cut = (): void => {
    for (const { client, server } of links) {
      client.destroy()
      server.destroy()
    }
    links.clear()
  }
  const close = async (): Promise<void> => {
    if (listener?.listening !== true) return
    // Ends when the last connection does, which is not waited for.
    listener.close()
  }

  const port = await listen(0)
  return {
    port,
    get connections() {
      return links.size
    },
    goDeaf: ({ existingOnly = false } = {}) => {
      isDeaf = !existingOnly
      for (const link of links) silence(link)
    },
    hear: () => {
      isDeaf = false
      for (const link of links) forward(link)
    },
    cut,
    close,
    listen: async () => {
      await listen(port)
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      cut()
    },
  }
}
