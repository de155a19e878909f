import { describe, expect, test } from 'vitest'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { seedCompany, seedMember } from '../../../testing/in-process/seed.ts'
import {
  dayMs,
  codeChallenge,
  tools,
  everything,
  startConsentScene,
  choosing,
} from '../../../testing/in-process/scenes/consent-scene.ts'

const scene = await startConsentScene()
const {
  database,
  context,
  app,
  openPage,
  toQuery,
  readPage,
  startSigning,
  collect,
  approve,
  allow,
  readConnections,
  readCode,
  expectCode,
  expectDenied,
} = scene

describe('the consent page', () => {
  test('shows the app, its host, the permissions, the member’s companies and the end', async () => {
    await seedCompany(context, { name: 'Grannens AB' })
    const orgnr = formatOrgnr(scene.mill.orgnr)
    const question = await readPage({ companies: `${orgnr} 556012-5790`, resource: tools })
    expect(question).toEqual({
      state: 'consent',
      app: {
        client_id: scene.client.clientId,
        client_name: 'Rapportappen',
        redirect_host: 'app.example.com',
        redirect_uri: scene.client.redirectUri,
      },
      permissions: [
        { permission: 'company.read', granted: false },
        { permission: 'metrics.read', granted: false },
      ],
      companies: {
        choices: [
          {
            company_id: scene.bakery.companyId,
            orgnr: formatOrgnr(scene.bakery.orgnr),
            name: 'Bageriet AB',
            suggested: false,
            granted: false,
          },
          { company_id: scene.mill.companyId, orgnr, name: 'Kvarnen AB', suggested: true, granted: false },
        ],
        every_granted: false,
      },
      resources: [{ resource: tools, granted: false }],
      ends_at: '2026-04-15T12:00:00.000Z',
      adds: false,
    })
  })

  test('shows only the requested permissions', async () => {
    expect((await readPage({ scope: 'metrics.read' })).permissions).toEqual([
      { permission: 'metrics.read', granted: false },
    ])
  })

  test('sends an invalid request back to the app, unless the app is unknown', async () => {
    const { state, location } = await readPage({ scope: 'openid' })
    expect(state).toBe('redirect')
    expect(new URL(location).searchParams.get('error')).toBe('invalid_scope')
    for (const changes of [{ client_id: 'app_0' }, { redirect_uri: 'https://evil.example' }]) {
      for (const [step, more] of [
        ['', {}],
        ['deny', {}],
        ['sign', everything],
      ] as const) {
        const answer = await scene.page.post(step, { query: toQuery(changes), ...more })
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_argument', field: 'query' } })
      }
    }
  })
})

/** The first line of the text to be signed, or the status where there is none. */
const firstLineIn = async (language?: string): Promise<string> => {
  const said = language === undefined ? {} : { language }
  const { status, body } = await scene.page.post('sign', { query: toQuery({}), ...everything, ...said })
  return status === 200 ? body.visible_text.split('\n')[0] : String(status)
}

