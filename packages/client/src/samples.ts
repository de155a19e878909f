import type { NumeraApi } from './api-types.ts'
import { type CamelCase, toCamelCase } from './camel-case.ts'
import { Decimal } from './decimal.ts'

export interface SampleQuery {
  metric?: string
  /** First day, `YYYY-MM-DD`; as far back as it says, in as many reads as it takes. Unset: the latest 731 days. */
  from?: string
  /** The day after the last; tomorrow by default. */
  to?: string
  labels?: Readonly<Record<string, string>>
  /** Samples as they were read at this instant. */
  asOf?: string | Date
  sourceId?: string
  orgnr?: string
  signal?: AbortSignal
}

type WireSamples = NumeraApi['GET /v1/samples']['answer']

export type Sample = Omit<CamelCase<WireSamples['samples'][number]>, 'value'> & { value: Decimal }

export type Query = Record<string, string | undefined>

export function toSampleQuery({ metric, labels = {}, asOf, sourceId, orgnr }: SampleQuery): Query {
  return {
    metric,
    as_of: asOf instanceof Date ? asOf.toISOString() : asOf,
    source_id: sourceId,
    orgnr,
    ...Object.fromEntries(Object.entries(labels).map(([name, value]) => [`label.${name}`, value])),
  }
}

/**
 * Every sample of a window, newest first, however wide it is and however many there are.
 *
 * @throws Conflict where the samples changed between two reads that belong together: begin again
 */
export async function* readSamples(
  read: (query: Query) => Promise<Record<string, unknown>>,
  query: SampleQuery,
): AsyncGenerator<Sample> {
  const fixed = { ...toSampleQuery(query), from: query.from }
  let to = query.to
  let cursor: string | undefined
  for (;;) {
    const { samples, window, next } = (await read({ ...fixed, to, cursor })) as unknown as WireSamples
    yield* samples.map(toSample)
    cursor = next
    if (cursor !== undefined) continue
    if (!window.narrowed) return
    to = window.from
  }
}

const toSample = (sample: WireSamples['samples'][number]): Sample => ({
  ...toCamelCase(sample),
  value: Decimal.from(sample.value),
})
