import { describe, expect, test } from 'vitest'
import {
  seedApp,
  seedAppToken,
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
} from '../../../testing/in-process/seed.ts'
import {
  startDelegatedScene,
  toSamplesUrl,
  notFound,
} from '../../../testing/in-process/scenes/delegated-scene.ts'

const scene = await startDelegatedScene()
const { context, allow, call, getOutcome, leave } = scene

describe('orgnr', () => {
  test('an organisation number may be written in any of its formats', async () => {
    const { orgnr } = scene.bakery.company
    for (const companies of [[scene.bakery], [scene.bakery, scene.cafe]]) {
      const { token } = await allow(companies)
      for (const form of [orgnr, `${orgnr.slice(0, 6)}-${orgnr.slice(6)}`, `16${orgnr}`]) {
        expect(await getOutcome(token, `/v1/samples?orgnr=${form}`)).toBe(200)
      }
      scene.rapport = await seedApp(context)
    }
  })

  test('with several companies, each call about one must name it', async () => {
    for (const companies of [[scene.bakery, scene.cafe], null]) {
      const { token } = await allow(companies)
      for (const url of [
        '/v1/samples',
        '/v1/sources',
        '/v1/deliveries',
        '/v1/samples/trace',
        `/v1/deliveries/${scene.shop.sourceId}`,
      ]) {
        expect(await getOutcome(token, url)).toEqual([400, 'invalid_argument', 'orgnr'])
      }
      scene.rapport = await seedApp(context)
    }
  })

  test('a connection that is left with one company need not name it', async () => {
    for (const companies of [[scene.bakery, scene.cafe], null]) {
      const { token } = await allow(companies)
      await leave(scene.cafe)
      const { status, body } = await call(token, '/v1/samples')
      expect([status, body.source_id]).toEqual([200, scene.shop.sourceId])
      scene.rapport = await seedApp(context)
      await seedMember(context, scene.cafe.company.companyId, {
        role: 'reader',
        personalNumber: scene.member.personalNumber,
      })
    }
  })

  test('an invalid organisation number is 400', async () => {
    const { token } = await allow()
    for (const orgnr of ['5560000000', 'x', '', '1&orgnr=2']) {
      expect(await getOutcome(token, `/v1/samples?orgnr=${orgnr}`)).toEqual([
        400,
        'invalid_argument',
        'orgnr',
      ])
    }
  })
})

describe('source_id', () => {
  test('the only source of a company may be left out', async () => {
    const { token } = await allow([scene.bakery, scene.cafe])
    for (const url of [
      toSamplesUrl(scene.bakery),
      `${toSamplesUrl(scene.bakery)}&source_id=${scene.shop.sourceId.toUpperCase()}`,
    ]) {
      const { status, body } = await call(token, url)
      expect([status, body.source_id]).toEqual([200, scene.shop.sourceId])
    }
  })

  test('one of several sources must be named', async () => {
    const { token } = await allow([scene.bakery, scene.cafe])
    const second = await seedSource(context, scene.bakery.company.companyId, { name: 'Second' })
    const unnamed = [400, 'invalid_argument', 'source_id']
    expect(await getOutcome(token, toSamplesUrl(scene.bakery))).toEqual(unnamed)
    const { body } = await call(token, `${toSamplesUrl(scene.bakery)}&source_id=${second.sourceId}`)
    expect(body.source_id).toBe(second.sourceId)

    const empty = await seedCompany(context)
    await seedMember(context, empty.company.companyId, {
      role: 'reader',
      personalNumber: scene.member.personalNumber,
    })
    scene.rapport = await seedApp(context)
    const every = await allow(null)
    expect(await getOutcome(every.token, toSamplesUrl(empty))).toEqual(unnamed)
  })

  test('an invalid id is 400, and a source of another company 404', async () => {
    const { token } = await allow([scene.bakery, scene.cafe])
    expect(await getOutcome(token, `${toSamplesUrl(scene.bakery)}&source_id=nonsense`)).toEqual([
      400,
      'invalid_argument',
      'source_id',
    ])
    expect(await getOutcome(token, `${toSamplesUrl(scene.cafe)}&source_id=${scene.shop.sourceId}`)).toEqual(
      notFound,
    )
    expect(
      await getOutcome(token, `${toSamplesUrl(scene.bakery)}&source_id=00000000-0000-0000-0000-000000000000`),
    ).toEqual(notFound)
  })
})

test('concurrent calls of different callers each get their own answer', async () => {
  const source = await seedConnection(context, { company: scene.cafe.company, owner: scene.cafe.owner })
  const chosen = await allow([scene.bakery])
  scene.rapport = await seedApp(context)
  const every = await allow(null)
  // The second time the tokens are known to be apps'.
  for (let times = 0; times < 2; times++) {
    const answers = await Promise.all([
      call('nat_unknown', '/v1/companies'),
      call(chosen.token, '/v1/companies'),
      call(source.credential!, toSamplesUrl(scene.cafe)),
      call(every.token, toSamplesUrl(scene.cafe)),
      call(chosen.token, toSamplesUrl(scene.cafe)),
      call('nsk_unknown', '/v1/companies'),
      call(every.token, '/v1/companies'),
    ])
    expect(answers.map(({ status, body }) => body.companies?.length ?? body.field ?? status)).toEqual([
      401,
      1,
      'source_id',
      200,
      404,
      401,
      2,
    ])
  }
})

test.each([{ 'x-numera-reference': '1' }, { origin: 'http://localhost:8080' }])(
  'the API reference refuses an app like a production connection, before its rate (%j)',
  async (headers) => {
    const { token } = await allow()
    const { status, body, headers: answered } = await call(token, '/v1/samples', { headers })
    expect([status, body.code]).toEqual([403, 'docs_origin_needs_sandbox'])
    expect(answered['ratelimit-limit']).toBeUndefined()
  },
)

test('a connection has a burst of 20 calls and 60 a minute, over all its tokens', async () => {
  const connection = await allow([scene.bakery])
  const { accessToken } = await seedAppToken(context, connection)
  const answers = await Promise.all(
    Array.from({ length: 25 }, (_, index) =>
      call(index % 2 === 0 ? connection.token : accessToken, '/v1/samples'),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 20 }, () => 200),
    ...Array.from({ length: 5 }, () => 429),
  ])
  expect(answers[0]!.headers).toMatchObject({ 'ratelimit-limit': '60' })
  expect(answers[24]!.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-remaining': '0' })
  expect(answers[24]!.body.code).toBe('rate_limited')

  scene.rapport = await seedApp(context)
  expect(await getOutcome((await allow()).token, '/v1/samples')).toBe(200)
  context.clock.advance(1_000)
  expect(await getOutcome(connection.token, '/v1/samples')).toBe(200)
})

test('scripts of any origin may read answers and refusals', async () => {
  const { token } = await allow([scene.bakery, scene.cafe])
  for (const [bearer, url, status] of [
    [token, toSamplesUrl(scene.bakery), 200],
    [token, '/v1/samples', 400],
    ['nat_unknown', '/v1/samples', 401],
  ] as const) {
    const answer = await call(bearer, url, { headers: { origin: 'https://app.example.com' } })
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(answer.headers['access-control-expose-headers']).toContain('WWW-Authenticate')
  }
})

test('all sources of the company are listed', async () => {
  const { token } = await allow()
  await seedSource(context, scene.bakery.company.companyId, { name: 'Second' })
  const { body } = await call(token, '/v1/sources')
  expect(body.sources.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Second', 'Shop'])
})
