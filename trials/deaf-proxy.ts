import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Stands between the service and its database, on the loopback address, and does what networks do. */
export interface DeafProxy extends AsyncDisposable {
  readonly port: number
  /** How many connections go through it and are not deaf for good. */
  connections(): number
  /** Those that are there now pass nothing on any more, and nobody is told: a failover, a dropped NAT entry. */
  deafen(): number
  /** Nothing is passed on, of new connections either, until `open`; then what waited goes on. */
  shut(): void
  open(): void
  /** Breaks those that are there now off, with a reset. */
  reset(): number
  /** What every piece is held up, in milliseconds. */
  delay(ms: number): void
}

interface Pair {
  ends: [Socket, Socket]
  isDeaf: boolean
}

export const startDeafProxy = async (target: number): Promise<DeafProxy> => {
  const pairs = new Set<Pair>()
  let isShut = false
  let delayMs = 0
  let opened: (() => void)[] = []

  const untilOpen = (): Promise<void> | undefined =>
    isShut ? new Promise((resolve) => void opened.push(resolve)) : undefined

  /** Passes on what comes, in order, as fast as the other side takes it. */
  const pass = async (pair: Pair, from: Socket, to: Socket): Promise<void> => {
    try {
      for await (const chunk of from) {
        if (delayMs > 0) await sleep(delayMs)
        await untilOpen()
        // Its bytes are swallowed, and it stays open.
        if (pair.isDeaf) continue
        if (!to.write(chunk as Buffer)) await once(to, 'drain')
      }
    } catch {
      // A reset: told to the other side below.
    }
    // Nor does a deaf one tell that the other side has gone.
    if (pair.isDeaf) return
    to.destroy()
    pairs.delete(pair)
  }

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', noDelay: true })
    const pair: Pair = { ends: [near, far], isDeaf: false }
    pairs.add(pair)
    for (const socket of pair.ends) socket.on('error', () => {})
    void pass(pair, near, far)
    void pass(pair, far, near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const hearing = (): Pair[] => [...pairs].filter(({ isDeaf }) => !isDeaf)
  const open = (): void => {
    isShut = false
    for (const resolve of opened.splice(0)) resolve()
  }
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => hearing().length,
    deafen: () => {
      const present = hearing()
      for (const pair of present) pair.isDeaf = true
      return present.length
    },
    shut: () => {
      isShut = true
    },
    open,
    reset: () => {
      const present = hearing()
      for (const { ends } of present) for (const socket of ends) socket.resetAndDestroy()
      return present.length
    },
    delay: (ms) => {
      delayMs = ms
    },
    [Symbol.asyncDispose]: async () => {
      opened = []
      for (const { ends } of pairs) for (const socket of ends) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
