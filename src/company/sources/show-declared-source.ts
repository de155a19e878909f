import type { Context } from '../../context.ts'
import { maskFilters } from '../../engine/declarations/mask-filters.ts'
import { selectShape, selectSource } from './queries.ts'

/** What a source declares, for those who may name it: filters on personal fields are masked. Undefined if there is none. */
export async function showDeclaredSource(
  { readPool, clock }: Pick<Context, 'readPool' | 'clock'>,
  companyId: string,
  sourceId: string,
) {
  const source = await selectSource.first(readPool, { at: new Date(clock.now()), companyId, sourceId })
  if (source === undefined) return undefined
  const { shape_version: shapeVersion } = source
  const shape = (await selectShape.first(readPool, { companyId, sourceId, shapeVersion }))!
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
