import type { FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../context.ts'
import { readRequestBody } from '../../platform/http/body/parse-bodies.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { newClientId } from './app.ts'
import { readClientMetadata, readJsonObject, type ClientMetadata } from './client-metadata.ts'
import { registerAppContract } from './contract.ts'
import { limitRegistrations } from './limit-registrations.ts'
import { insertApp } from './queries.ts'

/** Several times the longest metadata that makes sense. A larger body is 413. */
export const registrationBytesMax = 65_536

/**
 * Stores a public client. Each registration gets an id of its own, even for the same metadata.
 *
 * @returns specification "Registered app"; RFC 7591, 3.2.1
 */
async function registerApp(
  { pool, clock }: Pick<DirectoryContext, 'pool' | 'clock'>,
  metadata: ClientMetadata,
) {
  const clientId = newClientId()
  const now = clock.now()
  await insertApp.run(pool, {
    clientId,
    clientName: metadata.client_name,
    redirectUris: metadata.redirect_uris,
    grantTypes: metadata.grant_types,
    responseTypes: metadata.response_types,
    registeredAt: new Date(now),
  })
  return { client_id: clientId, client_id_issued_at: Math.floor(now / 1_000), ...metadata }
}

export async function registerRegistrationRoutes(app: App, context: DirectoryContext): Promise<void> {
  app.removeAllContentTypeParsers()
  // Any body is read unparsed, so that a refused one is counted.
  app.addContentTypeParser('*', (request: FastifyRequest) =>
    readRequestBody(app, request, registrationBytesMax),
  )

  app.post('/oauth/register', route(registerAppContract), async (request, reply) => {
    const limit = async (outcome: 'fits' | 'refused'): Promise<void> =>
      void reply.headers(await limitRegistrations(context, request.ip, outcome))
    let metadata: ClientMetadata
    try {
      const fields = readJsonObject(request.headers['content-type'], request.body as Buffer | undefined)
      metadata = readClientMetadata(fields, context.config.oauth)
    } catch (error) {
      await limit('refused')
      throw error
    }
    await limit('fits')
    reply.code(201)
    return registerApp(context, metadata)
  })
}
