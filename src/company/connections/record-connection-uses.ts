import type { FastifyRequest } from 'fastify'
import type { App } from '../../platform/http/contract.ts'
import type { DirectoryContext } from '../../context.ts'
import { createConnectionUses, type ConnectionUses } from './connection-uses.ts'

declare module 'fastify' {
  interface FastifyInstance {
    connectionUses: ConnectionUses
  }
}

/**
 * Records the last use of each service connection, refused calls included, once a call has been answered. To be called
 * once, on the root instance.
 */
export function recordConnectionUses(
  app: App,
  context: Pick<DirectoryContext, 'pool' | 'log' | 'clock'>,
): void {
  const uses = createConnectionUses(context)
  app.decorate('connectionUses', uses)
  app.addHook('onResponse', (request, _reply, done) => {
    const connectionId = getServiceConnection(request)
    if (connectionId !== undefined) uses.add(connectionId, context.clock.now())
    done()
  })
  // By then every call has been answered.
  app.addHook('onClose', () => uses[Symbol.asyncDispose]())
}

function getServiceConnection({ refusedCaller, admission }: FastifyRequest): string | undefined {
  if (refusedCaller !== undefined) return refusedCaller.connectionId
  if (admission === undefined || admission.kind === 'delegated') return undefined
  return admission.connectionId
}
