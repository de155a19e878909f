import type { Context } from '../../context.ts'
import { route, type App } from '../../http/contract.ts'
import { readClientMetadata } from './client-metadata.ts'
import { registerAppContract } from './contract.ts'
import { readJsonObject } from './read-json-object.ts'
import { registerApp } from './register-app.ts'
import { takeRegistration } from './take-registration.ts'

/** Several times the longest metadata that makes sense. */
export const bodyBytesMax = 65_536

export const registerRegistrationRoutes = async (app: App, context: Context): Promise<void> => {
  app.removeAllContentTypeParsers()
  // Every body is read as it came, so that a refused one has been counted.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
    done(null, body),
  )

  app.post('/oauth/register', route(registerAppContract), async (request, reply) => {
    reply.headers(await takeRegistration(context, request.ip))
    const fields = readJsonObject(request.headers['content-type'], request.body as Buffer | undefined)
    const metadata = readClientMetadata(fields, context.config.oauth)
    reply.code(201)
    return registerApp(context, metadata)
  })
}
