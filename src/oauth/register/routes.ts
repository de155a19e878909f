import type { FastifyRequest } from 'fastify'
import type { Context } from '../../service/context.ts'
import { readRequestBody } from '../../http/body/parse-bodies.ts'
import { route, type App } from '../../http/contract.ts'
import { readClientMetadata, type ClientMetadata } from './client-metadata.ts'
import { registerAppContract } from './contract.ts'
import { readJsonObject } from './read-json-object.ts'
import { registerApp } from './register-app.ts'
import { limitRegistrations } from './limit-registrations.ts'

/** Several times the longest metadata that makes sense. A larger body is 413. */
export const registrationBytesMax = 65_536

export async function registerRegistrationRoutes(app: App, context: Context): Promise<void> {
  app.removeAllContentTypeParsers()
  // Any body is taken as it comes, so that a refused one has been counted.
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
