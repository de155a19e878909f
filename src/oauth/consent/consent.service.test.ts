import { beforeEach, describe, expect, test, vi } from 'vitest'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { removeMember } from '../../console/memberships/remove-member.ts'
import type { Company } from '../../people/companies/company.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { sealedSignatures } from '../../people/identity/sealed-tables.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  approveDemoOrder,
  seedApp,
  seedCompany,
  seedMember,
  testPersonalNumber,
  type SeededApp,
  type SeededMember,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { storeConsent } from './store-consent.ts'

const dayMs = 24 * 60 * 60_000
const begin = '2026-01-15T12:00:00Z'
const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const tools = 'https://tools.example.net/mcp'

const { database, context, app } = await startTestService({ environment: { NUMERA_OAUTH_RESOURCES: tools } })
let client: SeededApp
let bakery: Company
let mill: Company
let member: SeededMember
let page: Page
beforeEach(async () => {
  context.clock.set(begin)
  await database.pool.query('delete from rate_buckets')
  const seeded = await seedCompany(context)
  bakery = seeded.company
  member = seeded.owner
  mill = (await seedCompany(context, { name: 'Kvarnen AB' })).company
  await seedMember(context, mill.companyId, { ...member, role: 'reader' })
  client = await seedApp(context)
  page = await openPage(member)
})

interface Page {
  browser: ConsoleClient
  /** `post('sign', {…})`, with the CSRF token of the session. */
  post(step: string, body: object): ReturnType<ConsoleClient['post']>
}

const openPage = async (person: { personalNumber: string; name: string }): Promise<Page> => {
  const browser = await signInConsole(app, context, person)
  const { csrf_token: token } = (await browser.get('/console/session')).body
  return {
    browser,
    post: (step, body) =>
      browser.post(`/console/authorize${step && `/${step}`}`, body, { 'x-csrf-token': token }),
  }
}

type Changes = Record<string, string | undefined>

const queryOf = (changes: Changes = {}): string => {
  const all: Changes = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    state: 'a b&c',
    ...changes,
  }
  const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined)
  return `?${new URLSearchParams(given)}`
}

const ask = async (changes: Changes = {}, on = page) => (await on.post('', { query: queryOf(changes) })).body

interface Ticks {
  permissions?: string[]
  companies?: { every: boolean; company_ids?: string[] }
}

const everything = { permissions: ['company.read', 'metrics.read'], companies: { every: true } }

const startSigning = async (changes: Changes = {}, ticks: Ticks = {}, on = page) =>
  (await on.post('sign', { query: queryOf(changes), ...everything, ...ticks })).body

const collect = async (orderId: string, changes: Changes = {}, on = page) =>
  on.post(`sign/${orderId}/collect`, { query: queryOf(changes) })

const approve = (order: { presentation: { open_url: string } }, person = member) =>
  approveDemoOrder(context, order.presentation.open_url, person)

/** Ticks, signs, and gives where the browser is sent. */
const allow = async (changes: Changes = {}, ticks: Ticks = {}) => {
  const order = await startSigning(changes, ticks)
  if (order.state !== 'signing') throw new Error(JSON.stringify(order))
  await approve(order)
  const { body } = await collect(order.order_id, changes)
  if (body.state !== 'complete') throw new Error(JSON.stringify(body))
  return new URL(body.location)
}

const choosing = (...companies: Company[]) => ({
  companies: { every: false, company_ids: companies.map(({ companyId }) => companyId) },
})

interface AppConnectionRow {
  connection_id: string
  permissions: string[]
  every_company: boolean
  resources: string[]
  expires_at: Date
  ended_at: Date | null
  ended_by: string | null
  companies: string[]
  consents: number
}

/** What the app holds or held of the member, the oldest first. */
const connections = async () =>
  (
    await database.pool.query<AppConnectionRow>(
      `select connection_id, permissions, every_company, resources, expires_at, ended_at, ended_by,
         array(
           select company_id::text from app_connection_companies chosen
           where chosen.connection_id = app_connections.connection_id
           order by company_id
         ) as companies,
         (select count(*)::integer from consents where consents.connection_id = app_connections.connection_id)
           as consents
       from app_connections where client_id = $1 and member_id = $2
       order by connection_id`,
      [client.clientId, member.memberId],
    )
  ).rows

