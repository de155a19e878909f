import { beforeAll, expect, test, vi } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { createConsoleClient, signInConsole } from '../../../testing/in-process/console-client.ts'
import {
  approveDemoOrder,
  seedCompany,
  testPersonalNumber,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const hourMs = 60 * 60_000

const { database, context, app } = await startTestService()
let seeded: SeededCompany
beforeAll(async () => {
  seeded = await seedCompany(context)
})

test('a person signs in and finds their companies and roles', async () => {
  const client = await signInConsole(app, context, seeded.owner)
  const { status, body } = await client.get('/console/session')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    member_id: seeded.owner.memberId,
    name: seeded.owner.name,
    expires_at: '2026-01-16T00:00:00.000Z',
    identity: { provider: 'demo', demo: true },
    companies: [{ company_id: seeded.company.companyId, name: 'Bageriet AB', role: 'owner' }],
  })
})

test('a person who was never invited signs in and finds nothing', async () => {
  const stranger = { personalNumber: testPersonalNumber(), name: 'Främling' }
  const client = await signInConsole(app, context, stranger)
  expect((await client.get('/console/session')).body).toMatchObject({ name: 'Främling', companies: [] })
  expect((await client.get(`/console/companies/${seeded.company.companyId}`)).status).toBe(404)
})

test('the cookie is hidden from scripts, and stored as a hash only', async () => {
  const client = createConsoleClient(app)
  const begun = await client.post('/console/sign-in')
  expect(begun.headers['set-cookie']).toMatch(
    /numera_order=[^;]{43}; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax/,
  )
  await approveDemoOrder(context, begun.body.presentation.open_url, seeded.owner)
  const collected = await client.post(`/console/sign-in/${begun.body.order_id}/collect`)
  const cookies = [collected.headers['set-cookie']].flat()
  expect(cookies[0]).toMatch(/^numera_session=[^;]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/)
  const token = client.cookies.get('numera_session')!
  const { rows } = await database.pool.query(
    `select 1 from sessions where encode(session_hash, 'escape') like '%' || $1 || '%'`,
    [token],
  )
  expect(rows).toEqual([])
})

test('a malformed cookie is replaced', async () => {
  for (const planted of ['x', 'a'.repeat(42), `${'a'.repeat(42)}=`, 'a'.repeat(4_000)]) {
    const client = createConsoleClient(app)
    client.cookies.set('numera_order', planted)
    await client.post('/console/sign-in')
    expect(client.cookies.get('numera_order')).toMatch(/^[\w-]{43}$/)
  }
})

test('behind https the cookie is limited to the host', async () => {
  const secure = await buildApp(
    createTestContext(database.pool, {
      environment: { NUMERA_BASE_URL: 'https://numera.example', NUMERA_IDENTITY: 'demo' },
    }),
  )
  const { headers } = await createConsoleClient(secure).post('/console/sign-in')
  expect(headers['set-cookie']).toMatch(/^__Host-numera_order=.*; Secure;/)
  await secure.close()
})

test('another browser cannot collect a sign-in', async () => {
  const victim = createConsoleClient(app)
  const { body: order } = await victim.post('/console/sign-in')
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const attacker = createConsoleClient(app)
  expect((await attacker.post(`/console/sign-in/${order.order_id}/collect`)).status).toBe(404)
  await attacker.post('/console/sign-in')
  expect((await attacker.post(`/console/sign-in/${order.order_id}/collect`)).status).toBe(404)
  expect((await victim.post(`/console/sign-in/${order.order_id}/collect`)).body.state).toBe('complete')
})

test('of two tabs that collect concurrently, one is signed in', async () => {
  const client = createConsoleClient(app)
  const { body: order } = await client.post('/console/sign-in')
  expect((await client.post(`/console/sign-in/${order.order_id}/collect`)).body).toMatchObject({
    state: 'pending',
    hint: 'outstanding',
  })
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const answers = await Promise.all(
    [1, 2, 3].map(() => client.post(`/console/sign-in/${order.order_id}/collect`)),
  )
  const states = answers.map((answer) => answer.body.state).toSorted()
  expect(states).toEqual(['complete', 'failed', 'failed'])
})

test('a sign-in that is cancelled while it is collected signs no one in', async () => {
  const client = createConsoleClient(app)
  const { body: order } = await client.post('/console/sign-in')
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  const { signIn } = context.identity
  const collect = signIn.collect.bind(signIn)
  vi.spyOn(signIn, 'collect').mockImplementationOnce(async (reference) => {
    const answer = await collect(reference)
    expect((await client.post(`/console/sign-in/${order.order_id}/cancel`)).status).toBe(204)
    return answer
  })
  const { body } = await client.post(`/console/sign-in/${order.order_id}/collect`)
  expect(body).toEqual({ state: 'failed', reason: 'ended' })
  expect((await client.get('/console/session')).status).toBe(401)
})

