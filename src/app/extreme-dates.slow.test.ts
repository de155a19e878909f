import { expect, test } from 'vitest'
import { signInConsole } from '../../testing/in-process/console-client.ts'
import { seedScene } from '../../testing/in-process/scenes/scene.ts'
import { testMetric } from '../../testing/in-process/source.ts'
import { storeDelivery } from '../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../testing/in-process/test-worker.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
const { company, owner, source, connection } = await seedScene(context, {
  source: { metrics: [testMetric({ group_by: ['country'] })] },
  connection: { credentialKind: 'static' },
})
const ids = { companyId: company.companyId, sourceId: source.sourceId }
for (const at of ['0001-01-01', '2026-03-01', '9999-12-31'])
  await storeDelivery(database.pool, ids, [{ at, amount: '1', country: 'SE' }])
await worker.drain()
const client = await signInConsole(app, context, owner)

const days = [
  '-0001-01-01',
  '0000-01-01',
  '0000-12-31',
  '0001-01-01',
  '0001-01-02',
  '0001-12-31',
  '1969-12-31',
  '9998-12-31',
  '9999-12-30',
  '9999-12-31',
  '10000-01-01',
]
const instants = ['0000-01-01T00:00:00-12:00', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59.9999-12:00']

const get = async (path: string) => {
  if (!path.startsWith('/v1/')) {
    const home = `/console/companies/${company.companyId}`
    return client.get(path.replace('SHOP', `${home}/sources/${source.sourceId}`).replace('HOME', home))
  }
  await database.pool.query('delete from rate_buckets')
  const answer = await app.inject({
    url: path,
    headers: { authorization: `Bearer ${connection.credential}` },
  })
  return { status: answer.statusCode, body: answer.json() }
}

test.each([
  'SHOP/reports/revenue?',
  'SHOP/reports/revenue?grain=week&compare=year&by=country&',
  'SHOP/reports/revenue?grain=month&compare=year&as_of=9999-12-31T23:59:59Z&',
  'SHOP/reports/revenue/file.csv?',
  '/v1/samples?',
])('%s refuses a `to` without a day before it, and names the parameter', async (path) => {
  expect(await get(`${path}to=0001-01-01`)).toMatchObject({ status: 400, body: { field: 'to' } })
})

test.each([
  ['SHOP/reports/revenue?compare=year&by=country', ['from', 'to', 'as_of']],
  ['SHOP/reports/revenue?grain=week&compare=year', ['from', 'to', 'as_of']],
  ['SHOP/reports/revenue?grain=month&compare=year', ['from', 'to', 'as_of']],
  ['SHOP/reports/revenue/file.csv?grain=month', ['from', 'to', 'as_of']],
  ['SHOP/samples/trace?metric=revenue&label.country=SE', ['period_start']],
  ['SHOP/samples/trace?metric=revenue&label.country=SE&period_start=2026-03-01&grain=month', ['as_of']],
  ['SHOP/samples/trace?metric=revenue&grain=week', ['period_start']],
  ['HOME/deliveries?limit=1', ['from', 'to']],
  ['/v1/samples?metric=revenue', ['from', 'to', 'as_of']],
  ['/v1/samples/trace?metric=revenue&label.country=SE', ['period_start']],
])('%s answers any day, or names the parameter that is wrong (%s)', async (path, parameters) => {
  for (const parameter of parameters) {
    for (const value of [...days, ...instants]) {
      const query = `${parameter}=${encodeURIComponent(value)}`
      const { status, body } = await get(`${path}&${query}`)
      expect([query, status]).toSatisfy(() => [200, 400, 404].includes(status))
      if (status === 400) expect([query, body]).toMatchObject([query, { field: expect.stringMatching(/./) }])
    }
  }
  if (!parameters.includes('to')) return
  for (const from of days) {
    for (const to of days) {
      const { status } = await get(`${path}&from=${from}&to=${to}`)
      expect([from, to, status]).toSatisfy(() => status === 200 || status === 400)
    }
  }
})
