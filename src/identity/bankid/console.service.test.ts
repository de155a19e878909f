import { afterAll, beforeEach, expect, test } from 'vitest'
import { unseal } from '../../keys/seal.ts'
import { buildApp } from '../../service/app.ts'
import { iPhoneSafari, startBankIdScene } from '../../testing/bankid-scene.ts'
import { createConsoleClient, type ConsoleAnswer, type ConsoleClient } from '../../testing/console-client.ts'
import { seedScene } from '../../testing/scene.ts'
import { signaturePlace } from '../signing.ts'

/** Signing in and signing with BankID, by what the pages call. */

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
  const order = await client.post('/console/sign-in', { return_to: '/reports' })
  await scan(order).sign(person)
  const collected = await collect(client, `/console/sign-in/${order.body.order_id}/collect`)
  expect(collected.body).toMatchObject({ state: 'complete' })
  return client
}

test('A member signs in and signs a connection: nobody else is asked to, and the evidence is kept', async () => {
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
  const { signature_id: id, record_sha256: hash, evidence_sealed: sealed } = rows[0]
  const evidence = JSON.parse(unseal(context.keys.master, sealed, signaturePlace(id)).toString())
  expect(evidence).toMatchObject({ user: person, non_visible_data: hash.toString('hex') })
  expect(hash).toEqual(onPhone.nonVisibleData)
})

test.each([
  ['other', 2 * 60_000, 3 * 60_000],
  ['this', 20_000, 30_000],
])('An order for %s device tells its page until when the app can be started', async (device, from, to) => {
  const { body } = await createConsoleClient(app).post('/console/sign-in', { device })
  const leftMs = Date.parse(body.expires_at) - context.clock.now()
  expect(leftMs).toBeGreaterThan(from)
  expect(leftMs).toBeLessThanOrEqual(to)
})

test('An order is for another device unless its page says that it is for this one', async () => {
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

test('A page that must stay as it is asks for no way back, and the app opens no address', async () => {
  const { app: stays } = await beginHere(createConsoleClient(app), { return_to: null })
  expect(stays.returnUrl).toBeUndefined()
  const { app: returns } = await beginHere(createConsoleClient(app), { return_to: '/reports' })
  expect(returns.returnUrl).toMatch(/\/reports\?bankid_nonce=[\w-]{43}$/)
})

test('Who is sent the link of a sign-in that somebody else began signs nobody in', async () => {
  const attacker = createConsoleClient(app)
  const { path, app: ofMember } = await beginHere(attacker)
  await ofMember.sign({ ...person, ipAddress: '198.51.100.20', risk: 'moderate' })
  expect((await collect(attacker, path)).body).toMatchObject({ state: 'pending' })
  expect((await attacker.post(path, { return_nonce: 'A'.repeat(43) })).body).toMatchObject({
    state: 'pending',
  })
  await scene.pass(20_000)
  expect((await collect(attacker, path)).body).toEqual({ state: 'failed', reason: 'other_network' })
  expect((await attacker.get('/console/session')).status).toBe(401)
})

test('Who comes back from the app with what its address brought is signed in', async () => {
  const client = createConsoleClient(app)
  const { path, app: ofMember } = await beginHere(client)
  await ofMember.sign({ ...person, ipAddress: '198.51.100.20', risk: 'moderate' })
  const [, return_nonce] = /bankid_nonce=(.*)$/.exec(ofMember.returnUrl!)!
  await database.pool.query('update bankid_orders set next_collect_at = least(next_collect_at, now())')
  expect((await client.post(path, { return_nonce })).body).toMatchObject({ state: 'complete' })
  expect((await client.get('/console/session')).status).toBe(200)
})

test('What came back from the app is refused in another form', async () => {
  const client = createConsoleClient(app)
  const { path } = await beginHere(client)
  for (const return_nonce of ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, null]) {
    expect(await client.post(path, { return_nonce })).toMatchObject({
      status: 400,
      body: { field: 'return_nonce' },
    })
  }
})

test('A failed order tells its page why, in BankID’s own word', async () => {
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
  'An order that BankID does not begin, with %i, is told in one word of this service',
  async (status, errorCode) => {
    standIn.answerNextWith({ path: '/auth', status, errorCode })
    const client = createConsoleClient(app)
    const order = await client.post('/console/sign-in')
    expect(order).toMatchObject({ status: 200, body: { presentation: {} } })
    const path = `/console/sign-in/${order.body.order_id}/collect`
    expect((await collect(client, path)).body).toEqual({ state: 'failed', reason: 'unavailable' })
  },
)
