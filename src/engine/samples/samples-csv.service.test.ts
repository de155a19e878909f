import { expect, test } from 'vitest'
import { testMetric } from '../../../testing/in-process/source.ts'
import { startSampleScene } from '../../../testing/in-process/scenes/sample-scene.ts'
import { samplesMax } from './read-samples.ts'

const { context, app, openShop, deliver, get } = await startSampleScene()

const read = (credential: string, query = '', headers: Record<string, string> = {}) => {
  context.clock.advance(1_000)
  const authorization = `Bearer ${credential}`
  return app.inject({
    url: `/v1/samples${query}`,
    headers: { authorization, accept: 'text/csv', ...headers },
  })
}

test('samples as CSV have the same digits and texts as the JSON, formulas included', async () => {
  const shop = await openShop({
    metrics: [
      testMetric({ times: 'amount', group_by: ['country'] }),
      testMetric({ metric: 'active_users', aggregation: 'count' }),
    ],
  })
  const id = await deliver(shop, [
    { at: '2026-03-01', amount: '99999999999999999999999999999999999999', country: '=1+1' },
    { at: '2026-03-01', amount: '0.000000000000000001', country: 'a "b",\r\nc' },
    { at: '2026-03-01', amount: '1' },
  ])
  const { headers, body } = await read(shop.credential, '?from=2019-01-01')
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'samples-truncated': 'false',
    'samples-narrowed': 'true',
    vary: 'Accept',
  })
  expect(body.split(`false,${id},`)).toEqual([
    'metric,period_start,value,sandbox,artifact_id,label.country\r\nactive_users,2026-03-01,3,',
    '\r\nrevenue,2026-03-01,1,',
    '\r\nrevenue,2026-03-01,9999999999999999999999999999999999999800000000000000000000000000000000000001,',
    '=1+1\r\nrevenue,2026-03-01,0.000000000000000000000000000000000001,',
    '"a ""b"",\r\nc"\r\n',
  ])
  // One metric has the columns of its own labels.
  expect((await read(shop.credential, '?metric=active_users')).body).toMatch(/artifact_id\r\nactive_users/)
})

test('the two forms have tags of their own, and the tag of CSV changes with what its headers say', async () => {
  const shop = await openShop({ metrics: [testMetric({ group_by: ['country'] })] })
  const rows = Array.from({ length: samplesMax }, (_, index) => ({
    at: '2026-03-02',
    amount: '1',
    country: `${index}`,
  }))
  await deliver(shop, rows)
  const json = await get(shop.credential, '/v1/samples')
  const csv = await read(shop.credential)
  expect(json.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8', vary: 'Accept' })
  expect(json.headers.etag).not.toBe(csv.headers.etag)
  const known = { 'if-none-match': String(csv.headers.etag) }
  expect((await get(shop.credential, '/v1/samples', known)).status).toBe(200)
  const same = await read(shop.credential, '', known)
  expect([same.statusCode, same.body, same.headers['vary']]).toEqual([304, '', 'Accept'])

  await deliver(shop, [{ at: '2026-03-01', amount: '1', country: 'SE' }])
  const more = await read(shop.credential, '', known)
  expect([more.statusCode, more.headers['samples-truncated'], more.body]).toEqual([200, 'true', csv.body])
  const rest = await read(shop.credential, `?cursor=${more.headers['samples-next']}`)
  expect(rest.body.split('\r\n')).toEqual([
    'metric,period_start,value,sandbox,artifact_id,label.country',
    expect.stringMatching(/^revenue,2026-03-01,1,false,.*,SE$/),
    '',
  ])
})
