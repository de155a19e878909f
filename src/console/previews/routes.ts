import type { FastifyRequest } from 'fastify'
import { requireRole } from '../../people/members/require-role.ts'
import { ownBytes } from '../../engine/deliveries/intake/own-bytes.ts'
import { readRequestBody } from '../../platform/http/body/parse-bodies.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import type { DirectoryContext } from '../../context.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { findDeclaredSource } from '../../company/sources/show-source.ts'
import { registerCheckRoute } from './check/route.ts'
import { previewNewSourceContract, previewSourceContract, readExampleContract } from './contract.ts'
import { exampleAnswer, previewAnswer } from './preview-answer.ts'
import { createPreviews, type Previews } from './previews.ts'
import { findSavingEffect } from './saving-effect.ts'
import { readStoredForPreview } from './stored-for-preview.ts'

/** The body of a call with an example: 8 MiB with every byte escaped, and a declaration. A larger one is 413. */
const exampleBodyBytesMax = 17 * 1024 * 1024

const sources = '/console/companies/:company_id/sources'

/** Examples, previews of declarations, and checks of pushes, which share threads. */
export async function registerPreviewRoutes(app: App, context: DirectoryContext): Promise<void> {
  const previews = createPreviews()
  app.addHook('onClose', () => previews.close())
  registerCheckRoute(app, context, previews)
  await app.register(async (scope) => registerPageRoutes(scope as App, context, previews))
}

async function registerPageRoutes(app: App, context: DirectoryContext, previews: Previews): Promise<void> {
  await guardSession(app, context)
  // Bodies may be large, so they are parsed in the worker thread.
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', (request: FastifyRequest) =>
    readRequestBody(app, request, exampleBodyBytesMax),
  )
  registerExampleRoutes(app, context, previews)
  registerSourcePreviewRoute(app, context, previews)
}

/** A body of the parser above, to be transferred to a thread. */
function requireBytes(body: unknown): Uint8Array {
  if (!Buffer.isBuffer(body)) throw invalidArgument('The body is not valid JSON.', 'body')
  return ownBytes(body)
}

function registerExampleRoutes(app: App, context: DirectoryContext, previews: Previews): void {
  app.post(`${sources}/example`, route(readExampleContract), async ({ session, params, body }) => {
    const { companyId, timeZone } = await requireRole(context.pool, session, params.company_id, 'developer')
    const task = { body: requireBytes(body), timeZone, nowMs: context.clock.now() }
    const { example } = await previews.inTurn(companyId, () => previews.run('example', task, [task.body]))
    return exampleAnswer(example)
  })

  app.post(`${sources}/preview`, route(previewNewSourceContract), async ({ session, params, body }) => {
    const { companyId, timeZone } = await requireRole(context.pool, session, params.company_id, 'developer')
    const task = { body: requireBytes(body), timeZone, nowMs: context.clock.now() }
    const { preview } = await previews.inTurn(companyId, () => previews.run('preview', task, [task.body]))
    if (preview === null)
      throw invalidArgument('A source that does not exist yet needs an example.', 'example')
    return previewAnswer(preview, { of: 'example', sandbox: false, saving: null })
  })
}

/** Previews a declaration with an example, with one delivery of its source, or with the last ones. */
function registerSourcePreviewRoute(app: App, context: DirectoryContext, previews: Previews): void {
  app.post(
    `${sources}/:source_id/preview`,
    route(previewSourceContract),
    async ({ session, params, body }) => {
      const { company_id: companyId, source_id: sourceId } = params
      const { timeZone } = await requireRole(context.pool, session, companyId, 'developer')
      const at = await context.shards.ofCompany(companyId)
      const { version: saved } = await findDeclaredSource(at, session, companyId, sourceId)
      const task = { body: requireBytes(body), timeZone, nowMs: context.clock.now() }
      return previews.inTurn(companyId, async () => {
        const { preview, declaration, artifactId } = await previews.run('preview', task, [task.body])
        const saving = await findSavingEffect(at, session, companyId, sourceId, declaration)
        if (preview !== null) return previewAnswer(preview, { of: 'example', sandbox: false, saving })
        const stored = await readStoredForPreview(
          { readPool: at.readPool, read: app.reads.onBasis(at) },
          companyId,
          sourceId,
          artifactId,
        )
        const { sandbox, deliveries } = stored
        const contents = deliveries.map(({ content }) => content)
        const ofDeliveries = await previews.run(
          'storedDeliveries',
          { declaration, saved: artifactId === null ? null : saved, stored, timeZone },
          contents,
        )
        return previewAnswer(ofDeliveries, {
          of: artifactId === null ? 'deliveries' : 'delivery',
          sandbox,
          saving,
        })
      })
    },
  )
}
