import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'
import type { App } from '../http/contract.ts'
import { notFound } from '../http/errors/errors.ts'
import { escapeHtml } from './escape-html.ts'
import { documentHeaders } from './page-headers.ts'
import { prepareText, type SentText, sendText } from '../http/sent-text.ts'
import { redirectToBaseAddress } from '../http/to-base-address.ts'
import { opensPage } from '../http/requests/opens-page.ts'

/** How long a browser shows a document without asking whether there is a newer one. Seconds. */
const documentAge = 60

/** Of pages and of what they load, as `web/docs/build.ts` names them; nothing else is looked for on the disk. */
const pageName = /^(?:sv\/)?[\w-]+$/
const assetName = /^assets\/[\w.-]+$/
/** Files that are no page of their own: the front page has an address of its own, and the other is the page of none. */
const notAPage = /^(?:index|(?:sv\/)?404)$/

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/**
 * The front pages of a demo deployment, by their name: they show the demo connection's credential, which is published. A page is
 * read at each call, and filled in and compressed where it is another than before.
 */
function createDemoFront(
  folder: string,
  { baseUrl, demoCredential }: { baseUrl: string; demoCredential: string },
): (name: string) => Promise<SentText> {
  const fronts = new Map<string, { html: string; text: Promise<SentText> }>()
  return async (name) => {
    const html = await readFile(join(folder, `${name}.demo.html`), 'utf8')
    const known = fronts.get(name)
    if (known?.html === html) return known.text
    const filled = html
      .replaceAll('%base_url%', () => escapeHtml(baseUrl))
      .replaceAll('%demo_credential%', () => escapeHtml(demoCredential))
    const text = prepareText(filled)
    fronts.set(name, { html, text })
    return text
  }
}

/**
 * The documents at `/docs`, as `web/docs` built them: the same for everybody, and no cookie is read. What was built is
 * on the disk, compressed, and is looked up by its name at each call, so that a new build is shown immediately.
 */
export async function registerDocumentationRoutes(
  app: App,
  { config }: { config: Pick<Config, 'baseUrl' | 'demoCredential'> },
): Promise<void> {
  const { documentsFolder } = app.pages
  const { baseUrl, demoCredential } = config
  const headers = documentHeaders(baseUrl)
  // The demo's calls are made by the front page itself.
  const demoHeaders = documentHeaders(baseUrl, ['/docs/', '/v1/'])
  await app.register(fastifyStatic, { serve: false, index: false, preCompressed: true })
  redirectToBaseAddress(app, baseUrl)

  const sendPage = (reply: FastifyReply, name: string): FastifyReply =>
    reply.headers(headers).sendFile(`${name}.html`, documentsFolder!, { maxAge: documentAge * 1_000 })

  /** An unknown address is a page for people, and the API's error for programs. */
  const sendLost = (request: FastifyRequest, reply: FastifyReply, name: string): FastifyReply => {
    if (documentsFolder === undefined || !opensPage(request)) throw notFound()
    return reply
      .code(404)
      .headers(headers)
      .sendFile(name.startsWith('sv/') ? 'sv/404.html' : '404.html', documentsFolder, {
        cacheControl: false,
        etag: false,
        lastModified: false,
      })
  }

  const demoFront =
    documentsFolder === undefined || demoCredential === undefined
      ? undefined
      : createDemoFront(documentsFolder, { baseUrl, demoCredential })

  const sendFront = async (request: FastifyRequest, reply: FastifyReply, name: string) => {
    if (documentsFolder === undefined) return sendLost(request, reply, name)
    if (demoFront === undefined) return sendPage(reply, name)
    const text = await demoFront(name)
    reply.headers({ ...demoHeaders, 'cache-control': `public, max-age=${documentAge}` })
    return sendText(request, reply, 'text/html; charset=utf-8', text)
  }

  app.get('/docs', (request, reply) => sendFront(request, reply, 'index'))

  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*']
    const isPage = async (page: string): Promise<boolean> =>
      documentsFolder !== undefined &&
      pageName.test(page) &&
      !notAPage.test(page) &&
      isThere(join(documentsFolder, `${page}.html`))

    if (name === 'sv') return sendFront(request, reply, name)
    if (await isPage(name)) return sendPage(reply, name)
    if (
      documentsFolder !== undefined &&
      assetName.test(name) &&
      (await isThere(join(documentsFolder, name)))
    ) {
      // Their names change with their content.
      return reply.sendFile(name, documentsFolder, { maxAge: '1y', immutable: true })
    }
    // A typed address may end in a slash, or as a file.
    const meant = name.replace(/(?:\/|\.html)$/, '')
    if (name === '') return reply.redirect('/docs', 308)
    if (meant !== name && (await isPage(meant))) return reply.redirect(`/docs/${meant}`, 308)
    return sendLost(request, reply, name)
  })
}
