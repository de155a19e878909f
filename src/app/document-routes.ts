import type { AppContext } from './app-context.ts'
import { corsHeaders } from '../platform/http/cors.ts'
import type { Api, App } from '../platform/http/contract.ts'
import { readGuidePages } from '../platform/web-app/guide-pages.ts'
import { writeLlmsFullText, writeLlmsText } from '../platform/api-documents/llms-text.ts'
import { buildDocument, type OpenapiDocument } from '../platform/api-documents/openapi-document.ts'
import { writePostmanCollection } from '../platform/api-documents/postman-collection.ts'
import { prepareText, type SentText, sendText } from '../platform/http/sent-text.ts'
import { writeYaml } from '../platform/api-documents/yaml-text.ts'

/** How long clients and caches may keep a document before they revalidate it by its tag. */
const documentAgeSecondsMax = 300

const json = 'application/json; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

/** Serves a text to any origin. It is written once, on the first request. */
function serveText(app: App, path: string, type: string, write: () => string | Promise<string>): void {
  let written: Promise<SentText> | undefined
  const writeOnce = async () => prepareText(await write())
  app.get(path, async (request, reply) => {
    written ??= writeOnce().catch((error: unknown) => {
      written = undefined
      throw error
    })
    const text = await written
    reply.headers({ ...corsHeaders, 'cache-control': `public, max-age=${documentAgeSecondsMax}` })
    return sendText(request, reply, type, text)
  })
}

/**
 * What describes the service to programs: the API document as JSON, YAML and Postman collection, and the documents' pages as
 * text. Public, except the document of the pages' API.
 */
export async function registerDocumentRoutes(app: App, context: AppContext): Promise<void> {
  const { baseUrl } = context.config
  const buildDocumentFor = (api: Api): OpenapiDocument => buildDocument(api, app.routes.entries, { baseUrl })

  serveText(app, '/openapi.json', json, () => JSON.stringify(buildDocumentFor('public')))
  serveText(app, '/openapi.yaml', 'application/yaml; charset=utf-8', () =>
    writeYaml(buildDocumentFor('public')),
  )
  serveText(app, '/docs/numera.postman_collection.json', json, () =>
    JSON.stringify(writePostmanCollection(buildDocumentFor('public'))),
  )
  serveText(app, '/llms.txt', plain, async () => writeLlmsText(await readGuidePages(), baseUrl))
  serveText(app, '/llms-full.txt', plain, async () => writeLlmsFullText(await readGuidePages(), baseUrl))

  let consoleDocument: string | undefined
  app.get('/console/openapi.json', (_request, reply) => {
    consoleDocument ??= JSON.stringify(buildDocumentFor('console'))
    reply.type(json).send(consoleDocument)
  })
}
