import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * A proxy on the loopback address with the faults of a network. A deaf connection stays open and lets nothing through, in
 * either direction: neither side learns that the other one closed, as after a failover or a lost NAT entry. What was sent
 * meanwhile arrives once the connection hears again.
 */
export interface DeafProxy extends AsyncDisposable {
  readonly port: number
  /** Makes all connections deaf, new ones too unless `existingOnly`. */
  goDeaf(options?: { existingOnly?: boolean }): void
  /** All connections hear again. */
  hear(): void
  /** Delays every chunk. */
  delay(ms: number): void
  /** Closes every connection on both sides. */
  cut(): void
  /** Resets every connection on both sides. */
  reset(): void
  /** Refuses new connections. */
  close(): Promise<void>
  /** Accepts connections again, on the same port. */
  listen(): Promise<void>
}

interface Link {
  ends: [client: Socket, server: Socket]
  /** Settles when the connection hears again; undefined if it hears. */
  deaf: PromiseWithResolvers<void> | undefined
}

/** Forwards what connects to a port of its own to a server, which `reach` connects to. */
export async function createDeafProxy(reach: () => Socket): Promise<DeafProxy> {
  const links = new Set<Link>()
  let isDeaf = false
  let delayMs = 0
  let listener: Server | undefined

  /** Forwards chunks in order, at the receiver's pace. */
  const forward = async (link: Link, from: Socket, to: Socket): Promise<void> => {
    const hears = async (): Promise<void> => {
      while (link.deaf) await link.deaf.promise
    }
    try {
      for await (const chunk of from) {
        if (delayMs > 0) await sleep(delayMs)
        await hears()
        if (!to.write(chunk as Buffer)) await Promise.race([once(to, 'drain'), once(to, 'close')])
      }
      await hears()
      to.end()
    } catch {
      await hears()
      to.destroy()
    }
  }
  const onConnection = (client: Socket): void => {
    const server = reach()
    const link: Link = {
      ends: [client, server],
      deaf: isDeaf ? Promise.withResolvers() : undefined,
    }
    links.add(link)
    for (const socket of link.ends) socket.on('error', () => {})
    void Promise.all([forward(link, client, server), forward(link, server, client)]).then(() =>
      links.delete(link),
    )
  }
  const listen = async (port: number): Promise<number> => {
    listener = createServer({ noDelay: true }, onConnection).listen(port, '127.0.0.1')
    await once(listener, 'listening')
    return (listener.address() as AddressInfo).port
  }
  const hear = (): void => {
    isDeaf = false
    for (const link of links) {
      link.deaf?.resolve()
      link.deaf = undefined
    }
  }
  const cut = (end: (socket: Socket) => void): void => {
    for (const link of links) {
      for (const socket of link.ends) end(socket)
      link.deaf?.resolve()
      link.deaf = undefined
    }
  }
  // Does not wait for the open connections to end.
  const close = async (): Promise<void> => void listener?.close()

  const port = await listen(0)
  return {
    port,
    goDeaf: ({ existingOnly = false } = {}) => {
      isDeaf = !existingOnly
      for (const link of links) link.deaf ??= Promise.withResolvers()
    },
    hear,
    delay: (ms) => {
      delayMs = ms
    },
    cut: () => cut((socket) => socket.destroy()),
    reset: () => cut((socket) => socket.resetAndDestroy()),
    close,
    listen: async () => {
      await listen(port)
    },
    [Symbol.asyncDispose]: async () => {
      await close()
      cut((socket) => socket.destroy())
    },
  }
}
