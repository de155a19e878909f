import { beforeEach, describe, expect, test } from 'vitest'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { seedApp, seedAppConnection, seedAppToken } from '../../../testing/in-process/seed.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
let credential: string
let appToken: string
let artifactId: string

beforeEach(async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  const metrics = [testMetric({ group_by: ['country'] })]
  const { company, owner, source, connection } = await seedScene(context, {
    source: { metrics },
    connection: {},
  })
  const appConnection = await seedAppConnection(context, { app: await seedApp(context), member: owner })
  appToken = (await seedAppToken(context, appConnection)).accessToken
  credential = connection.credential!
  const shop = { companyId: company.companyId, sourceId: source.sourceId }
  const rows = [{ at: '2026-03-01', amount: '1', country: 'SE' }]
  artifactId = (await storeDelivery(database.pool, shop, rows)).artifactId
  await worker.drain()
})

const read = async (path: string, headers: Record<string, string> = {}) => {
  const url = path.replace(':artifact_id', artifactId)
  const answer = await app.inject({ url, headers: { authorization: `Bearer ${credential}`, ...headers } })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

describe('a read with an unknown parameter is refused, with the nearest known one', () => {
  const labelled = 'known ones are `from`, `to`, `source_id`, `orgnr`, `metric`, `as_of` and `cursor`.'
  test.each([
    ['/v1/samples?form=2026-03-01', 'form', '`form` is not a parameter; the nearest one is `from`.'],
    ['/v1/samples?From=2026-03-01', 'From', '`From` is not a parameter; the nearest one is `from`.'],
    [
      '/v1/samples?country=SE',
      'country',
      `\`country\` is not a parameter; a label is \`label.country\`; ${labelled}`,
    ],
    [
      '/v1/samples?label[country]=SE',
      'label[country]',
      `\`label[country]\` is not a parameter; a label is \`label.country\`; ${labelled}`,
    ],
    [
      '/v1/samples?label=SE',
      'label',
      `\`label\` is not a parameter; a label is \`label.<name>\`; ${labelled}`,
    ],
    [
      '/v1/samples?__proto__=x',
      '__proto__',
      `\`__proto__\` is not a parameter; a label is \`label.__proto__\`; ${labelled}`,
    ],
    [
      '/v1/samples/trace?metric=revenue&periodstart=2026-03-01&label.country=SE',
      'periodstart',
      '`periodstart` is not a parameter; the nearest one is `period_start`.',
    ],
    [
      '/v1/sources?page=2',
      'page',
      '`page` is not a parameter; known ones are `orgnr`, `cursor` and `limit`.',
    ],
    [
      '/v1/deliveries/:artifact_id?verbose=1',
      'verbose',
      '`verbose` is not a parameter; the only one is `orgnr`.',
    ],
  ])('%s', async (path, field, message) => {
    expect(await read(path)).toMatchObject({
      status: 400,
      body: { code: 'invalid_argument', field, message },
    })
  })

  test('also where it knows only one', async () => {
    expect(await read('/v1/companies?limit=1', { authorization: `Bearer ${appToken}` })).toMatchObject({
      status: 400,
      body: { field: 'limit', message: '`limit` is not a parameter; the only one is `orgnr`.' },
    })
  })

  test('with a name of a thousand characters, or one that steers a terminal, the answer stays short and plain', async () => {
    const long = await read(`/v1/samples?${'x'.repeat(1_000)}=1`)
    expect(long).toMatchObject({ status: 400, body: { field: `${'x'.repeat(100)}…` } })
    expect(long.body.message.length).toBeLessThan(500)
    expect((await read('/v1/samples?a%00%1b[2Jb=1')).body.field).toBe('a\ufffd\ufffd[2Jb')
  })
})

test('a label that no metric of the source has is refused with the nearest one, in the samples and in the trace', async () => {
  const refused = { code: 'invalid_argument', field: 'label.contry' }
  const message = '`label.contry` is not a label of the source; the nearest one is `label.country`.'
  const trace = '/v1/samples/trace?metric=revenue&period_start=2026-03-01&label.country=SE&label.contry=SE'
  for (const path of [
    '/v1/samples?label.contry=SE',
    '/v1/samples?label.contry=SE&as_of=2026-03-15T12:00:00Z',
    '/v1/samples?label.contry=SE',
    trace,
  ])
    expect(await read(path)).toMatchObject({ status: 400, body: { ...refused, message } })
  expect(await read('/v1/samples?label.customer=ada')).toMatchObject({
    status: 400,
    body: {
      field: 'label.customer',
      message: '`label.customer` is not a label of the source; the only one is `label.country`.',
    },
  })
})

test('an unknown metric is refused with the nearest one; one that the source does not count has no samples', async () => {
  expect(await read('/v1/samples?metric=Revenu')).toMatchObject({
    status: 400,
    body: {
      code: 'invalid_argument',
      field: 'metric',
      message: 'metric is not a known metric; the nearest one is `revenue`.',
    },
  })
  expect((await read('/v1/samples?metric=orders')).body.message).toBe(
    'metric is not a known metric; known ones are `active_users` and `revenue`.',
  )
  expect(await read('/v1/samples?metric=active_users')).toMatchObject({ status: 200, body: { samples: [] } })
})

test('an unknown parameter is refused where the rest of the read was answered before, with a tag or without', async () => {
  const answered = await read('/v1/samples?from=2026-03-01')
  const tag = { 'if-none-match': String(answered.headers['etag']) }
  expect(answered.status).toBe(200)
  expect((await read('/v1/samples?from=2026-03-01&country=SE', tag)).status).toBe(400)
})

test('the credential and the source are checked before the parameters', async () => {
  expect((await read('/v1/samples?country=SE&token=x')).body.code).toBe('credential_in_url')
  expect((await read('/v1/samples?country=SE', { authorization: 'Bearer nsk_no' })).status).toBe(401)
  expect((await read('/v1/samples?country=SE&source_id=x')).body.field).toBe('source_id')
})

test('a push ignores a parameter that it does not know', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ingest?utm_source=proxy',
    headers: { authorization: `Bearer ${credential}` },
    payload: { idempotency_key: 'k', shape_version: 1, payload: { at: '2026-03-02', amount: '1' } },
  })
  expect(answer.statusCode).toBe(202)
})
