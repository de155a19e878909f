import { afterAll, beforeEach, expect, test } from 'vitest'
import { unseal } from '../../keys/seal.ts'
import { buildApp } from '../../service/app.ts'
import { startBankIdScene } from '../../testing/bankid-scene.ts'
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
  expect(order.body).toMatchObject({ demo: false, presentation: { launch_url: expect.any(String) } })
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

test('An order tells its page until when BankID waits for the app', async () => {
  const { body } = await createConsoleClient(app).post('/console/sign-in')
  const leftMs = Date.parse(body.expires_at) - context.clock.now()
  expect(leftMs).toBeGreaterThan(2 * 60_000)
  expect(leftMs).toBeLessThanOrEqual(3 * 60_000)
})

test('A failed order tells its page why, in BankID’s own word', async () => {
  const client = createConsoleClient(app)
  const order = await client.post('/console/sign-in')
  scan(order).refuse()
  const path = `/console/sign-in/${order.body.order_id}/collect`
  expect((await collect(client, path)).body).toEqual({ state: 'failed', reason: 'userCancel' })
})

test('An order that BankID does not begin is told in the same way', async () => {
  standIn.answerNextWith({ path: '/auth', status: 503, errorCode: 'maintenance' })
  const client = createConsoleClient(app)
  const order = await client.post('/console/sign-in')
  expect(order).toMatchObject({ status: 200, body: { presentation: {} } })
  const path = `/console/sign-in/${order.body.order_id}/collect`
  expect((await collect(client, path)).body).toEqual({ state: 'failed', reason: 'unavailable' })
})
