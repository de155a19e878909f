import { beforeEach, describe, expect, test } from 'vitest'
import { removeMember } from '../memberships/remove-member.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  seedApp,
  seedAppConnection,
  seedCompany,
  seedMember,
  type SeededApp,
  type SeededAppConnection,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { deleteOldCalls } from './expiry.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'

const { database, context, app } = await startTestService({ recordEveryMs: 20 })

const dayMs = 24 * 60 * 60_000

let bakery: SeededCompany
let rapport: SeededApp
let connection: SeededAppConnection
let token: string
let pages: ConsoleClient
beforeEach(async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  // A test may have moved the clock far ahead, where buckets are full again.
  await database.pool.query('truncate rate_buckets')
  const {
    app: allowed,
    appConnection,
    token: itsToken,
    company,
    owner,
  } = await seedScene(context, { source: {}, app: {} })
  bakery = { company, owner }
  ;[rapport, connection, token] = [allowed, appConnection, itsToken]
  pages = await signInConsole(app, context, bakery.owner)
})

const shownBakery = () => ({
  company_id: bakery.company.companyId,
  orgnr: `${bakery.company.orgnr.slice(0, 6)}-${bakery.company.orgnr.slice(6)}`,
  name: 'Bageriet AB',
})

const getCsrfHeaders = async (client: ConsoleClient): Promise<Record<string, string>> => {
  const { body } = await client.get('/console/session')
  return { 'x-csrf-token': body.csrf_token }
}

const end = async (client: ConsoleClient, connectionId: string) =>
  client.post(`/console/apps/${connectionId}/end`, {}, await getCsrfHeaders(client))

const call = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers: { authorization: `Bearer ${token}`, ...headers } })

const getCalls = async (query = '') =>
  (await pages.get(`/console/apps/${connection.connectionId}/calls${query}`)).body

const toIds = (body: { apps: { connection_id: string }[] }) => body.apps.map((one) => one.connection_id)

/** Settles once this many calls are on record. */
const recorded = async (count: number) => {
  await expect.poll(async () => (await getCalls()).calls.length, { interval: 10 }).toBe(count)
  return (await getCalls()).calls
}

describe('a member’s list', () => {
  test('shows all that is known of what they allowed', async () => {
    const { status, body } = await pages.get('/console/apps')
    expect(status).toBe(200)
    expect(body).toEqual({
      apps: [
        {
          connection_id: connection.connectionId,
          member_id: bakery.owner.memberId,
          client_id: rapport.clientId,
          client_name: 'Rapportappen',
          redirect_host: 'app.example.com',
          state: 'active',
          permissions: ['company.read', 'metrics.read'],
          companies: { every: false, chosen: [shownBakery()] },
          resources: [],
          consented_at: '2026-03-15T12:00:00.000Z',
          expires_at: '2026-06-13T12:00:00.000Z',
          ended_at: null,
          ended_by: null,
          last_called_at: null,
        },
      ],
      next_cursor: null,
    })
  })

  test('is newest first, a page at a time, and holds no one else’s', async () => {
    const other = await seedCompany(context)
    await seedAppConnection(context, { app: rapport, member: other.owner })
    const ids = [connection.connectionId]
    for (let more = 0; more < 2; more++) {
      context.clock.advance(1_000)
      const next = await seedAppConnection(context, { app: await seedApp(context), member: bakery.owner })
      ids.unshift(next.connectionId)
    }
    const first = await pages.get('/console/apps?limit=2')
    expect(toIds(first.body)).toEqual(ids.slice(0, 2))
    const second = await pages.get(`/console/apps?limit=2&cursor=${first.body.next_cursor}`)
    expect(toIds(second.body)).toEqual(ids.slice(2))
    expect(second.body.next_cursor).toBeNull()
  })

  test('says of all companies that they are all', async () => {
    const every = await seedAppConnection(context, { app: await seedApp(context), member: bakery.owner })
    const { body } = await pages.get('/console/apps')
    const shown = body.apps.find((one: { connection_id: string }) => one.connection_id === every.connectionId)
    expect(shown.companies).toEqual({ every: true, chosen: [] })
  })

  test('says of one whose 90 days are over that it ended then', async () => {
    context.clock.advance(90 * dayMs)
    pages = await signInConsole(app, context, bakery.owner)
    const { body } = await pages.get('/console/apps')
    expect(body.apps[0]).toMatchObject({
      state: 'ended',
      ended_at: '2026-06-13T12:00:00.000Z',
      ended_by: 'expiry',
    })
  })
})

