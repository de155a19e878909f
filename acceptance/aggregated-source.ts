import { call, delivery, ingest } from '../testing/process/call.ts'
import { readSamples, type Sample, waitUntilRead } from '../testing/process/numera-api.ts'
import type { Shop, SourceOptions } from '../testing/process/shop.ts'

const line = ({ period_start, labels, value }: Sample): string =>
  [period_start, ...Object.values(labels), value].join(' ')

/** Creates a source, and gives what a test does with it. */
export const openSource = async (shop: Shop, options: SourceOptions) => {
  const sourceId = await shop.createSource(options)
  const { credential } = await shop.connect({ source_id: sourceId })
  const samples = async (query: Record<string, string> = { from: '2025-01-01', to: '2027-01-01' }) =>
    (await readSamples(shop.url, credential, query)).samples
  return {
    credential,
    samples,
    /** Pushes, waits until it has been parsed, and gives the parse result. */
    send: async (payload: unknown) => {
      const { status, text, body } = await ingest(shop.url, credential, delivery(payload))
      if (status !== 202) throw new Error(text)
      return {
        ...(await waitUntilRead(shop.url, credential, body.artifact_id)),
        artifactId: body.artifact_id,
      }
    },
    /** Each sample as "period value", or with a label "period label value". */
    lines: async () => (await samples()).map(line),
    trace: async (metric: string, periodStart: string, labels: Record<string, string> = {}) => {
      const query = new URLSearchParams({ metric, period_start: periodStart })
      for (const [name, value] of Object.entries(labels)) query.set(`label.${name}`, value)
      return (await call(`${shop.url}/v1/samples/trace?${query}`, { credential })).body
    },
  }
}
