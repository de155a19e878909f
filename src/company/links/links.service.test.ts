import { beforeEach, expect, test } from 'vitest'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedMember } from '../../../testing/in-process/seed.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { removeMember } from '../../console/memberships/remove-member.ts'
import { resumeTokens, stopTokens } from '../../oauth/token/token-switch.ts'
import { linkRate } from './open-link.ts'

const { database, context, app } = await startTestService()
const { worker } = startTestWorker({ database, context })
beforeEach(async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  await database.pool.query('delete from rate_buckets')
})

const fetch = async (address: string) => {
  const { statusCode: status, headers, body } = await app.inject({ url: new URL(address).pathname })
  return { status, headers, body }
}

/** What fetching a link that was made is answered with. */
const status = async ({ body }: { body: { address: string } }) => (await fetch(body.address)).status

async function openShop() {
  const scene = await seedScene(context, {
    members: ['developer', 'reader'],
    source: { metrics: [testMetric({ group_by: ['country'] })] },
  })
  const { companyId } = scene.company
  const { sourceId } = scene.source
  const deliver = async (...rows: object[]) => {
    await storeDelivery(database.pool, { companyId, sourceId }, rows)
    await worker.drain()
  }
  const links = `/console/companies/${companyId}/links`
  const client = await signInConsole(app, context, scene.developer)
  const make = (changes: object = {}) =>
    client.post(links, { kind: 'feed', name: 'Ops', days: 90, language: 'en', report: null, ...changes })
  const report = { source_id: sourceId, metric: 'revenue', grain: 'month', range: '12m', by: 'country' }
  const sheet = { kind: 'sheet', name: 'Budget', language: 'sv', report }
  return { ...scene, companyId, sourceId, links, client, make, sheet, report, deliver }
}

test('a live spreadsheet has the exact figures of its rolling days, in the conventions of its language', async () => {
  const shop = await openShop()
  await shop.deliver(
    { at: '2025-03-31', amount: '5', country: 'SE' },
    { at: '2026-02-10', amount: '99999999999999999999.01', country: 'SE' },
    { at: '2026-03-10', amount: '2.50', country: 'Å;"' },
  )
  const { status: made, body } = await shop.make({ ...shop.sheet, report: { ...shop.report, range: 'year' } })
  expect(made).toBe(201)
  expect(body.link).toMatchObject({ kind: 'sheet', name: 'Budget', used_on: null, report: { range: 'year' } })
  expect(body.address).toMatch(/^http:\/\/localhost:8080\/sheets\/nrl_[0-9A-Za-z]{43}\.csv$/)
  const file = await fetch(body.address)
  expect(file.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'cache-control': 'private, no-cache',
  })
  expect(file.headers['set-cookie']).toBeUndefined()
  expect(file.body.split('\r\n')).toEqual([
    '\uFEFF"Första dag";"Sista dag";"SE (SEK)";"Å;"" (SEK)";"Alla (SEK)";"Pågår";"Hämtat"',
    '2026-01-01;2026-01-31;;;;;2026-03-15T12:00:00.000Z',
    '2026-02-01;2026-02-28;99999999999999999999,01;;99999999999999999999,01;;2026-03-15T12:00:00.000Z',
    '2026-03-01;2026-03-31;;2,5;2,5;"ja";2026-03-15T12:00:00.000Z',
    '',
  ])
  // It rolls.
  context.clock.set('2026-04-15T12:00:00Z')
  expect((await fetch(body.address)).body).toContain('2026-04-01;2026-04-30;')
  const again = await signInConsole(app, context, shop.developer)
  const listed = (await again.get(shop.links)).body.links
  expect(listed).toMatchObject([
    { used_on: '2026-04-15', created_by: { member_id: shop.developer.memberId } },
  ])
  expect(JSON.stringify(listed)).not.toContain('nrl_')
})

test('a feed has what needs attention, and loses what is done', async () => {
  const shop = await openShop()
  await shop.deliver({ at: '2026-03-10', amount: '<x>', country: 'SE' })
  const { address } = (await shop.make()).body
  const { headers, body } = await fetch(address)
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8')
  expect(body).toContain(`<title>${shop.source.name}: refused rows in the last delivery: 1</title>`)
  const attention = `/console/companies/${shop.companyId}/attention`
  const [{ key, version }] = (await shop.client.get(attention)).body.items
  await shop.client.post(`${attention}/marks`, { key, version, done: true })
  expect((await fetch(address)).body).not.toContain('<entry>')
})