describe('ending', () => {
  test('stops the app on its next call, and says when and by whom', async () => {
    expect((await call('/v1/samples')).statusCode).toBe(200)
    context.clock.advance(5_000)
    const { status, body } = await end(pages, connection.connectionId)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      connection_id: connection.connectionId,
      state: 'ended',
      ended_at: '2026-03-15T12:00:05.000Z',
      ended_by: 'member',
    })
    expect((await call('/v1/samples')).statusCode).toBe(401)
    expect((await pages.get('/console/apps')).body.apps[0]).toMatchObject({ state: 'ended' })
  })

  test('twice changes nothing', async () => {
    const { body: first } = await end(pages, connection.connectionId)
    context.clock.advance(5_000)
    const { status, body } = await end(pages, connection.connectionId)
    expect(status).toBe(200)
    expect(body).toEqual(first)
  })

  test('after the 90 days changes nothing either', async () => {
    context.clock.advance(91 * dayMs)
    pages = await signInConsole(app, context, bakery.owner)
    const { body } = await end(pages, connection.connectionId)
    expect(body).toMatchObject({ ended_at: '2026-06-13T12:00:00.000Z', ended_by: 'expiry' })
  })

  test('needs the CSRF token that belongs to the cookie', async () => {
    const other = await signInConsole(app, context, (await seedCompany(context)).owner)
    const path = `/console/apps/${connection.connectionId}/end`
    for (const headers of [
      {},
      { 'x-csrf-token': 'x' },
      { 'x-csrf-token': '' },
      await getCsrfHeaders(other),
    ]) {
      const { status, body } = await pages.post(path, {}, headers)
      expect([status, body.code]).toEqual([403, 'permission_denied'])
    }
    expect((await call('/v1/samples')).statusCode).toBe(200)
  })

  test('another member’s connection is not found, not even by a fellow owner', async () => {
    for (const stranger of [await seedCompany(context), bakery]) {
      const theirs = await seedAppConnection(context, {
        app: await seedApp(context),
        member: (await seedCompany(context)).owner,
        companyIds: [stranger.company.companyId],
      })
      for (const id of [theirs.connectionId, '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11', 'nonsense']) {
        expect((await end(pages, id)).status).toBe(404)
        expect((await pages.get(`/console/apps/${id}/calls`)).status).toBe(404)
      }
      const { rows } = await database.pool.query(
        'select ended_at from app_connections where connection_id = $1',
        [theirs.connectionId],
      )
      expect(rows).toEqual([{ ended_at: null }])
    }
  })
})

