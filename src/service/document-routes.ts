import { corsHeaders } from '../http/cors.ts'
import type { Api, App } from '../http/contract.ts'
import { readGuidePages } from '../http/guide-pages.ts'
import { writeLlmsFullText, writeLlmsText } from '../http/llms-text.ts'
import { buildDocument, type OpenapiDocument } from '../http/openapi-document.ts'
import { writePostmanCollection } from '../http/postman-collection.ts'
import { prepareText, type SentText, sendText } from '../http/sent-text.ts'
import { writeYaml } from '../http/yaml-text.ts'
import type { Context } from './context.ts'

/** How long a client, or a cache on the way, keeps one of the documents; older, it is asked for anew, by its tag. */
export const documentAgeSecondsMax = 300

const json = 'application/json; charset=utf-8'
const plain = 'text/plain; charset=utf-8'

/** Serves a text to everybody, scripts of any origin too. It is written once, when first asked for. */
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
 * text. For everybody; that of the pages' API is for the pages.
 */
export async function registerDocumentRoutes(app: App, context: Context): Promise<void> {
  const { baseUrl } = context.config
  const documentOf = (api: Api): OpenapiDocument => buildDocument(api, app.routes.entries, { baseUrl })

  serveText(app, '/openapi.json', json, () => JSON.stringify(documentOf('public')))
  serveText(app, '/openapi.yaml', 'application/yaml; charset=utf-8', () => writeYaml(documentOf('public')))
  serveText(app, '/docs/numera.postman_collection.json', json, () =>
    JSON.stringify(writePostmanCollection(documentOf('public'))),
  )
  serveText(app, '/llms.txt', plain, async () => writeLlmsText(await readGuidePages(), baseUrl))
  serveText(app, '/llms-full.txt', plain, async () => writeLlmsFullText(await readGuidePages(), baseUrl))

  let consoleDocument: string | undefined
  app.get('/console/openapi.json', (_request, reply) => {
    consoleDocument ??= JSON.stringify(documentOf('console'))
    reply.type(json).send(consoleDocument)
  })
}