test('what opens nothing is 404, always the same', async () => {
  const shop = await openShop()
  const feed = (await shop.make()).body
  const sheet = (await shop.make(shop.sheet)).body
  const gone = (await shop.make({ ...shop.sheet, report: { ...shop.report, by: 'device' } })).body
  const other = feed.address.replace(/.{5}\.atom/, 'AAAAA.atom')
  const wrong = [
    other,
    feed.address.replace('.atom', '.csv'),
    feed.address.replace('feeds', 'sheets').replace('.atom', '.csv'),
    `${sheet.address.slice(0, -10)}.csv`,
    gone.address,
    'http://localhost:8080/feeds/x',
  ]
  const answers = await Promise.all(wrong.map(fetch))
  expect(answers.map(({ status }) => status)).toEqual(wrong.map(() => 404))
  const shapes = answers.map(({ body, headers }) =>
    JSON.stringify([JSON.parse(body).message, Object.keys(headers)]),
  )
  expect(new Set(shapes).size).toBe(1)
})

test('a link ends when it is ended, by time, when its creator leaves or becomes a reader, and while tokens are stopped', async () => {
  const shop = await openShop()
  const ended = await shop.make()
  expect(await status(ended)).toBe(200)
  expect((await shop.client.delete(`${shop.links}/${ended.body.link.link_id}`)).status).toBe(204)
  expect(await status(ended)).toBe(404)
  const link = await shop.make({ days: 1 })
  await stopTokens(context)
  expect(await status(link)).toBe(404)
  await resumeTokens(context)
  expect(await status(link)).toBe(200)
  const setRole = (role: string) =>
    database.pool.query('update memberships set role = $2 where member_id = $1', [
      shop.developer.memberId,
      role,
    ])
  await setRole('reader')
  expect(await status(link)).toBe(404)
  await setRole('developer')
  context.clock.advance(24 * 60 * 60_000)
  expect(await status(link)).toBe(404)
  const owner = await signInConsole(app, context, shop.owner)
  const made = await signInConsole(app, context, shop.developer)
  const last = await made.post(shop.links, {
    kind: 'feed',
    name: 'Last',
    days: 400,
    language: 'sv',
    report: null,
  })
  expect(await status(last)).toBe(200)
  await removeMember(context, 'operator', shop.companyId, shop.developer.memberId)
  expect(await status(last)).toBe(404)
  expect((await owner.get(shop.links)).body.links).toEqual([])
})

test('a link has a rate of its own, a company fifty links, and each field its bounds', async () => {
  const shop = await openShop()
  const { address } = (await shop.make()).body
  for (let calls = 0; calls < linkRate.burst; calls++) await fetch(address)
  expect(await fetch(address)).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) } })
  for (const [field, value] of Object.entries({ days: 401, name: ' ', report: shop.report }))
    expect(await shop.make({ [field]: value })).toMatchObject({ status: 400, body: { field } })
  const strange = await seedScene(context, { source: {} })
  const report = { ...shop.report, source_id: strange.source.sourceId }
  expect((await shop.make({ ...shop.sheet, report })).status).toBe(404)
  const reader = await signInConsole(
    app,
    context,
    await seedMember(context, shop.companyId, { role: 'reader' }),
  )
  expect((await reader.get(shop.links)).status).toBe(403)
  await database.pool.query(
    `insert into links select company_id, gen_random_uuid(), kind, name, sha256(n::text::bytea), report, language, created_by,
       created_at, expires_at
     from links cross join generate_series(1, 49) as n where company_id = $1`,
    [shop.companyId],
  )
  expect(await shop.make()).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('the events of a link are in the audit, without its address', async () => {
  const shop = await openShop()
  const { link } = (await shop.make()).body
  await shop.client.delete(`${shop.links}/${link.link_id}`)
  const { rows } = await database.pool.query(
    `select action, subject_name, details from audit_events where company_id = $1 and action like 'link%' order by action`,
    [shop.companyId],
  )
  expect(rows).toEqual([
    { action: 'link_created', subject_name: 'Ops', details: { link: 'feed' } },
    { action: 'link_ended', subject_name: 'Ops', details: { link: 'feed' } },
  ])
})
