import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from './requests/client-network.ts'
import { currentAnswer } from './raw-answer.ts'

/**
 * What one client network may hold of a process's connections, as a part. Beyond it its own give way. Where proxies are
 * trusted (`NUMERA_TRUST_PROXY`) connections are theirs, and there is no share.
 */
export const networkConnectionShare = 1 / 4

/** The connections of a server. */
export interface Connections {
  /** Those that are open now. */
  sockets(): Socket[]
}

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
  }
}

/** No request has come on it, or only a part of one: closing it loses no answer that is being made. */
function waits(socket: Socket): boolean {
  return currentAnswer(socket)?.req.complete !== true
}

/**
 * Bounds the connections of a server, and knows them. Newcomers get in: where there are too many, the network that
 * holds most loses its oldest connection on which nothing is being answered. Only where all of them are busy is the
 * newcomer turned away.
 */
export function limitConnections(
  server: Server,
  options: { connectionsMax: number; areFromProxies: boolean },
): Connections {
  const { connectionsMax, areFromProxies } = options
  const networkMax = Math.ceil(connectionsMax * (areFromProxies ? 1 : networkConnectionShare))
  const networks = new Map<string, Set<Socket>>()
  let connections = 0

  const leave = (network: string, sockets: Set<Socket>, socket: Socket): void => {
    if (!sockets.delete(socket)) return
    connections--
    if (sockets.size === 0) networks.delete(network)
  }

  /** Ends the oldest connection that waits. False: all of them are being answered. */
  const endWaiting = (network: string, sockets: Set<Socket>): boolean => {
    for (const socket of sockets) {
      if (!waits(socket)) continue
      // Left now: its `close` event comes later, when others may have come.
      leave(network, sockets, socket)
      socket.destroy()
      return true
    }
    return false
  }

  const endWaitingOfLargest = (): boolean => {
    let [largest] = networks
    for (const entry of networks) if (entry[1].size > (largest?.[1].size ?? 0)) largest = entry
    return largest !== undefined && endWaiting(...largest)
  }

  server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '')
    const own = networks.get(network)
    const hasRoom =
      (own === undefined || own.size < networkMax || endWaiting(network, own)) &&
      (connections < connectionsMax || endWaitingOfLargest())
    if (!hasRoom) {
      socket.destroy()
      return
    }
    const sockets = networks.get(network) ?? new Set()
    networks.set(network, sockets.add(socket))
    connections++
    socket.once('close', () => leave(network, sockets, socket))
  })
  return { sockets: () => [...networks.values()].flatMap((sockets) => [...sockets]) }
}
