import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, delivery, errorOf, ingest } from '../testing/process/call.ts'
import { provideCompany } from '../testing/process/company.ts'
import { readSamples, waitUntilRead } from '../testing/process/numera-api.ts'
import { openShop, type Shop, sourceBody } from '../testing/process/shop.ts'
import { type Service, startService } from '../testing/process/start-service.ts'

const at = '2026-01-15T12:00:00+01:00'

let service: Service
let shop: Shop
let sourceId: string
beforeAll(async () => {
  service = await startService({
    environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  shop = await openShop(service)
  sourceId = await shop.createSource()
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

test('A key gets the first receipt after a restart too', async () => {
  const { credential } = await shop.connect({ source_id: sourceId })
  const body = delivery([{ at, amount: '11' }])
  const first = await ingest(shop.url, credential, body)
  expect(await service.stop()).toBe(0)
  await service.start()
  const again = await ingest(shop.url, credential, body)
  expect(again.text).toBe(first.text)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  await waitUntilRead(shop.url, credential, first.body.artifact_id)
  const { samples } = await readSamples(shop.url, credential, { from: '2026-01-01', to: '2026-02-01' })
  expect(samples.map((sample) => sample.value)).toEqual(['11'])
})

test('A connection on several companies names the company with orgnr and the source with source_id, and finds no other', async () => {
  const other = await provideCompany(service, { orgnr: '559999-0024' })
  const otherSource = await shop.browser.post(`/console/companies/${other.companyId}/sources`, sourceBody())
  expect(otherSource.status).toBe(201)
  const otherId: string = otherSource.body.source_id
  const unbound = await shop.connect({ further_company_ids: [other.companyId] })
  const send = (query: string) =>
    ingest(shop.url, unbound.credential, delivery([{ at, amount: '2' }]), { query })
  const read = (query: string) => call(`${shop.url}/v1/samples${query}`, { credential: unbound.credential })
  const here = shop.company.orgnr

  for (const request of [send, read]) {
    const done = request === send ? 202 : 200
    expect(errorOf(await request(`?source_id=${sourceId}`))).toEqual({
      status: 400,
      code: 'invalid_argument',
      field: 'orgnr',
    })
    expect(errorOf(await request(`?orgnr=${here}`))).toMatchObject({ status: 400, field: 'source_id' })
    expect(errorOf(await request(`?orgnr=${here}&source_id=shop`))).toMatchObject({
      status: 400,
      field: 'source_id',
    })
    expect(errorOf(await request(`?orgnr=12&source_id=${sourceId}`))).toMatchObject({
      status: 400,
      field: 'orgnr',
    })
    expect((await request(`?orgnr=${here}&source_id=${sourceId}`)).status).toBe(done)
    expect((await request(`?orgnr=${here.replace('-', '')}&source_id=${sourceId}`)).status).toBe(done)
    expect((await request(`?orgnr=16${here.replace('-', '')}&source_id=${sourceId}`)).status).toBe(done)
    expect((await request(`?orgnr=${other.orgnr}&source_id=${otherId}`)).status).toBe(done)
    // The source of one company is not one of the other, and a third company does not exist.
    for (const wrong of [
      `?orgnr=${here}&source_id=${otherId}`,
      `?orgnr=${other.orgnr}&source_id=${sourceId}`,
      `?orgnr=556016-0680&source_id=${sourceId}`,
      `?orgnr=${here}&source_id=01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10`,
    ]) {
      expect(errorOf(await request(wrong))).toEqual({ status: 404, code: 'not_found' })
    }
  }
  const companies = await call(`${shop.url}/v1/companies`, { credential: unbound.credential })
  expect(errorOf(companies)).toEqual({ status: 403, code: 'permission_denied' })
})
