import { expect, test, vi } from 'vitest'
import { sealedSignatures } from '../../people/identity/sealed-tables.ts'
import { approveDemoOrder } from '../../../testing/in-process/seed.ts'
import { storeConsent } from './store-consent.ts'
import {
  dayMs,
  begin,
  tools,
  type AppConnectionRow,
  startConsentScene,
  choosing,
} from '../../../testing/in-process/scenes/consent-scene.ts'

const scene = await startConsentScene()
const {
  database,
  context,
  openPage,
  readPage,
  startSigning,
  collect,
  approve,
  allow,
  readConnections,
  readCode,
  endAccess,
  expectCode,
} = scene

test('an addition to a connection that has ended adds nothing, and the page may begin again', async () => {
  await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(scene.bakery) })
  const order = await startSigning({}, { permissions: ['metrics.read'], ...choosing(scene.mill) })
  await endAccess()
  await approve(order)
  expect((await collect(order.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
  expect(await readConnections()).toMatchObject([
    { permissions: ['company.read'], companies: [scene.bakery.companyId], ended_by: 'member' },
  ])
  expect(await readPage()).toMatchObject({ state: 'consent', adds: false })
})

test('an addition does not go to another connection that was created meanwhile', async () => {
  await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(scene.bakery) })
  const order = await startSigning({}, { permissions: ['metrics.read'], ...choosing(scene.mill) })
  await endAccess()
  context.clock.advance(1_000)
  await allow({ scope: 'company.read' }, { permissions: ['company.read'], ...choosing(scene.bakery) })
  await approve(order)
  expect((await collect(order.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
  expect((await readConnections())[1]).toMatchObject({
    permissions: ['company.read'],
    companies: [scene.bakery.companyId],
    ended_at: null,
  })
})

test('an addition that is given up while it is collected gives no code', async () => {
  await allow({}, { permissions: ['company.read'] })
  const order = await startSigning()
  await approve(order)
  const { signing } = context.identity
  const collectSigned = signing!.collect.bind(signing)
  vi.spyOn(signing!, 'collect').mockImplementationOnce(async (reference) => {
    const answer = await collectSigned(reference)
    expect((await scene.page.post(`sign/${order.order_id}/cancel`, {})).status).toBe(204)
    return answer
  })
  const ended = { state: 'failed', reason: 'ended' }
  expect((await collect(order.order_id)).body).toEqual(ended)
  expect((await collect(order.order_id)).body).toEqual(ended)
})

test('a clock at fault ends no connection for good', async () => {
  await allow({}, choosing(scene.bakery))
  const [before] = await readConnections()
  context.clock.advance(401 * dayMs)
  scene.page = await openPage(scene.member)
  context.clock.fault = () => "This machine's clock is 34646400 s ahead of the time that this process keeps."
  try {
    const signing = await startSigning({}, { permissions: ['metrics.read'], ...choosing(scene.mill) })
    await approveDemoOrder(context, signing.presentation.open_url, scene.member)
    expect((await collect(signing.order_id)).body).toEqual({ state: 'failed', reason: 'ended' })
  } finally {
    delete context.clock.fault
  }
  context.clock.set(begin)
  // By the right time, a bucket that was filled at the wrong one stays empty.
  await database.pool.query('delete from rate_buckets')
  expect(await readConnections()).toMatchObject([
    { connection_id: before!['connection_id'], ended_at: null, ended_by: null },
  ])
  expect(await readPage()).toMatchObject({ state: 'redirect' })
})

test('two consents in two tabs are one connection, with what either allows', async () => {
  const [one, other] = [
    await startSigning(
      { scope: 'company.read' },
      { permissions: ['company.read'], ...choosing(scene.bakery) },
    ),
    await startSigning({ resource: tools }, { permissions: ['metrics.read'], ...choosing(scene.mill) }),
  ]
  await Promise.all([approve(one), approve(other)])
  const answers = await Promise.all([
    collect(one.order_id, { scope: 'company.read' }),
    collect(other.order_id, { resource: tools }),
  ])
  for (const { body } of answers) expectCode(body.location)
  expect(await readConnections()).toMatchObject([
    {
      permissions: ['company.read', 'metrics.read'],
      companies: [scene.bakery.companyId, scene.mill.companyId].toSorted(),
      resources: [tools],
      expires_at: new Date('2026-04-15T12:00:00Z'),
      consents: 2,
    },
  ])
  const [{ connection_id: connectionId }] = (await readConnections()) as [AppConnectionRow]
  for (const { body } of answers) {
    expect((await readCode(new URL(body.location))).connection_id).toBe(connectionId)
  }
})

test('two consents that are stored concurrently are one connection', async () => {
  const signatures = []
  for (const [permission, company] of [
    ['company.read', scene.bakery],
    ['metrics.read', scene.mill],
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
  expect(await readConnections()).toMatchObject([
    {
      permissions: ['company.read', 'metrics.read'],
      companies: [scene.bakery.companyId, scene.mill.companyId].toSorted(),
      consents: 2,
    },
  ])
})

test('concurrent collections of one signature are one consent', async () => {
  const order = await startSigning()
  await approve(order)
  const answers = await Promise.all(Array.from({ length: 8 }, () => collect(order.order_id)))
  for (const { body } of answers) expectCode(body.location)
  expect(await readConnections()).toMatchObject([{ consents: 1 }])
})
