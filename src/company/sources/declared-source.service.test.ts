import { expect, test } from 'vitest'
import { seedCompany, seedConnection, seedSource } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const { context, app } = await startTestService()

const get = async (credential: string | undefined, path: string, headers: Record<string, string> = {}) => {
  const answer = await app.inject({
    url: path,
    headers: { authorization: `Bearer ${credential}`, ...headers },
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.body === '' ? {} : answer.json() }
}

/** A company with a push source and a webhook source. */
const openCompany = async () => {
  const { company, owner } = await seedCompany(context)
  const metric = testMetric({
    group_by: ['country'],
    filters: [
      { field: 'customer', comparison: '≠', value: 'ada@example.se' },
      { field: 'country', comparison: '=', value: 'SE' },
    ],
  })
  const shop = await seedSource(context, company.companyId, { metrics: [metric] })
  const hook = await seedSource(context, company.companyId, { name: 'Till', channel: 'webhook' })
  const connect = async (permissions: ('metrics.read' | 'sources.ingest')[], source?: typeof shop) =>
    (await seedConnection(context, { company, owner, permissions, ...(source && { source }) })).credential
  return { shop, hook, metric, connect }
}

test('a sender or a reader sees what a source declares, without what a personal field is compared with', async () => {
  const { shop, metric, connect } = await openCompany()
  for (const permission of ['sources.ingest', 'metrics.read'] as const) {
    const credential = await connect([permission], shop)
    const { body, headers } = await get(credential, `/v1/sources/${shop.sourceId.toUpperCase()}`)
    expect(body).toEqual({
      source_id: shop.sourceId,
      name: 'Shop',
      channel: 'push',
      format: null,
      shape_version: 1,
      paused: false,
      fields: testFields,
      event_time: 'at',
      metrics: [{ ...metric, filters: [{ ...metric.filters[0], value: '•••' }, metric.filters[1]] }],
      delivers: 'events',
    })
    const known = { 'if-none-match': String(headers.etag) }
    expect((await get(credential, `/v1/sources/${shop.sourceId}`, known)).status).toBe(304)
  }
})

test('a source that the connection may not name is the same 404 as one that does not exist', async () => {
  const { shop, hook, connect } = await openCompany()
  const other = await openCompany()
  const bound = await connect(['sources.ingest'], shop)
  const unbound = await connect(['sources.ingest'])
  const statuses: unknown[][] = []
  for (const [credential, id] of [
    [bound, hook.sourceId],
    [bound, other.shop.sourceId],
    [unbound, other.shop.sourceId],
    [unbound, '01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10'],
    [unbound, 'shop'],
  ]) {
    const { status, body } = await get(credential, `/v1/sources/${id}`)
    statuses.push([status, body.code, body.message])
  }
  expect(statuses).toEqual(statuses.map(() => [404, 'not_found', statuses[0]![2]]))
  expect((await get(unbound, `/v1/sources/${hook.sourceId}`)).body).toMatchObject({ channel: 'webhook' })
})

test('a connection that may only push lists the sources that it may push to', async () => {
  const { shop, hook, connect } = await openCompany()
  const list = async (...args: Parameters<typeof connect>): Promise<string[]> => {
    const { body } = await get(await connect(...args), '/v1/sources')
    return body.sources.map(
      ({ source_id: id, delivers }: { source_id: string; delivers: string }) => `${id} ${delivers}`,
    )
  }
  const [ofShop, ofHook] = [`${shop.sourceId} events`, `${hook.sourceId} events`]
  expect(await list(['sources.ingest'])).toEqual([ofShop])
  expect(await list(['sources.ingest'], shop)).toEqual([ofShop])
  expect(await list(['sources.ingest', 'metrics.read'])).toEqual([ofShop, ofHook].toSorted())
})