describe('records of each answered call are kept: connection, company, path, outcome', () => {
  test('a read is on record, with its company and without its query', async () => {
    context.clock.advance(3_000)
    expect((await call(`/v1/samples?orgnr=${bakery.company.orgnr}&from=2026-01-01`)).statusCode).toBe(200)
    expect(await recorded(1)).toEqual([
      {
        call_id: expect.any(String),
        company: shownBakery(),
        method: 'GET',
        path: '/v1/samples',
        status: 200,
        code: null,
        called_at: '2026-03-15T12:00:03.000Z',
      },
    ])
    const { body } = await pages.get('/console/apps')
    expect(body.apps[0].last_called_at).toBe('2026-03-15T12:00:03.000Z')
  })

  test('so are refused calls with a known token, newest first', async () => {
    const refusals: [string, Record<string, string>, 'GET' | 'POST', number, string, boolean][] = [
      ['/v1/ingest', {}, 'POST', 403, 'permission_denied', true],
      ['/v1/samples?orgnr=nonsense', {}, 'GET', 400, 'invalid_argument', false],
      [`/v1/samples?orgnr=${(await seedCompany(context)).company.orgnr}`, {}, 'GET', 404, 'not_found', false],
      ['/v1/samples?from=nonsense', {}, 'GET', 400, 'invalid_argument', true],
      ['/v1/samples', { 'x-numera-reference': '1' }, 'GET', 403, 'docs_origin_needs_sandbox', true],
    ]
    for (const [url, headers, method, status] of refusals) {
      context.clock.advance(1_000)
      expect((await call(url, headers, method)).statusCode).toBe(status)
    }
    const calls = await recorded(refusals.length)
    expect(
      calls.map((one: Record<string, unknown>) => [
        one['path'],
        one['status'],
        one['code'],
        one['company'] !== null,
      ]),
    ).toEqual(
      refusals.toReversed().map(([url, , , status, code, about]) => [url.split('?')[0], status, code, about]),
    )
  })

  test('and those that come too often', async () => {
    await Promise.all(Array.from({ length: 21 }, () => call('/v1/companies')))
    const calls = await recorded(21)
    expect(calls.filter((one: { status: number }) => one.status === 429)).toEqual([
      expect.objectContaining({ code: 'rate_limited', path: '/v1/companies' }),
    ])
  })

  test('a call with a token that opens nothing is on no record', async () => {
    await call('/v1/samples')
    const active = token
    token = 'nat_unknown'
    await call('/v1/samples')
    token = active
    await end(pages, connection.connectionId)
    await call('/v1/samples')
    await app.inject({ url: '/v1/samples' })
    await recorded(1)
    // A record of it would have been written by now.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect((await getCalls()).calls).toHaveLength(1)
  })

  test('something in the place of an id that is not one is not kept', async () => {
    await call('/v1/deliveries/19811218-9876')
    expect(await recorded(1)).toMatchObject([{ path: '/v1/deliveries/:artifact_id', status: 404 }])
    const { rows } = await database.pool.query("select from app_calls where path like '%1981%'")
    expect(rows).toEqual([])
  })

  test('they are read a page at a time', async () => {
    for (let calls = 0; calls < 3; calls++) {
      context.clock.advance(1_000)
      await call('/v1/companies')
    }
    const all = await recorded(3)
    const first = await getCalls('?limit=2')
    expect(first.calls).toEqual(all.slice(0, 2))
    const second = await getCalls(`?limit=2&cursor=${first.next_cursor}`)
    expect(second).toEqual({ calls: all.slice(2), next_cursor: null })
  })

  test('they stay when the member loses the company', async () => {
    await call('/v1/samples')
    await recorded(1)
    await seedMember(context, bakery.company.companyId, { role: 'owner' })
    await removeMember(context, 'operator', bakery.company.companyId, bakery.owner.memberId)
    expect((await getCalls()).calls).toMatchObject([{ company: shownBakery() }])
  })

  test('they are kept for 400 days', async () => {
    await call('/v1/samples')
    await recorded(1)
    context.clock.advance(400 * dayMs)
    await deleteOldCalls(context, context.clock.now())
    pages = await signInConsole(app, context, bakery.owner)
    expect((await getCalls()).calls).toHaveLength(1)
    context.clock.advance(1)
    await deleteOldCalls(context, context.clock.now())
    expect((await getCalls()).calls).toEqual([])
  })
})

const getApps = async (client: ConsoleClient, company = bakery.company) =>
  client.get(`/console/companies/${company.companyId}/apps`)

const insertCall = (minute: number, companyId: string) =>
  database.pool.query(
    `insert into app_calls (connection_id, call_id, company_id, method, path, status, called_at)
     values ($1, $2, $3, 'GET', '/v1/samples', 200, $4)`,
    [
      connection.connectionId,
      uuidv7(Date.parse('2026-03-15T12:00:00Z') + minute * 60_000),
      companyId,
      new Date(Date.parse('2026-03-15T12:00:00Z') + minute * 60_000),
    ],
  )

