import { expect, test } from 'vitest'
import { removeMember } from '../../console/memberships/remove-member.ts'
import { seedApp, seedCompany, seedMember, testPersonalNumber } from '../../../testing/in-process/seed.ts'
import { everything, startConsentScene, choosing } from '../../../testing/in-process/scenes/consent-scene.ts'

const scene = await startConsentScene()
const {
  database,
  context,
  openPage,
  toQuery,
  startSigning,
  collect,
  approve,
  allow,
  readConnections,
  expectCode,
} = scene

test('the signer must be the signed-in member', async () => {
  const order = await startSigning()
  await approve(order, { ...scene.member, personalNumber: testPersonalNumber(), name: 'Någon Annan' })
  expect((await collect(order.order_id)).body).toEqual({ state: 'failed', reason: 'other_person' })
  expect(await readConnections()).toEqual([])
})

test('another member who has signed in meanwhile gets nothing of the order', async () => {
  const order = await startSigning()
  await approve(order)
  const other = await openPage(await seedMember(context, scene.bakery.companyId))
  expect((await collect(order.order_id, {}, other)).status).toBe(404)
  expect((await other.post(`sign/${order.order_id}/cancel`, {})).status).toBe(404)
  expectCode((await collect(order.order_id)).body.location)
})

test('an order of another app, of another host, or about something else is not found', async () => {
  const order = await startSigning()
  await approve(order)
  scene.client = await seedApp(context)
  expect((await collect(order.order_id)).status).toBe(404)

  scene.client = await seedApp(context, {
    redirectUris: ['https://app.example.com/back', 'https://elsewhere.example.com/back'],
  })
  const ofHost = await startSigning()
  await approve(ofHost)
  const elsewhere = { redirect_uri: 'https://elsewhere.example.com/back' }
  expect((await collect(ofHost.order_id, elsewhere)).status).toBe(404)

  const company = `/console/companies/${scene.bakery.companyId}/connections`
  const { body: made } = await scene.page.browser.post(company, {
    name: 'Connector',
    source_id: null,
    permissions: ['metrics.read'],
    kind: 'sandbox',
    credential_kind: 'static',
  })
  const { body: other } = await scene.page.browser.post(`${company}/${made.connection.connection_id}/sign`)
  await approve(other)
  expect((await collect(other.order_id)).status).toBe(404)
  expect((await scene.page.post(`sign/${other.order_id}/cancel`, {})).status).toBe(404)
  expect(await readConnections()).toEqual([])
})

test('a company that the member lost after choosing it is left out', async () => {
  const [both, lost] = [
    await startSigning({}, choosing(scene.bakery, scene.mill)),
    await startSigning({}, choosing(scene.mill)),
  ]
  await removeMember(context, 'operator', scene.mill.companyId, scene.member.memberId)
  await approve(lost)
  expect((await collect(lost.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
  expect(await readConnections()).toEqual([])
  await approve(both)
  expectCode((await collect(both.order_id)).body.location)
  expect(await readConnections()).toMatchObject([{ companies: [scene.bakery.companyId] }])
})

test('other members’ companies cannot be chosen, and look like ones that do not exist', async () => {
  const other = await seedCompany(context)
  const sign = async (companyId: string) =>
    scene.page.post('sign', {
      query: toQuery({ companies: other.company.orgnr }),
      ...everything,
      companies: { every: false, company_ids: [scene.bakery.companyId, companyId] },
    })
  const foreign = await sign(other.company.companyId)
  expect(foreign).toMatchObject({ status: 400, body: { code: 'invalid_argument' } })
  const unknown = await sign('01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11')
  expect({ ...unknown.body, request_id: foreign.body.request_id }).toEqual(foreign.body)
})

test('unknown and unrequested permissions are refused', async () => {
  for (const permissions of [
    ['sources.ingest'],
    ['company.read', 'connections.manage'],
    ['nonsense'],
    [1],
    'company.read',
  ]) {
    const answer = await scene.page.post('sign', { query: toQuery(), ...everything, permissions })
    expect(answer, String(permissions)).toMatchObject({ status: 400, body: { code: 'invalid_argument' } })
  }
  const unrequested = { query: toQuery({ scope: 'company.read' }), ...everything }
  expect(await scene.page.post('sign', unrequested)).toMatchObject({
    status: 400,
    body: { field: 'permissions' },
  })
})

test('every company together with chosen ones is refused', async () => {
  const both = { every: true, company_ids: [scene.bakery.companyId] }
  const answer = await scene.page.post('sign', { query: toQuery(), ...everything, companies: both })
  expect(answer).toMatchObject({ status: 400, body: { field: 'companies.company_ids' } })
})

test('an app that has been removed gets nothing', async () => {
  const order = await startSigning()
  await approve(order)
  await database.pool.query('delete from apps where client_id = $1', [scene.client.clientId])
  expect((await collect(order.order_id)).status).toBe(400)
  expect(await readConnections()).toEqual([])
})

test('nothing is done without the CSRF token of the session', async () => {
  const order = await startSigning()
  await approve(order)
  const { csrf_token: others } = (await (await openPage(scene.member)).browser.get('/console/session')).body
  await allow({ scope: 'company.read' }, { permissions: ['company.read'] })
  const query = toQuery({ scope: 'company.read' })
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
      const answer = await scene.page.browser.post(`/console/authorize${step}`, body, headers)
      expect(answer, step).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
    }
  }
  expect((await collect(order.order_id)).body.state).toBe('complete')
})

test('the CSRF token belongs to the session, and does not reveal it', async () => {
  const { csrf_token: token } = (await scene.page.browser.get('/console/session')).body
  expect(token).toMatch(/^[\w-]{43}$/)
  expect((await scene.page.browser.get('/console/session')).body.csrf_token).toBe(token)
  expect([...scene.page.browser.cookies.values()]).not.toContain(token)
})
