import type { Context } from './context.ts'
import { corsHeaders } from '../http/cors.ts'
import type { Api, App } from '../http/contract.ts'
import { buildDocument } from '../http/openapi-document.ts'

/** `GET /openapi.json` for everybody, `GET /console/openapi.json` for the pages. Written once, when first asked for. */
export async function registerDocumentRoutes(app: App, context: Context): Promise<void> {
  const { baseUrl } = context.config
  const written = new Map<Api, string>()
  const documentOf = (api: Api): string => {
    const text = written.get(api) ?? JSON.stringify(buildDocument(api, app.routes.entries, { baseUrl }))
    written.set(api, text)
    return text
  }
  const json = 'application/json; charset=utf-8'

  app.get('/openapi.json', (_request, reply) => {
    reply.headers(corsHeaders).type(json).send(documentOf('public'))
  })
  app.get('/console/openapi.json', (_request, reply) => {
    reply.type(json).send(documentOf('console'))
  })
}