describe('the apps that may read a company', () => {
  test('its owners see each, for whom it reads and since when, and who reads it no longer is gone', async () => {
    expect((await call('/v1/samples')).statusCode).toBe(200)
    const reader = await seedMember(context, bakery.company.companyId, { role: 'reader' })
    const other = await seedApp(context, { clientName: 'Tavlan' })
    const every = await seedAppConnection(context, { app: other, member: reader })
    // An app of every company is shown once the member has opened this one.
    const readersPages = await signInConsole(app, context, reader)
    await readersPages.get(`/console/companies/${bakery.company.companyId}`)
    const { body } = await getApps(pages)
    expect(new Set(body.apps.map((each: { client_name: string }) => each.client_name))).toEqual(
      new Set(['Rapportappen', 'Tavlan']),
    )
    expect(
      body.apps.find((each: { client_id: string }) => each.client_id === rapport.clientId),
    ).toMatchObject({
      connection_id: connection.connectionId,
      redirect_host: expect.any(String),
      member: { member_id: bakery.owner.memberId, name: 'Olivia Ägare' },
      permissions: connection.permissions,
      every_company: false,
      consented_at: '2026-03-15T12:00:00.000Z',
      expires_at: '2026-06-13T12:00:00.000Z',
    })
    expect(body.apps.find((each: { client_id: string }) => each.client_id === other.clientId)).toMatchObject({
      connection_id: every.connectionId,
      member: { member_id: reader.memberId },
      every_company: true,
      last_called_at: null,
    })
    expect(JSON.stringify(body)).not.toContain(token)
    await end(pages, connection.connectionId)
    expect((await getApps(pages)).body.apps).toHaveLength(1)
    await removeMember(context, 'operator', bakery.company.companyId, reader.memberId)
    expect((await getApps(pages)).body.apps).toEqual([])
  })

  test('a company that was not chosen, and one of which its member is none, has no such app', async () => {
    const mill = await seedCompany(context, { name: 'Kvarnen AB' })
    const { personalNumber } = bakery.owner
    await seedMember(context, mill.company.companyId, { role: 'reader', personalNumber })
    const owner = await signInConsole(app, context, mill.owner)
    expect((await getApps(owner, mill.company)).body.apps).toEqual([])
    expect((await getApps(owner)).status).toBe(404)
    const developer = await seedMember(context, bakery.company.companyId)
    expect((await getApps(await signInConsole(app, context, developer))).status).toBe(403)
  })

  test('an owner ends what an app may read of the company, and nothing of the member’s other companies', async () => {
    const member = await seedMember(context, bakery.company.companyId, { role: 'reader' })
    const own = await signInConsole(app, context, member)
    await own.get(`/console/companies/${bakery.company.companyId}`)
    const every = await seedAppConnection(context, { app: await seedApp(context), member })
    const list = async () =>
      toIds((await pages.get(`/console/companies/${bakery.company.companyId}/apps`)).body)
    expect(await list()).toContain(every.connectionId)
    for (const { connectionId } of [every, connection]) {
      const path = `/console/companies/${bakery.company.companyId}/apps/${connectionId}/end`
      expect((await own.post(path, {}, await getCsrfHeaders(own))).status).toBe(403)
      expect((await pages.post(path, {}, await getCsrfHeaders(pages))).status).toBe(204)
      expect((await pages.post(path, {}, await getCsrfHeaders(pages))).status).toBe(404)
    }
    expect(await list()).toEqual([])
    expect((await call('/v1/samples')).statusCode).not.toBe(200)
    expect((await own.get('/console/apps')).body.apps[0]).toMatchObject({
      state: 'active',
      companies: { every: false, chosen: [] },
    })
    const { body } = await pages.get(`/console/companies/${bakery.company.companyId}/audit`)
    expect(body.events).toContainEqual(
      expect.objectContaining({ action: 'app_ended', details: { app: 'Rapportappen' } }),
    )
  })

  test('what is over after 90 days is gone from the list', async () => {
    context.clock.set('2026-06-13T12:00:00Z')
    expect((await getApps(await signInConsole(app, context, bakery.owner))).body.apps).toEqual([])
  })

  test('its last call is the one about this company', async () => {
    const mill = await seedCompany(context)
    await insertCall(1, bakery.company.companyId)
    await insertCall(2, mill.company.companyId)
    const [reading] = (await getApps(pages)).body.apps
    expect(reading.last_called_at).toBe('2026-03-15T12:01:00.000Z')
  })
})
