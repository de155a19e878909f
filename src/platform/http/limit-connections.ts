import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { clientNetwork } from './requests/client-network.ts'
import { currentAnswer } from './raw-answer.ts'

/**
 * The share of a process's connections that one client network may have; beyond it its own give way. Where proxies are
 * trusted (`NUMERA_TRUST_PROXY`), connections are theirs, and there is no share.
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

/** It has received no complete request, so closing it loses no answer. */
function isIdle(socket: Socket): boolean {
  return currentAnswer(socket)?.req.complete !== true
}

/**
 * Bounds the connections of a server, and knows them. Newcomers get in: where there are too many, the network that
 * holds most loses its oldest connection on which nothing is being answered. Only where all of them are busy is the
 * newcomer refused.
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

  /** Ends the oldest idle connection. False: all are being answered. */
  const endIdle = (network: string, sockets: Set<Socket>): boolean => {
    for (const socket of sockets) {
      if (!isIdle(socket)) continue
      // Its `close` event comes later, when others may have arrived.
      leave(network, sockets, socket)
      socket.destroy()
      return true
    }
    return false
  }

  const endIdleOfLargest = (): boolean => {
    let [largest] = networks
    for (const entry of networks) if (entry[1].size > (largest?.[1].size ?? 0)) largest = entry
    return largest !== undefined && endIdle(...largest)
  }

  server.on('connection', (socket: Socket) => {
    const network = clientNetwork(socket.remoteAddress ?? '')
    const own = networks.get(network)
    const isAdmitted =
      (own === undefined || own.size < networkMax || endIdle(network, own)) &&
      (connections < connectionsMax || endIdleOfLargest())
    if (!isAdmitted) {
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