describe('a first consent', () => {
  test('is signed in the language of the page, and in English by default', async () => {
    expect(await firstLineIn('sv')).toBe('Jag tillåter en app att läsa mina företags siffror i Numera.')
    expect(await firstLineIn('en')).toBe('I allow an app to read my companies’ numbers in Numera.')
    expect(await firstLineIn()).toBe('I allow an app to read my companies’ numbers in Numera.')
    expect(await firstLineIn('tlh')).toBe('400')
  })

  test('is a signed text that names everything, and gives the app a code for five minutes', async () => {
    const changes = { resource: tools }
    const order = await startSigning(changes, { ...choosing(scene.bakery) })
    expect(order).toMatchObject({ state: 'signing', demo: true, expires_at: expect.any(String) })
    for (const part of [
      'App: Rapportappen',
      'I will be sent back to: app.example.com',
      'company.read',
      'metrics.read',
      `Bageriet AB (${formatOrgnr(scene.bakery.orgnr)})`,
      tools,
      'It ends on 15 April 2026.',
      'Member: Olivia Ägare',
    ]) {
      expect(order.visible_text).toContain(part)
    }
    expect(order.visible_text).not.toContain('Kvarnen')
    expect((await collect(order.order_id, changes)).body).toMatchObject({ state: 'pending' })
    expect(await readConnections()).toEqual([])

    context.clock.advance(60_000)
    await approve(order)
    const { body } = await collect(order.order_id, changes)
    expect(body).toEqual({ state: 'complete', location: expect.any(String) })
    expectCode(body.location)
    const [connection] = await readConnections()
    expect(connection).toMatchObject({
      permissions: ['company.read', 'metrics.read'],
      every_company: false,
      companies: [scene.bakery.companyId],
      resources: [tools],
      expires_at: new Date('2026-04-15T12:01:00Z'),
      ended_at: null,
      consents: 1,
    })
    expect(await readCode(new URL(body.location))).toEqual({
      connection_id: connection!.connection_id,
      client_id: scene.client.clientId,
      redirect_uri: scene.client.redirectUri,
      code_challenge: codeChallenge,
      permissions: ['company.read', 'metrics.read'],
      resources: [tools],
      issued_at: new Date('2026-01-15T12:01:00Z'),
      expires_at: new Date('2026-01-15T12:06:00Z'),
      used_at: null,
    })
  })

  test('stores the signature as evidence, for the member only', async () => {
    const order = await startSigning({}, choosing(scene.bakery, scene.mill))
    await approve(order)
    await collect(order.order_id)
    const [connection] = await readConnections()
    const { body } = await scene.page.browser.get('/console/signatures')
    expect(body.signatures).toMatchObject([
      {
        subject: `app_connection:${connection!.connection_id}`,
        company_id: null,
        visible_text: order.visible_text,
        provider: 'demo',
      },
    ])
    expect(JSON.parse(body.signatures[0].record)).toEqual({
      kind: 'app_consent',
      connection_id: connection!.connection_id,
      client_id: scene.client.clientId,
      client_name: 'Rapportappen',
      redirect_host: 'app.example.com',
      permissions: ['company.read', 'metrics.read'],
      companies: [scene.bakery.orgnr, scene.mill.orgnr],
      resources: [],
      end_date: '2026-04-15',
      adds: false,
      member_id: scene.member.memberId,
    })
    const { rows } = await database.pool.query('select signature_id from consents where connection_id = $1', [
      connection!.connection_id,
    ])
    expect(rows).toEqual([{ signature_id: body.signatures[0].signature_id }])
  })

  test('may allow less than is requested, and the code is for that', async () => {
    const location = await allow({}, { permissions: ['company.read'], ...choosing(scene.mill) })
    expect(await readConnections()).toMatchObject([
      { permissions: ['company.read'], every_company: false, companies: [scene.mill.companyId] },
    ])
    expect((await readCode(location)).permissions).toEqual(['company.read'])
  })

  test('may cover every company of the member, later ones too', async () => {
    await allow()
    expect(await readConnections()).toMatchObject([{ every_company: true, companies: [] }])
    expect(await readPage({ companies: scene.bakery.orgnr })).toMatchObject({ state: 'redirect' })
  })

  test('stores only a hash of the code', async () => {
    const code = (await allow()).searchParams.get('code')!
    const { rows } = await database.pool.query(
      'select 1 from authorization_codes c where position($1 in c::text) > 0',
      [code],
    )
    expect(rows).toEqual([])
  })
})

describe('a repeated request', () => {
  test('for what is granted gives a new code without a signature', async () => {
    await allow({ resource: tools }, choosing(scene.bakery))
    context.clock.advance(30 * dayMs)
    scene.page = await openPage(scene.member)
    const again = await readPage({ resource: tools, companies: scene.bakery.orgnr })
    expect(again.state).toBe('redirect')
    expectCode(again.location)
    const [connection, ...others] = await readConnections()
    expect(others).toEqual([])
    expect(connection).toMatchObject({ expires_at: new Date('2026-04-15T12:00:00Z'), consents: 1 })
    expect(await readCode(new URL(again.location))).toMatchObject({
      connection_id: connection!.connection_id,
      permissions: ['company.read', 'metrics.read'],
      resources: [tools],
    })
  })

  test('gives a code for what it requests, and no more', async () => {
    await allow({ resource: tools })
    const { location } = await readPage({ scope: 'company.read' })
    expect(await readCode(new URL(location))).toMatchObject({ permissions: ['company.read'], resources: [] })
  })

  test('for the tools of this service alone names no other server, and its code is for these', async () => {
    await allow({}, choosing(scene.bakery))
    const own = `${context.config.baseUrl}/mcp`
    const again = await readPage({ resource: own })
    expect(again.state).toBe('redirect')
    expect(await readCode(new URL(again.location))).toMatchObject({ resources: [own] })
  })

  test('is not affected by suggested companies of others', async () => {
    const other = await seedCompany(context)
    await allow({}, choosing(scene.bakery))
    expect(await readPage({ companies: `${other.company.orgnr},556012-5790` })).toMatchObject({
      state: 'redirect',
    })
  })

  test('gets nothing that another member has allowed', async () => {
    await allow()
    const other = await seedMember(context, scene.bakery.companyId, { role: 'reader' })
    expect(await readPage({}, await openPage(other))).toMatchObject({ state: 'consent', adds: false })
  })
})

