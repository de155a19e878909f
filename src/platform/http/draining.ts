import type { Server } from 'node:http'

declare module 'fastify' {
  interface FastifyInstance {
    draining: Draining
  }
}

/** Whether this process is about to stop, so that balancers should send their calls elsewhere. */
export interface Draining {
  readonly hasBegun: boolean
  /**
   * Calls are still taken, but each is the last of its connection: a balancer that keeps connections open would find
   * them closed just as it sends the next call.
   */
  begin(): void
}

export function createDraining(server: Server): Draining {
  let hasBegun = false
  return {
    get hasBegun() {
      return hasBegun
    },
    begin: () => {
      if (hasBegun) return
      hasBegun = true
      server.prependListener('request', (_request, answer) => answer.setHeader('connection', 'close'))
    },
  }
}
