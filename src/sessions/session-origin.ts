import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../http/client-network.ts'
import { nameBrowser, nameSystem } from './user-agent.ts'

/** Where a session was begun, for its owner to recognise it. */
export interface SessionOrigin {
  /** As people know them; null where it is none of the usual ones. */
  browser: string | null
  system: string | null
  /** The /24 or /56 that the sign-in came from; null where none is kept. */
  network: string | null
}

/** Where no browser is. */
export const unknownOrigin: SessionOrigin = { browser: null, system: null, network: null }

/** @param isDemo anyone can be anyone there, so no one sees where others come from */
export function sessionOrigin(request: FastifyRequest, isDemo: boolean): SessionOrigin {
  const userAgent = request.headers['user-agent'] ?? ''
  return {
    browser: nameBrowser(userAgent),
    system: nameSystem(userAgent),
    network: isDemo ? null : clientNetwork(request.ip),
  }
}
