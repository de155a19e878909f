import type { DirectoryContext } from '../../context.ts'
import { maskFilters } from '../../engine/declarations/mask-filters.ts'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { notFound } from '../../platform/http/errors/errors.ts'
import { toRenderedAnswer } from '../../platform/reads/rendered-answer.ts'
import { showDeclaredSourceContract } from './declared-source-contract.ts'
import { selectShape, selectSource, type ShapeVersionRow, type SourceRow } from './queries.ts'

/** What a source declares, for the connections and apps that may name it. */
export async function registerDeclaredSourceRoute(app: App, context: DirectoryContext): Promise<void> {
  app.get('/v1/sources/:source_id', route(showDeclaredSourceContract), async (request, reply) => {
    const { company, boundSourceId } = request.admission
    const { companyId, shard } = company!
    const sourceId = request.params.source_id.toLowerCase()
    if (!uuidPattern.test(sourceId)) throw notFound()
    // A source that the caller may not name does not exist for it.
    if (boundSourceId !== null && boundSourceId !== sourceId) throw notFound()
    const { readPool } = context.shards.get(shard)
    const answer = await app.reads.limitOn(readPool)(companyId, async () => {
      const at = new Date(context.clock.now())
      const source = await selectSource.first(readPool, { at, companyId, sourceId })
      if (source === undefined) throw notFound()
      const { shape_version: shapeVersion } = source
      const shape = await selectShape.first(readPool, { companyId, sourceId, shapeVersion })
      return toAnswer(source, shape!)
    })
    const { bytes, etag } = toRenderedAnswer(JSON.stringify(answer))
    return app.reads.send({ request, reply, companyId }, etag, () => bytes)
  })
}

function toAnswer(source: SourceRow, shape: ShapeVersionRow) {
  const personal = shape.fields.filter((field) => field.personal).map(({ name }) => name)
  return {
    source_id: source.source_id,
    name: source.name,
    channel: source.channel,
    format: source.format,
    shape_version: shape.shape_version,
    paused: source.paused_at !== null,
    fields: shape.fields,
    event_time: shape.event_time,
    metrics: shape.metrics.map((metric) => maskFilters(metric, personal)),
    delivers: shape.delivers,
  }
}