test('a refused sign-in stays failed', async () => {
  const client = createConsoleClient(app)
  const { body: order } = await client.post('/console/sign-in')
  const refusal = await app.inject({
    method: 'POST',
    url: order.presentation.open_url,
    payload: { answer: 'refuse' },
  })
  expect(refusal.statusCode).toBe(204)
  const collect = () => client.post(`/console/sign-in/${order.order_id}/collect`)
  expect((await collect()).body).toEqual({ state: 'failed', reason: 'refused' })
  expect((await collect()).body).toEqual({ state: 'failed', reason: 'ended' })
  expect((await client.get('/console/session')).status).toBe(401)
})

test('an order without an answer expires', async () => {
  const client = createConsoleClient(app)
  const { body: order } = await client.post('/console/sign-in')
  context.clock.advance(hourMs)
  await expect(approveDemoOrder(context, order.presentation.open_url, seeded.owner)).rejects.toThrow()
  const { body } = await client.post(`/console/sign-in/${order.order_id}/collect`)
  expect(body).toEqual({ state: 'failed', reason: 'expired' })
})

test('an order that expired by a fast clock is pending again when the clock is right', async () => {
  const client = createConsoleClient(app)
  const { body: order } = await client.post('/console/sign-in')
  context.clock.advance(hourMs)
  const collect = () => client.post(`/console/sign-in/${order.order_id}/collect`)
  expect((await collect()).body).toEqual({ state: 'failed', reason: 'expired' })
  context.clock.advance(-hourMs)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  expect((await collect()).body).toMatchObject({ state: 'complete' })
})

test('a session ends twelve hours after the sign-in, however much it is used', async () => {
  const client = await signInConsole(app, context, seeded.owner)
  for (let halfHour = 1; halfHour < 24; halfHour++) {
    context.clock.advance(hourMs / 2)
    expect((await client.get('/console/session')).status).toBe(200)
  }
  context.clock.advance(hourMs / 2 - 1)
  expect((await client.get('/console/session')).status).toBe(200)
  context.clock.advance(1)
  expect((await client.get('/console/session')).status).toBe(401)
})

test('after signing out the cookie opens nothing', async () => {
  const client = await signInConsole(app, context, seeded.owner)
  const stolen = client.cookies.get('numera_session')!
  expect((await client.post('/console/sign-out')).status).toBe(204)
  expect(client.cookies.has('numera_session')).toBe(false)
  client.cookies.set('numera_session', stolen)
  expect((await client.get('/console/session')).body).toMatchObject({ code: 'unauthenticated' })
})

test('no page of another site can write with the cookie', async () => {
  const client = await signInConsole(app, context, seeded.owner)
  const path = `/console/companies/${seeded.company.companyId}/members`
  const invitation = { personal_number: testPersonalNumber(), role: 'reader' }
  const token = { 'x-csrf-token': (await client.get('/console/session')).body.csrf_token as string }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    expect(await client.post(path, invitation, { ...token, ...headers })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    })
  }
  const cookie = `numera_session=${client.cookies.get('numera_session')}`
  const bare = (headers: Record<string, string>, payload: string) =>
    app.inject({ method: 'POST', url: path, headers: { cookie, ...token, ...headers }, payload })
  // A browser that sends no Sec-Fetch-Site sends Origin.
  const json = { 'content-type': 'application/json' }
  const body = JSON.stringify(invitation)
  expect((await bare({ ...json, origin: 'https://evil.example' }, body)).statusCode).toBe(403)
  expect((await bare({ ...json, origin: 'null' }, body)).statusCode).toBe(403)
  // The content types of forms are refused from any site.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    expect((await bare({ 'content-type': type }, body)).statusCode, type).toBe(415)
  }
  expect((await bare({ ...json, origin: 'http://localhost:8080' }, body)).statusCode).toBe(201)
})

