/**
 * GET /v1/samples, compared with a bare Fastify route that answers the same bytes from memory after one prepared SELECT:
 * in turns, with nothing else stored and with a million deliveries of other sources.
 *
 *   node bench/samples/reads.ts [rounds] [seconds] [deliveries of others]
 */
import Fastify from 'fastify'
import { buildApp } from '../../src/app/app.ts'
import { renderSamples } from '../../src/engine/samples/queries.ts'
import { answerBytesMax } from '../../src/engine/samples/read-samples.ts'
import { median, print, printTarget } from '../figures.ts'
import { fillParsed, openShop, startDeployment } from './deployment.ts'
import { type GetResult, loadReads } from './get-load.ts'

const [rounds = 5, seconds = 3, others = 1_000_000] = process.argv.slice(2).map(Number)
const clients = 64
/** The widest window of a read, with a sample on each day. */
const daysMax = 731
const windows = { '30 days': 'from=2026-01-01&to=2026-01-31', '731 days': 'from=2025-06-01&to=2027-06-02' }

await using deployment = await startDeployment()
const { pool, context } = deployment
// One credential for each client, as in practice.
const shop = await openShop(context, {}, clients)
await fillParsed(pool, shop, 2_000, daysMax)
await pool.query('analyze')

const app = await buildApp(context)
await app.listen({ port: 0, host: '127.0.0.1' })
const port = (app.server.address() as { port: number }).port

/** The rival: looks up the credential and has the answer ready. */
const startBare = async (bytes: Buffer): Promise<{ port: number; close: () => Promise<unknown> }> => {
  const bare = Fastify()
  const lookUp = {
    name: 'bare',
    text: `select connections.company_id, connections.source_id from credentials
      join connections on connections.connection_id = credentials.connection_id
      where credentials.credential_hash = $1`,
    values: [Buffer.alloc(32)],
  }
  bare.get('/*', async (_request, reply) => {
    await pool.query(lookUp)
    return reply.type('application/json; charset=utf-8').send(bytes)
  })
  await bare.listen({ port: 0, host: '127.0.0.1' })
  return { port: (bare.server.address() as { port: number }).port, close: () => bare.close() }
}

const renderParams = (from: string, to: string) => ({
  companyId: shop.companyId,
  sourceId: shop.sourceId,
  projectionId: 1,
  sandbox: false,
  from,
  to,
  metric: null,
  labels: null,
  startCell: null,
  samplesMax: 5_000,
  bytesMax: answerBytesMax,
})

const explain = async (): Promise<void> => {
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, buffers, costs off) ${renderSamples.text}`,
    [...renderSamples.toValues(renderParams('2025-06-01', '2026-06-01'))],
  )
  for (const row of rows) print(`    ${row['QUERY PLAN']}`)
}

const perSecond = (results: GetResult[]): number => median(results.map((result) => result.perSecond))

const measure = async (stored: string): Promise<void> => {
  for (const [name, query] of Object.entries(windows)) {
    const path = `/v1/samples?${query}`
    const { rawPayload } = await app.inject({
      url: path,
      headers: { authorization: `Bearer ${shop.credential}` },
    })
    const bare = await startBare(rawPayload)
    const ours: GetResult[] = []
    const rival: GetResult[] = []
    for (let round = 0; round < rounds; round++) {
      ours.push(await loadReads({ port, path, clients, seconds, credentials: shop.credentials }))
      rival.push(await loadReads({ port: bare.port, path, clients, seconds, credentials: shop.credentials }))
    }
    await bare.close()
    const ratios = ours.map((result, round) => result.perSecond / rival[round]!.perSecond)
    const refused = [...ours, ...rival].reduce((sum, result) => sum + result.refused, 0)
    print(
      `  ${name}, ${rawPayload.length} bytes: ${perSecond(ours).toFixed(0)}/s (p99 ${median(ours.map((r) => r.p99Ms)).toFixed(1)} ms), ` +
        `bare ${perSecond(rival).toFixed(0)}/s; ratio ${median(ratios).toFixed(2)} ` +
        `(${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}); ${refused} refused`,
    )
    if (name === '731 days') {
      printTarget(`samples of 731 days ${stored}, per second : the bare route`, median(ratios), {
        atLeast: 0.5,
      })
    }
    // Without the cache, as after a delivery.
    const startedMs = performance.now()
    const times = 200
    for (let time = 0; time < times; time++) {
      const [from, to] = [query.slice(5, 15), query.slice(19)]
      await renderSamples.first(pool, renderParams(from, to))
    }
    print(`    rendered in ${((performance.now() - startedMs) / times).toFixed(2)} ms`)
  }
}

print(`${clients} clients, ${rounds} rounds of ${seconds} s in turns, medians`)
print('with nothing else stored')
await measure('with nothing else stored')
await explain()

const startedMs = performance.now()
const sources = 50
for (let source = 0; source < sources; source++) {
  const other = await openShop(context)
  await fillParsed(pool, other, others / sources, 365)
}
await pool.query('analyze')
print(
  `with ${others} deliveries of ${sources} other sources, stored in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`,
)
await measure(`with ${others} deliveries of others`)
await explain()
await app.close()
