import { afterAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../../app/app.ts'
import { iPhoneSafari, startBankIdScene } from '../../../../testing/in-process/scenes/bankid-scene.ts'
import {
  createConsoleClient,
  type ConsoleAnswer,
  type ConsoleClient,
} from '../../../../testing/in-process/console-client.ts'
import { seedScene } from '../../../../testing/in-process/scenes/scene.ts'
import { sealedSignatures } from '../sealed-tables.ts'

/** Signing in and signing with BankID, through the calls of the pages. */

const scene = await startBankIdScene()
const { standIn, database, context } = scene
const app = await buildApp({
  ...context,
  identity: { ...context.identity, signIn: scene.bankid, signing: scene.bankid },
})
afterAll(() => app.close())
beforeEach(scene.beginAnew)

const { owner, company, source } = await seedScene(context, { source: {} })
const person = { personalNumber: owner.personalNumber, name: 'Olivia Owner' }
const connections = `/console/companies/${company.companyId}/connections`

const collect = async (client: ConsoleClient, path: string): Promise<ConsoleAnswer> => {
  await database.pool.query('update bankid_orders set next_collect_at = least(next_collect_at, now())')
  return client.post(path)
}
const scan = (order: ConsoleAnswer) => standIn.phone.scan(order.body.presentation.qr_text)
const signIn = async (): Promise<ConsoleClient> => {
  const client = createConsoleClient(app)
  const order = await client.post('/console/sign-in', { return_to: '/signatures' })
  await scan(order).sign(person)
  const collected = await collect(client, `/console/sign-in/${order.body.order_id}/collect`)
  expect(collected.body).toMatchObject({ state: 'complete' })
  return client
}

test('a member signs in and signs a connection, and the evidence is stored', async () => {
  const client = await signIn()
  const { body: session } = await client.get('/console/session')
  expect(session.identity).toEqual({ provider: 'bankid', demo: false, signs: true })
  const { body: made } = await client.post(connections, {
    name: 'Connector',
    source_id: source.sourceId,
    permissions: ['metrics.read'],
    kind: 'production',
    credential_kind: 'client',
  })
  const sign = `${connections}/${made.connection.connection_id}/sign`
  const order = await client.post(sign)
  expect(order.body).toMatchObject({ demo: false, presentation: { qr_text: expect.any(String) } })
  const onPhone = scan(order)
  expect(onPhone.request.requirement).toEqual({ personalNumber: person.personalNumber })
  expect(onPhone.visibleText).toMatch(/^## I sign this service connection of Numera\.\n/)
  await onPhone.sign(person)
  const signed = await collect(client, `${sign}/${order.body.order_id}/collect`)
  expect(signed.body).toMatchObject({ state: 'complete' })

  const { rows } = await database.pool.query(
    'select signature_id, provider, record_sha256, evidence_sealed from signatures where subject = $1',
    [`connection:${made.connection.connection_id}`],
  )
  expect(rows).toEqual([expect.objectContaining({ provider: 'bankid' })])
  const { record_sha256: hash, evidence_sealed: sealed } = rows[0]
  const evidence = JSON.parse(sealedSignatures.unseal(context, rows[0], sealed))
  expect(evidence).toMatchObject({ user: person, non_visible_data: hash.toString('hex') })
  expect(hash).toEqual(onPhone.nonVisibleData)
})

test.each([
  ['other', 2 * 60_000, 3 * 60_000],
  ['this', 20_000, 30_000],
])('an order for %s device tells its page until when the app can be started', async (device, from, to) => {
  const { body } = await createConsoleClient(app).post('/console/sign-in', { device })
  const leftMs = Date.parse(body.expires_at) - context.clock.now()
  expect(leftMs).toBeGreaterThan(from)
  expect(leftMs).toBeLessThanOrEqual(to)
})

test('an order is for another device by default', async () => {
  const client = createConsoleClient(app)
  const shown = async (body: object) =>
    Object.keys((await client.post('/console/sign-in', body)).body.presentation)
  expect(await shown({})).toEqual(['qr_text'])
  expect(await shown({ device: 'other' })).toEqual(['qr_text'])
  expect(await shown({ device: 'this' })).toEqual(['launch_url'])
  const refused = await client.post('/console/sign-in', { device: 'both' })
  expect(refused).toMatchObject({ status: 400, body: { field: 'device' } })
})

const onIphone = { 'user-agent': iPhoneSafari }
const beginHere = async (client: ConsoleClient, body: object = {}) => {
  const order = await client.post('/console/sign-in', { device: 'this', ...body }, onIphone)
  const token = /autostarttoken=([\w-]+)/.exec(order.body.presentation.launch_url)![1]!
  return { path: `/console/sign-in/${order.body.order_id}/collect`, app: standIn.phone.open(token) }
}

const nonceIn = (returnUrl: string | undefined): string =>
  /^http:\/\/localhost:8080\/bankid\/return#nonce=([\w-]{43})$/.exec(returnUrl!)![1]!
const comeBack = (client: ConsoleClient, return_nonce: unknown) =>
  client.post('/console/sign-in/return', { return_nonce })

test('the app opens the return page only, and none where the page must stay open', async () => {
  const { app: stays } = await beginHere(createConsoleClient(app), { return_to: null })
  expect(stays.returnUrl).toBeUndefined()
  for (const return_to of ['/', '/consent?client_id=app-1&state=a%20b', `/consent?x=${'a'.repeat(2_000)}`]) {
    const { app: returns } = await beginHere(createConsoleClient(app), { return_to })
    expect(nonceIn(returns.returnUrl)).toHaveLength(43)
  }
})

test('the link of another person’s sign-in signs no one in', async () => {
  const [attacker, member] = [createConsoleClient(app), createConsoleClient(app)]
  const { path, app: ofMember } = await beginHere(attacker)
  // The person has begun a sign-in of their own in this browser.
  const own = await beginHere(member)
  await ofMember.sign({ ...person, ipAddress: '198.51.100.20', risk: 'low' })
  const nonce = nonceIn(ofMember.returnUrl)
  for (const client of [member, createConsoleClient(app)]) {
    expect(await comeBack(client, nonce)).toMatchObject({ status: 404, body: { code: 'not_found' } })
  }
  // Nonces that an attacker may send instead.
  expect((await comeBack(attacker, nonceIn(own.app.returnUrl))).status).toBe(404)
  expect((await comeBack(attacker, 'A'.repeat(43))).status).toBe(404)
  expect((await collect(attacker, path)).body).toMatchObject({ state: 'pending' })
  await scene.pass(20_000)
  expect((await collect(attacker, path)).body).toEqual({ state: 'failed', reason: 'other_network' })
  for (const client of [attacker, member]) expect((await client.get('/console/session')).status).toBe(401)
})

test('a person who returns from the app with the nonce is signed in, at the page that began', async () => {
  const client = createConsoleClient(app)
  const { path, app: ofMember } = await beginHere(client, { return_to: '/signatures?a=%23' })
  const nonce = nonceIn(ofMember.returnUrl)
  // The page may return before BankID has completed the order, and twice.
  const answers = [await comeBack(client, nonce), await comeBack(client, nonce)]
  for (const answer of answers) {
    expect(answer).toMatchObject({
      status: 200,
      body: { return_to: '/signatures?a=%23' },
    })
  }
  await ofMember.sign({ ...person, ipAddress: '2001:db8::20', risk: 'moderate' })
  expect((await collect(client, path)).body).toMatchObject({ state: 'complete' })
  expect((await client.get('/console/session')).status).toBe(200)
})

test('a person who returns after signing comes to the page that began, in its session only', async () => {
  const client = await signIn()
  const { body: made } = await client.post(connections, {
    name: 'On a phone',
    source_id: source.sourceId,
    permissions: ['metrics.read'],
    kind: 'production',
    credential_kind: 'client',
  })
  const return_to = `/companies/${company.companyId}/connections/${made.connection.connection_id}`
  const { body: session } = await client.get('/console/session')
  const order = await client.post(
    `${connections}/${made.connection.connection_id}/sign`,
    { return_to, device: 'this' },
    { ...onIphone, 'x-csrf-token': session.csrf_token },
  )
  const token = /autostarttoken=([\w-]+)/.exec(order.body.presentation.launch_url)![1]!
  const nonce = nonceIn(standIn.phone.open(token).returnUrl)
  expect((await comeBack(await signIn(), nonce)).status).toBe(404)
  expect(await comeBack(client, nonce)).toMatchObject({ status: 200, body: { return_to } })
})

test('a malformed nonce is refused', async () => {
  const client = createConsoleClient(app)
  for (const return_nonce of ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, null]) {
    expect(await comeBack(client, return_nonce)).toMatchObject({
      status: 400,
      body: { field: 'return_nonce' },
    })
  }
})

test('the nonce is stored as a hash only', async () => {
  const { app: ofMember } = await beginHere(createConsoleClient(app))
  const { rows } = await database.pool.query(
    'select row_to_json(identity_orders)::text || row_to_json(bankid_orders)::text as kept from identity_orders ' +
      'join bankid_orders on reference = provider_reference',
  )
  expect(JSON.stringify([rows, scene.logged])).not.toContain(nonceIn(ofMember.returnUrl))
})

test('a failed order gives its page BankID’s reason', async () => {
  const client = createConsoleClient(app)
  const order = await client.post('/console/sign-in')
  scan(order).refuse()
  const path = `/console/sign-in/${order.body.order_id}/collect`
  expect((await collect(client, path)).body).toEqual({ state: 'failed', reason: 'userCancel' })
})

test.each([
  [408, 'requestTimeout'],
  [500, 'internalError'],
  [503, 'maintenance'],
])(
  'an order that BankID does not begin, with %i, has one reason of this service',
  async (status, errorCode) => {
    standIn.answerNextWith({ path: '/auth', status, errorCode })
    const client = createConsoleClient(app)
    const order = await client.post('/console/sign-in')
    expect(order).toMatchObject({ status: 200, body: { presentation: {} } })
    const path = `/console/sign-in/${order.body.order_id}/collect`
    expect((await collect(client, path)).body).toEqual({ state: 'failed', reason: 'unavailable' })
  },
)