const codeOf = async (location: URL) => {
  const { rows } = await database.pool.query(
    `select connection_id, client_id, redirect_uri, code_challenge, permissions, resources, issued_at, expires_at,
       used_at
     from authorization_codes where code_hash = $1`,
    [hashSecret(location.searchParams.get('code')!)],
  )
  return rows[0]
}

const endAccess = async () => {
  const connectionId = (await connections()).at(-1)!.connection_id
  const { csrf_token: token } = (await page.browser.get('/console/session')).body
  const end = `/console/apps/${connectionId}/end`
  expect((await page.browser.post(end, {}, { 'x-csrf-token': token })).status).toBe(200)
}

const expectCode = (location: URL | string): void => {
  const url = new URL(location)
  expect(`${url.origin}${url.pathname}`).toBe(client.redirectUri)
  expect([...url.searchParams]).toEqual([
    ['code', expect.stringMatching(/^nac_[0-9A-Za-z]{43}$/)],
    ['state', 'a b&c'],
    ['iss', context.config.baseUrl],
  ])
}

const expectDenied = (location: string): void => {
  expect([...new URL(location).searchParams]).toEqual([
    ['error', 'access_denied'],
    ['error_description', expect.stringMatching(/^[A-Z].*\.$/)],
    ['state', 'a b&c'],
    ['iss', context.config.baseUrl],
  ])
}

describe('what the page gets', () => {
  test('the app, its host, the permissions it asks for, the companies of the member, and the end', async () => {
    await seedCompany(context, { name: 'Grannens AB' })
    const orgnr = formatOrgnr(mill.orgnr)
    const question = await ask({ companies: `${orgnr} 556012-5790`, resource: tools })
    expect(question).toEqual({
      state: 'consent',
      app: {
        client_id: client.clientId,
        client_name: 'Rapportappen',
        redirect_host: 'app.example.com',
        redirect_uri: client.redirectUri,
      },
      permissions: [
        { permission: 'company.read', granted: false },
        { permission: 'metrics.read', granted: false },
      ],
      companies: {
        choices: [
          {
            company_id: bakery.companyId,
            orgnr: formatOrgnr(bakery.orgnr),
            name: 'Bageriet AB',
            suggested: false,
            granted: false,
          },
          { company_id: mill.companyId, orgnr, name: 'Kvarnen AB', suggested: true, granted: false },
        ],
        every_granted: false,
      },
      resources: [{ resource: tools, granted: false }],
      ends_at: '2026-04-15T12:00:00.000Z',
      adds: false,
    })
  })

  test('only the requested permissions', async () => {
    expect((await ask({ scope: 'metrics.read' })).permissions).toEqual([
      { permission: 'metrics.read', granted: false },
    ])
  })

  test('a wrong request is sent back to the app, one of no app is not', async () => {
    const { state, location } = await ask({ scope: 'openid' })
    expect(state).toBe('redirect')
    expect(new URL(location).searchParams.get('error')).toBe('invalid_scope')
    for (const changes of [{ client_id: 'app_0' }, { redirect_uri: 'https://evil.example' }]) {
      for (const [step, more] of [
        ['', {}],
        ['deny', {}],
        ['sign', everything],
      ] as const) {
        const answer = await page.post(step, { query: queryOf(changes), ...more })
        expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_argument', field: 'query' } })
      }
    }
  })
})

/** The first line of the text to be signed, or the status where there is none. */
const firstLineIn = async (language?: string): Promise<string> => {
  const said = language === undefined ? {} : { language }
  const { status, body } = await page.post('sign', { query: queryOf({}), ...everything, ...said })
  return status === 200 ? body.visible_text.split('\n')[0] : String(status)
}

