import { findDemoConnection } from '../../company/connections/find-demo-connection.ts'
import type { App } from '../../platform/http/contract.ts'
import { withFacts, type DocumentFacts } from '../../platform/web-app/document-facts.ts'
import { redirectToBaseAddress } from '../../platform/http/to-base-address.ts'
import { findApp } from '../../oauth/register/app.ts'
import { referenceClientId } from '../../platform/http/docs-origin.ts'
import { listReadableSources } from '../../engine/samples/list-readable-sources.ts'
import type { DirectoryContext } from '../../context.ts'
import { callbackHeaders, toReferenceHeaders } from './reference-headers.ts'

const callbackPage = `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <meta name="color-scheme" content="light dark" />
  <title>Back at the API reference · Numera</title>
  <h1>Back at the API reference</h1>
  <p>This window closes by itself. If it does not, close it and go back to the reference.</p>
</html>
`

/** For how long one look-up serves all visitors, in milliseconds, so that they do not load the database. */
export const factsMsMax = 10_000

/** What the reference may fill in, on a demo deployment only. */
async function findFacts(context: DirectoryContext): Promise<DocumentFacts> {
  const { demoCredential } = context.config
  const [demo, app] = await Promise.all([
    demoCredential === undefined ? undefined : findDemoConnection(context, demoCredential),
    findApp(context, referenceClientId),
  ])
  if (demo === undefined) return app === undefined ? {} : { referenceApp: app.clientId }
  if (app === undefined) return { demoCredential: demoCredential! }
  const at = await context.shards.ofCompany(demo.companyId)
  const { items } = await listReadableSources(at, {
    companyId: demo.companyId,
    boundSourceId: null,
    pushOnly: false,
  })
  const sources = Object.fromEntries(items.map(({ source_id, name }) => [source_id, name]))
  return {
    demoCredential: demoCredential!,
    referenceApp: app.clientId,
    referenceReads: { orgnr: demo.orgnr, sources },
  }
}

/** The facts, looked up at most once in `factsMsMax`; a look-up that fails is repeated by the next visitor. */
function createFacts(context: DirectoryContext): () => Promise<DocumentFacts> {
  let found: Promise<DocumentFacts> | undefined
  let foundAtMs = 0
  return () => {
    const nowMs = performance.now()
    if (found === undefined || nowMs - foundAtMs > factsMsMax) {
      foundAtMs = nowMs
      found = findFacts(context)
      found.catch(() => (found = undefined))
    }
    return found
  }
}

/** The interactive API reference, which reads no cookie. Not part of the API documents. */
export async function registerReferenceRoutes(app: App, context: DirectoryContext): Promise<void> {
  const headers = toReferenceHeaders(context.config.baseUrl)
  const html = 'text/html; charset=utf-8'
  const facts = createFacts(context)
  redirectToBaseAddress(app, context.config.baseUrl)

  app.get('/docs/api', async (_request, reply) => {
    return reply
      .headers(headers)
      .type(html)
      .send(withFacts(app.pages.reference, await facts()))
  })
  app.get('/docs/api/', (_request, reply) => reply.redirect('/docs/api', 308))
  app.get('/docs/api/callback', (_request, reply) =>
    reply.headers(callbackHeaders).type(html).send(callbackPage),
  )
}
