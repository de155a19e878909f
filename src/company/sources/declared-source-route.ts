import type { DirectoryContext } from '../../context.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { toRenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import { showDeclaredSourceContract } from './declared-source-contract.ts'
import { showDeclaredSource } from './show-declared-source.ts'

/** What a source declares, for the connections and apps that may name it. */
export async function registerDeclaredSourceRoute(app: App, context: DirectoryContext): Promise<void> {
  app.get('/v1/sources/:source_id', route(showDeclaredSourceContract), async (request, reply) => {
    const { company, boundSourceId } = request.admission
    const { companyId, shard } = company!
    const sourceId = request.params.source_id.toLowerCase()
    if (!uuidPattern.test(sourceId)) throw notFound()
    // A source that the caller may not name does not exist for it.
    if (boundSourceId !== null && boundSourceId !== sourceId) throw notFound()
    const at = context.shards.get(shard)
    const answer = await app.reads.limitOn(at.readPool)(companyId, () =>
      showDeclaredSource(at, companyId, sourceId),
    )
    if (answer === undefined) throw notFound()
    const { bytes, etag } = toRenderedAnswer(JSON.stringify(answer))
    return app.reads.send({ request, reply, companyId }, etag, () => bytes)
  })
}