describe('first consent', () => {
  test('the text is signed in the language of the page, English where none is said', async () => {
    expect(await firstLineIn('sv')).toBe('Jag tillåter en app att läsa mina företags siffror i Numera.')
    expect(await firstLineIn('en')).toBe('I allow an app to read my companies’ numbers in Numera.')
    expect(await firstLineIn()).toBe('I allow an app to read my companies’ numbers in Numera.')
    expect(await firstLineIn('tlh')).toBe('400')
  })

  test('the member signs a text that names everything, and the app gets a code of five minutes', async () => {
    const asked = { resource: tools }
    const order = await startSigning(asked, { ...choosing(bakery) })
    expect(order).toMatchObject({ state: 'signing', demo: true, expires_at: expect.any(String) })
    for (const part of [
      'App: Rapportappen',
      'I will be sent back to: app.example.com',
      'company.read',
      'metrics.read',
      `Bageriet AB (${formatOrgnr(bakery.orgnr)})`,
      tools,
      'It ends on 15 April 2026.',
      'Member: Olivia Ägare',
    ]) {
      expect(order.visible_text).toContain(part)
    }
    expect(order.visible_text).not.toContain('Kvarnen')
    expect((await collect(order.order_id, asked)).body).toMatchObject({ state: 'pending' })
    expect(await connections()).toEqual([])

    context.clock.advance(60_000)
    await approve(order)
    const { body } = await collect(order.order_id, asked)
    expect(body).toEqual({ state: 'complete', location: expect.any(String) })
    expectCode(body.location)
    const [connection] = await connections()
    expect(connection).toMatchObject({
      permissions: ['company.read', 'metrics.read'],
      every_company: false,
      companies: [bakery.companyId],
      resources: [tools],
      expires_at: new Date('2026-04-15T12:01:00Z'),
      ended_at: null,
      consents: 1,
    })
    expect(await codeOf(new URL(body.location))).toEqual({
      connection_id: connection!.connection_id,
      client_id: client.clientId,
      redirect_uri: client.redirectUri,
      code_challenge: codeChallenge,
      permissions: ['company.read', 'metrics.read'],
      resources: [tools],
      issued_at: new Date('2026-01-15T12:01:00Z'),
      expires_at: new Date('2026-01-15T12:06:00Z'),
      used_at: null,
    })
  })

  test('the signature is kept as evidence of the connection, for the member alone', async () => {
    const order = await startSigning({}, choosing(bakery, mill))
    await approve(order)
    await collect(order.order_id)
    const [connection] = await connections()
    const { body } = await page.browser.get('/console/signatures')
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
      client_id: client.clientId,
      client_name: 'Rapportappen',
      redirect_host: 'app.example.com',
      permissions: ['company.read', 'metrics.read'],
      companies: [bakery.orgnr, mill.orgnr],
      resources: [],
      end_date: '2026-04-15',
      adds: false,
      member_id: member.memberId,
    })
    const { rows } = await database.pool.query('select signature_id from consents where connection_id = $1', [
      connection!.connection_id,
    ])
    expect(rows).toEqual([{ signature_id: body.signatures[0].signature_id }])
  })

  test('the member allows less than is requested, and the code is for that', async () => {
    const location = await allow({}, { permissions: ['company.read'], ...choosing(mill) })
    expect(await connections()).toMatchObject([
      { permissions: ['company.read'], every_company: false, companies: [mill.companyId] },
    ])
    expect((await codeOf(location)).permissions).toEqual(['company.read'])
  })

  test('every company is all of the member’s, later ones too', async () => {
    await allow()
    expect(await connections()).toMatchObject([{ every_company: true, companies: [] }])
    expect(await ask({ companies: bakery.orgnr })).toMatchObject({ state: 'redirect' })
  })

  test('the code itself is stored nowhere', async () => {
    const code = (await allow()).searchParams.get('code')!
    const { rows } = await database.pool.query(
      'select 1 from authorization_codes c where position($1 in c::text) > 0',
      [code],
    )
    expect(rows).toEqual([])
  })
})