test('the demo’s page says that it is a demo, shows the text to sign, and answers the order', async () => {
  const client = createConsoleClient(app)
  const { body: order } = await client.post('/console/sign-in')
  expect(order.demo).toBe(true)
  const url = order.presentation.open_url as string
  const page = await app.inject({ url })
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(page.payload).toContain('Anyone can sign in as anyone here')
  const form = (fields: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
  const wrong = await form({ answer: 'approve', personal_number: '123', name: 'Eva' })
  expect(wrong.statusCode).toBe(400)
  expect(wrong.payload).toContain('Enter a valid personal identity number.')
  const right = await form({
    answer: 'approve',
    personal_number: seeded.owner.personalNumber,
    name: 'Eva',
  })
  expect(right.payload).toContain('Approved')
  expect((await form({ answer: 'refuse' })).statusCode).toBe(404)
  expect((await client.post(`/console/sign-in/${order.order_id}/collect`)).body.state).toBe('complete')
})

test('the demo’s page keeps what was typed when it reports an error', async () => {
  const { body: order } = await createConsoleClient(app).post('/console/sign-in')
  const { statusCode, payload } = await app.inject({
    method: 'POST',
    url: order.presentation.open_url as string,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      answer: 'approve',
      personal_number: '123"',
      name: 'Eva <Ek>',
    }).toString(),
  })
  expect(statusCode).toBe(400)
  expect(payload).toContain('value="123&quot;" aria-invalid="true"')
  expect(payload).toContain('value="Eva &lt;Ek&gt;">')
})

test('the demo’s page is in the browser’s language, and links to the other one', async () => {
  const { body: order } = await createConsoleClient(app).post('/console/sign-in')
  const url = order.presentation.open_url as string
  const swedish = await app.inject({ url, headers: { 'accept-language': 'sv-SE,sv;q=0.9,en;q=0.8' } })
  expect(swedish.payload).toContain('<html lang="sv">')
  expect(swedish.payload).toMatch(
    /<section id="first" lang="sv">[^]*Personnummer[^]*<section id="other" lang="en">/,
  )
  const english = await app.inject({ url, headers: { 'accept-language': 'fi' } })
  expect(english.payload).toMatch(/<section id="first" lang="en">[^]*<section id="other" lang="sv">/)
})

test('a late or repeated answer gets a page that explains it in both languages', async () => {
  const { body: order } = await createConsoleClient(app).post('/console/sign-in')
  const url = order.presentation.open_url as string
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'accept-language': 'sv' }
  const answer = (fields: Record<string, string>) =>
    app.inject({
      method: 'POST',
      url,
      headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
  expect((await answer({ answer: 'refuse' })).payload).toContain('Nekat')
  for (const late of [
    await answer({ answer: 'refuse' }),
    await answer({ answer: 'approve', personal_number: 'no', name: 'Eva' }),
    await app.inject({ url, headers: browser }),
  ]) {
    expect(late.statusCode).toBe(404)
    expect(late.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(late.headers['content-security-policy']).toContain("default-src 'none'")
    expect(late.payload).toMatch(/<html lang="sv">[^]*Inte längre tillgängligt[^]*No longer available/)
    expect(late.payload).not.toContain('<form')
  }
  // A program gets an error.
  expect((await app.inject({ url })).json().code).toBe('not_found')
})

test('the demo’s page offers people to continue as with one click', async () => {
  const client = createConsoleClient(app)
  const { body: order } = await client.post('/console/sign-in')
  const url = order.presentation.open_url as string
  const { payload } = await app.inject({ url })
  const [, form = ''] = /<form method="post">\n([^]*?)<\/form>/.exec(payload) ?? []
  const fields = [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
  expect(fields.map(([name]) => name)).toEqual(['personal_number', 'name', 'answer'])
  const answered = await app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
  expect(answered.payload).toContain('Approved')
  expect((await client.post(`/console/sign-in/${order.order_id}/collect`)).body.state).toBe('complete')
})

test('no personal number is stored in plain text', async () => {
  const person = { personalNumber: testPersonalNumber(), name: 'Eva' }
  await signInConsole(app, context, person)
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema in ('directory', 'access', 'shard_1')`,
  )
  for (const { name } of tables) {
    const { rows } = await database.pool.query(
      `select 1 from ${name} t
       where t::text like '%' || $1 || '%' or t::text like '%' || encode($1::text::bytea, 'hex') || '%'`,
      [person.personalNumber],
    )
    expect(rows, name).toEqual([])
  }
})

const begin = async (remoteAddress: string) =>
  app.inject({ method: 'POST', url: '/console/sign-in', remoteAddress, payload: {} })

test('unfinished sign-ins are limited for each network', async () => {
  const statuses = new Set<number>()
  for (let i = 0; i < 201; i += 1) statuses.add((await begin(`192.0.2.${i}`)).statusCode)
  expect([...statuses]).toEqual([200, 429])
  const refused = await begin('192.0.2.1')
  expect(refused.json()).toMatchObject({ code: 'rate_limited' })
  expect(refused.headers['retry-after']).toBe('1')
  expect((await begin('198.51.100.1')).statusCode).toBe(200)
  context.clock.advance(1000)
  expect((await begin('192.0.2.1')).statusCode).toBe(200)
})