describe('an addition', () => {
  test('of a permission is signed separately, and the end does not move', async () => {
    await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(scene.bakery) })
    const [first] = await readConnections()
    context.clock.advance(10 * dayMs)
    scene.page = await openPage(scene.member)
    expect(await readPage()).toMatchObject({
      state: 'consent',
      adds: true,
      permissions: [
        { permission: 'company.read', granted: true },
        { permission: 'metrics.read', granted: false },
      ],
      companies: {
        choices: [
          { name: 'Bageriet AB', granted: true },
          { name: 'Kvarnen AB', granted: false },
        ],
        every_granted: false,
      },
      ends_at: '2026-04-15T12:00:00.000Z',
    })
    const none = { every: false, company_ids: [] }
    const order = await startSigning({}, { permissions: ['metrics.read'], companies: none })
    expect(order.visible_text).toContain('metrics.read')
    expect(order.visible_text).not.toContain('company.read')
    expect(order.visible_text).not.toContain('Bageriet')
    expect(order.visible_text).toContain('It ends on 15 April 2026, as before.')
    await approve(order)
    expectCode((await collect(order.order_id)).body.location)
    expect(await readConnections()).toEqual([
      { ...first, permissions: ['company.read', 'metrics.read'], consents: 2 },
    ])
  })

  test('of a suggested company and a requested server is signed', async () => {
    await allow({}, choosing(scene.bakery))
    const changes = { companies: scene.mill.orgnr, resource: tools }
    expect(await readPage(changes)).toMatchObject({
      adds: true,
      resources: [{ resource: tools, granted: false }],
    })
    const location = await allow(changes, { permissions: [], ...choosing(scene.mill) })
    expect(await readConnections()).toMatchObject([
      {
        companies: [scene.bakery.companyId, scene.mill.companyId].toSorted(),
        resources: [tools],
        consents: 2,
      },
    ])
    expect((await readCode(location)).resources).toEqual([tools])
  })

  test('may extend chosen companies to every company', async () => {
    await allow({}, choosing(scene.bakery))
    await allow({ companies: scene.mill.orgnr }, { permissions: [], companies: { every: true } })
    expect(await readConnections()).toMatchObject([{ every_company: true, consents: 2 }])
  })
})

describe('a refusal', () => {
  test('by the member is access_denied', async () => {
    const { status, body } = await scene.page.post('deny', { query: toQuery() })
    expect(status).toBe(200)
    expectDenied(body.location)
    expect(await readConnections()).toEqual([])
  })

  test('with nothing ticked is access_denied', async () => {
    for (const ticks of [
      { permissions: [] },
      { companies: { every: false } },
      { companies: { every: false, company_ids: [] } },
      { permissions: [], companies: { every: false, company_ids: [] } },
    ]) {
      const { state, location } = await startSigning({ resource: tools }, ticks)
      expect(state).toBe('redirect')
      expectDenied(location)
    }
    expect(await readConnections()).toEqual([])
  })

  test('of everything new is access_denied, and what was allowed before stays', async () => {
    await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(scene.bakery) })
    const before = await readConnections()
    const { location } = await startSigning({}, { permissions: ['company.read'], ...choosing(scene.bakery) })
    expectDenied(location)
    // A server alone cannot be had without one of the requested permissions.
    const alone = await startSigning(
      { scope: 'metrics.read', resource: tools },
      { permissions: [], ...choosing(scene.bakery) },
    )
    expectDenied(alone.location)
    expectDenied((await scene.page.post('deny', { query: toQuery() })).body.location)
    expect(await readConnections()).toEqual(before)
  })

  test('is every company ticked where the app has them all', async () => {
    await allow({ scope: 'company.read' }, { permissions: ['company.read'] })
    const { state, location } = await startSigning({}, { permissions: [] })
    expect(state).toBe('redirect')
    expectDenied(location)
  })

  test('of the signature, or giving it up, allows nothing', async () => {
    const refused = await startSigning()
    const url = refused.presentation.open_url
    await app.inject({ method: 'POST', url, payload: { answer: 'refuse' } })
    expect((await collect(refused.order_id)).body).toEqual({ state: 'failed', reason: 'refused' })

    const givenUp = await startSigning()
    expect((await scene.page.post(`sign/${givenUp.order_id}/cancel`, {})).status).toBe(204)
    expect((await collect(givenUp.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
    expect(await readConnections()).toEqual([])
  })
})

test('a connection ends 90 days after its consent, and a new consent begins a new 90 days', async () => {
  await allow({}, choosing(scene.bakery))
  context.clock.advance(90 * dayMs - 1)
  scene.page = await openPage(scene.member)
  expect(await readPage()).toMatchObject({ state: 'redirect' })
  context.clock.advance(1)
  expect(await readPage()).toMatchObject({
    state: 'consent',
    adds: false,
    ends_at: '2026-07-14T12:00:00.000Z',
  })
  await allow({}, choosing(scene.mill))
  expect(await readConnections()).toMatchObject([
    {
      companies: [scene.bakery.companyId],
      ended_at: new Date('2026-04-15T12:00:00Z'),
      ended_by: 'expiry',
      consents: 1,
    },
    {
      companies: [scene.mill.companyId],
      expires_at: new Date('2026-07-14T12:00:00Z'),
      ended_at: null,
      consents: 1,
    },
  ])
})