describe('renewal', () => {
  test('asking again for what is granted gives a new code for the same connection, without a signature', async () => {
    await allow({ resource: tools }, choosing(bakery))
    context.clock.advance(30 * dayMs)
    page = await openPage(member)
    const again = await ask({ resource: tools, companies: bakery.orgnr })
    expect(again.state).toBe('redirect')
    expectCode(again.location)
    const [connection, ...others] = await connections()
    expect(others).toEqual([])
    expect(connection).toMatchObject({ expires_at: new Date('2026-04-15T12:00:00Z'), consents: 1 })
    expect(await codeOf(new URL(again.location))).toMatchObject({
      connection_id: connection!.connection_id,
      permissions: ['company.read', 'metrics.read'],
      resources: [tools],
    })
  })

  test('a code is for what its own request asks, and no more', async () => {
    await allow({ resource: tools })
    const { location } = await ask({ scope: 'company.read' })
    expect(await codeOf(new URL(location))).toMatchObject({ permissions: ['company.read'], resources: [] })
  })

  test('suggested companies that the member is not in are nothing new', async () => {
    const other = await seedCompany(context)
    await allow({}, choosing(bakery))
    expect(await ask({ companies: `${other.company.orgnr},556012-5790` })).toMatchObject({
      state: 'redirect',
    })
  })

  test('what an app holds of one member is nothing of another’s', async () => {
    await allow()
    const other = await seedMember(context, bakery.companyId, { role: 'reader' })
    expect(await ask({}, await openPage(other))).toMatchObject({ state: 'consent', adds: false })
  })
})

describe('adding', () => {
  test('a permission is signed by itself, and the end does not move', async () => {
    await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(bakery) })
    const [first] = await connections()
    context.clock.advance(10 * dayMs)
    page = await openPage(member)
    expect(await ask()).toMatchObject({
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
    expect(await connections()).toEqual([
      { ...first, permissions: ['company.read', 'metrics.read'], consents: 2 },
    ])
  })

  test('a suggested company and a requested server are signed for too', async () => {
    await allow({}, choosing(bakery))
    const changes = { companies: mill.orgnr, resource: tools }
    expect(await ask(changes)).toMatchObject({
      adds: true,
      resources: [{ resource: tools, granted: false }],
    })
    const location = await allow(changes, { permissions: [], ...choosing(mill) })
    expect(await connections()).toMatchObject([
      { companies: [bakery.companyId, mill.companyId].toSorted(), resources: [tools], consents: 2 },
    ])
    expect((await codeOf(location)).resources).toEqual([tools])
  })

  test('from chosen companies to every one', async () => {
    await allow({}, choosing(bakery))
    await allow({ companies: mill.orgnr }, { permissions: [], companies: { every: true } })
    expect(await connections()).toMatchObject([{ every_company: true, consents: 2 }])
  })

  test('an addition to a connection that has ended adds nothing, and the page may begin again', async () => {
    await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(bakery) })
    const order = await startSigning({}, { permissions: ['metrics.read'], ...choosing(mill) })
    await endAccess()
    await approve(order)
    expect((await collect(order.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
    expect(await connections()).toMatchObject([
      { permissions: ['company.read'], companies: [bakery.companyId], ended_by: 'member' },
    ])
    expect(await ask()).toMatchObject({ state: 'consent', adds: false })
  })

  test('nor does it add to another connection that was created in the meantime', async () => {
    await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(bakery) })
    const order = await startSigning({}, { permissions: ['metrics.read'], ...choosing(mill) })
    await endAccess()
    context.clock.advance(1_000)
    await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(bakery) })
    await approve(order)
    expect((await collect(order.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
    expect((await connections())[1]).toMatchObject({
      permissions: ['company.read'],
      companies: [bakery.companyId],
      ended_at: null,
    })
  })
})

