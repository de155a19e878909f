import type { FastifyRequest } from 'fastify'
import { clientNetwork } from '../../platform/http/requests/client-network.ts'
import { nameBrowser, nameSystem } from './user-agent.ts'

/** Where a session began, for its owner to recognise it. */
export interface SessionOrigin {
  /** Their common names; null for unusual ones. */
  browser: string | null
  system: string | null
  /** The /24 or /56 of the sign-in; null on a demo. */
  network: string | null
}

/** @param isDemo anyone can be anyone there, and must not see where others come from */
export function sessionOrigin(request: FastifyRequest, isDemo: boolean): SessionOrigin {
  const userAgent = request.headers['user-agent'] ?? ''
  return {
    browser: nameBrowser(userAgent),
    system: nameSystem(userAgent),
    network: isDemo ? null : clientNetwork(request.ip),
  }
}