describe('refusal', () => {
  test('access_denied: member refused', async () => {
    const { status, body } = await page.post('deny', { query: queryOf() })
    expect(status).toBe(200)
    expectDenied(body.location)
    expect(await connections()).toEqual([])
  })

  test('access_denied: nothing ticked', async () => {
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
    expect(await connections()).toEqual([])
  })

  test('access_denied: nothing that is new is ticked; what was allowed before stays', async () => {
    await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(bakery) })
    const before = await connections()
    const { location } = await startSigning({}, { permissions: ['company.read'], ...choosing(bakery) })
    expectDenied(location)
    // A server alone cannot be had without one of the requested permissions.
    const alone = await startSigning(
      { scope: 'metrics.read', resource: tools },
      { permissions: [], ...choosing(bakery) },
    )
    expectDenied(alone.location)
    expectDenied((await page.post('deny', { query: queryOf() })).body.location)
    expect(await connections()).toEqual(before)
  })

  test('access_denied: every company is ticked, which is nothing new where the app has them all', async () => {
    await allow({ scope: 'company.read' }, { permissions: ['company.read'] })
    const { state, location } = await startSigning({}, { permissions: [] })
    expect(state).toBe('redirect')
    expectDenied(location)
  })

  test('an addition that was given up between the answer and its storing is not allowed, and gives no code', async () => {
    await allow({}, { permissions: ['company.read'] })
    const order = await startSigning()
    await approve(order)
    const { signing } = context.identity
    const collectSigned = signing!.collect.bind(signing)
    vi.spyOn(signing!, 'collect').mockImplementationOnce(async (reference) => {
      const answer = await collectSigned(reference)
      expect((await page.post(`sign/${order.order_id}/cancel`, {})).status).toBe(204)
      return answer
    })
    const ended = { state: 'failed', reason: 'ended' }
    expect((await collect(order.order_id)).body).toEqual(ended)
    expect((await collect(order.order_id)).body).toEqual(ended)
  })

  test('a signature that is refused or given up allows nothing', async () => {
    const refused = await startSigning()
    const url = refused.presentation.open_url
    await app.inject({ method: 'POST', url, payload: { answer: 'refuse' } })
    expect((await collect(refused.order_id)).body).toEqual({ state: 'failed', reason: 'refused' })

    const givenUp = await startSigning()
    expect((await page.post(`sign/${givenUp.order_id}/cancel`, {})).status).toBe(204)
    expect((await collect(givenUp.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
    expect(await connections()).toEqual([])
  })
})

describe('lifetimes', () => {
  test('delegated connection: 90 days from consent; then a new consent begins a new 90 days', async () => {
    await allow({}, choosing(bakery))
    context.clock.advance(90 * dayMs - 1)
    page = await openPage(member)
    expect(await ask()).toMatchObject({ state: 'redirect' })
    context.clock.advance(1)
    expect(await ask()).toMatchObject({ state: 'consent', adds: false, ends_at: '2026-07-14T12:00:00.000Z' })
    await allow({}, choosing(mill))
    expect(await connections()).toMatchObject([
      {
        companies: [bakery.companyId],
        ended_at: new Date('2026-04-15T12:00:00Z'),
        ended_by: 'expiry',
        consents: 1,
      },
      {
        companies: [mill.companyId],
        expires_at: new Date('2026-07-14T12:00:00Z'),
        ended_at: null,
        consents: 1,
      },
    ])
  })
})

test('a clock at fault ends no connection for good: it is there again when the clock is right', async () => {
  await allow({}, choosing(bakery))
  const [before] = await connections()
  context.clock.advance(401 * dayMs)
  page = await openPage(member)
  context.clock.fault = () => "This machine's clock is 34646400 s ahead of the time that this process keeps."
  try {
    const signing = await startSigning({}, { permissions: ['metrics.read'], ...choosing(mill) })
    await approveDemoOrder(context, signing.presentation.open_url, member)
    expect((await collect(signing.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
  } finally {
    delete context.clock.fault
  }
  context.clock.set(begin)
  // To a bucket of the wrong time, the right one is a wait.
  await database.pool.query('delete from rate_buckets')
  expect(await connections()).toMatchObject([
    { connection_id: before!['connection_id'], ended_at: null, ended_by: null },
  ])
  expect(await ask()).toMatchObject({ state: 'redirect' })
})

describe('at the same time', () => {
  test('two consents in two tabs end in one connection, with what either allows', async () => {
    const [one, other] = [
      await startSigning({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(bakery) }),
      await startSigning({ resource: tools }, { permissions: ['metrics.read'], ...choosing(mill) }),
    ]
    await Promise.all([approve(one), approve(other)])
    const answers = await Promise.all([
      collect(one.order_id, { scope: 'company.read' }),
      collect(other.order_id, { resource: tools }),
    ])
    for (const { body } of answers) expectCode(body.location)
    expect(await connections()).toMatchObject([
      {
        permissions: ['company.read', 'metrics.read'],
        companies: [bakery.companyId, mill.companyId].toSorted(),
        resources: [tools],
        expires_at: new Date('2026-04-15T12:00:00Z'),
        consents: 2,
      },
    ])
    const [{ connection_id: connectionId }] = (await connections()) as [AppConnectionRow]
    for (const { body } of answers) {
      expect((await codeOf(new URL(body.location))).connection_id).toBe(connectionId)
    }
  })

  test('two that are kept before either is committed end in one connection too', async () => {
    const signatures = []
    for (const [permission, company] of [
      ['company.read', bakery],
      ['metrics.read', mill],
    ] as const) {
      const order = await startSigning({}, { permissions: [permission], ...choosing(company) })
      const { rows } = await database.pool.query<{ record: string }>(
        `insert into signatures (signature_id, member_id, subject, visible_text, record, record_sha256, provider,
           evidence_sealed, signed_at)
         select order_id, member_id, subject, visible_text, record, '', provider, $2, created_at
         from identity_orders where order_id = $1
         returning record`,
        [order.order_id, sealedSignatures.seal(context, { signature_id: order.order_id }, '')],
      )
      const record = JSON.parse(rows[0]!.record)
      signatures.push({ signatureId: order.order_id, record, signedAtMs: context.clock.now() })
    }
    const [one, other] = [await database.pool.connect(), await database.pool.connect()]
    try {
      for (const transaction of [one, other]) await transaction.query('begin')
      const first = await storeConsent(one, signatures[0]!, context.clock)
      const second = storeConsent(other, signatures[1]!, context.clock)
      await Promise.race([second, new Promise((resolve) => setTimeout(resolve, 100))])
      await one.query('commit')
      expect((await second)?.connectionId).toBe(first?.connectionId)
      await other.query('commit')
    } finally {
      one.release()
      other.release()
    }
    expect(await connections()).toMatchObject([
      {
        permissions: ['company.read', 'metrics.read'],
        companies: [bakery.companyId, mill.companyId].toSorted(),
        consents: 2,
      },
    ])
  })

  test('concurrent collections of one signature are one consent, and each redirects to the app', async () => {
    const order = await startSigning()
    await approve(order)
    const answers = await Promise.all(Array.from({ length: 8 }, () => collect(order.order_id)))
    for (const { body } of answers) expectCode(body.location)
    expect(await connections()).toMatchObject([{ consents: 1 }])
  })
})

describe('who signs, and what', () => {
  test('the signer must be the signed-in member', async () => {
    const order = await startSigning()
    await approve(order, { ...member, personalNumber: testPersonalNumber(), name: 'Någon Annan' })
    expect((await collect(order.order_id)).body).toEqual({ state: 'failed', reason: 'other_person' })
    expect(await connections()).toEqual([])
  })

  test('another member who is signed in by then gets nothing of it', async () => {
    const order = await startSigning()
    await approve(order)
    const other = await openPage(await seedMember(context, bakery.companyId))
    expect((await collect(order.order_id, {}, other)).status).toBe(404)
    expect((await other.post(`sign/${order.order_id}/cancel`, {})).status).toBe(404)
    expectCode((await collect(order.order_id)).body.location)
  })

  test('an order of another app, of another host, or about something else is not found', async () => {
    const order = await startSigning()
    await approve(order)
    client = await seedApp(context)
    expect((await collect(order.order_id)).status).toBe(404)

    client = await seedApp(context, {
      redirectUris: ['https://app.example.com/back', 'https://elsewhere.example.com/back'],
    })
    const ofHost = await startSigning()
    await approve(ofHost)
    const elsewhere = { redirect_uri: 'https://elsewhere.example.com/back' }
    expect((await collect(ofHost.order_id, elsewhere)).status).toBe(404)

    const company = `/console/companies/${bakery.companyId}/connections`
    const { body: made } = await page.browser.post(company, {
      name: 'Connector',
      source_id: null,
      permissions: ['metrics.read'],
      kind: 'sandbox',
      credential_kind: 'static',
    })
    const { body: other } = await page.browser.post(`${company}/${made.connection.connection_id}/sign`)
    await approve(other)
    expect((await collect(other.order_id)).status).toBe(404)
    expect((await page.post(`sign/${other.order_id}/cancel`, {})).status).toBe(404)
    expect(await connections()).toEqual([])
  })

  test('a company that was lost between the choice and the signature is left out', async () => {
    const [both, lost] = [
      await startSigning({}, choosing(bakery, mill)),
      await startSigning({}, choosing(mill)),
    ]
    await removeMember(context, 'operator', mill.companyId, member.memberId)
    await approve(lost)
    expect((await collect(lost.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
    expect(await connections()).toEqual([])
    await approve(both)
    expectCode((await collect(both.order_id)).body.location)
    expect(await connections()).toMatchObject([{ companies: [bakery.companyId] }])
  })

  test("others' companies, and ones that do not exist, cannot be chosen, and the two look the same", async () => {
    const other = await seedCompany(context)
    const sign = async (companyId: string) =>
      page.post('sign', {
        query: queryOf({ companies: other.company.orgnr }),
        ...everything,
        companies: { every: false, company_ids: [bakery.companyId, companyId] },
      })
    const foreign = await sign(other.company.companyId)
    expect(foreign).toMatchObject({ status: 400, body: { code: 'invalid_argument' } })
    const unknown = await sign('01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11')
    expect({ ...unknown.body, request_id: foreign.body.request_id }).toEqual(foreign.body)
  })

  test('neither unknown permissions nor ones that were not requested can be ticked', async () => {
    for (const permissions of [
      ['sources.ingest'],
      ['company.read', 'connections.manage'],
      ['nonsense'],
      [1],
      'company.read',
    ]) {
      const answer = await page.post('sign', { query: queryOf(), ...everything, permissions })
      expect(answer, String(permissions)).toMatchObject({ status: 400, body: { code: 'invalid_argument' } })
    }
    const asked = { query: queryOf({ scope: 'company.read' }), ...everything }
    expect(await page.post('sign', asked)).toMatchObject({ status: 400, body: { field: 'permissions' } })
  })

  test('every company and some of them is neither', async () => {
    const both = { every: true, company_ids: [bakery.companyId] }
    const answer = await page.post('sign', { query: queryOf(), ...everything, companies: both })
    expect(answer).toMatchObject({ status: 400, body: { field: 'companies.company_ids' } })
  })

  test('an app that has been removed gets nothing', async () => {
    const order = await startSigning()
    await approve(order)
    await database.pool.query('delete from apps where client_id = $1', [client.clientId])
    expect((await collect(order.order_id)).status).toBe(400)
    expect(await connections()).toEqual([])
  })
})

describe('the CSRF token', () => {
  test('without it, or with another session’s, nothing is done', async () => {
    const order = await startSigning()
    await approve(order)
    const { csrf_token: others } = (await (await openPage(member)).browser.get('/console/session')).body
    await allow({ scope: 'company.read' }, { permissions: ['company.read'] })
    const query = queryOf({ scope: 'company.read' })
    for (const headers of [
      {},
      { 'x-csrf-token': '' },
      { 'x-csrf-token': 'wrong' },
      { 'x-csrf-token': others },
    ] as Record<string, string>[]) {
      for (const [step, body] of [
        ['', { query }],
        ['/sign', { query, ...everything }],
        [`/sign/${order.order_id}/collect`, { query }],
        [`/sign/${order.order_id}/cancel`, {}],
        ['/deny', { query }],
      ] as const) {
        const answer = await page.browser.post(`/console/authorize${step}`, body, headers)
        expect(answer, step).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
      }
    }
    expect((await collect(order.order_id)).body.state).toBe('complete')
  })

  test('it belongs to the session, and does not reveal it', async () => {
    const { csrf_token: token } = (await page.browser.get('/console/session')).body
    expect(token).toMatch(/^[\w-]{43}$/)
    expect((await page.browser.get('/console/session')).body.csrf_token).toBe(token)
    expect([...page.browser.cookies.values()]).not.toContain(token)
  })
})
