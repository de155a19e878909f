import { hash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { startDeletionScene } from '../../../testing/in-process/scenes/deletion-scene.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { exportCompany } from './export-company.ts'

const scene = await startDeletionScene()
const { database, context, exportIt } = scene

test('an owner exports everything of the company, its deliveries byte for byte, and no secret', async () => {
  const { company, clients, path, owner, source, connection, hook } = scene.doomed
  const of = { companyId: company.companyId, sourceId: source.sourceId }
  // Each of its characters is two code units, so one is cut apart wherever a text is written in parts.
  const long = Buffer.from(`["a${'😀'.repeat(200_000)}"]`)
  const bytes = Buffer.from('#FLAGGA 0\r\n#FNAMN "\x86\x84\x94"\r\n', 'latin1')
  const stored = [
    await storeDelivery(database.pool, of, long, { compressed: true }),
    await storeDelivery(database.pool, of, bytes),
  ]
  const answer = await clients.owner.get(`${path}/export`)
  expect(answer.headers['content-disposition']).toContain(`numera-company-${company.companyId}.ndjson`)
  const lines = await exportIt(clients.owner, path)
  const listed = Map.groupBy(lines, ({ type }) => String(type))
  expect(Object.fromEntries([...listed].map(([type, each]) => [type, each.length]))).toEqual({
    export: 1,
    company: 1,
    member: 4,
    source: 2,
    declaration: 2,
    connection: 2,
    signature: 2,
    audit_event: expect.any(Number),
    delivery: 3,
    sample: 1,
    end: 1,
  })
  const contents = new Map(
    listed
      .get('delivery')!
      .map((delivery) => [
        delivery['artifact_id'],
        delivery['content'] === undefined
          ? Buffer.from(String(delivery['content_base64']), 'base64')
          : Buffer.from(String(delivery['content'])),
      ]),
  )
  expect(
    stored.map(({ artifactId }) =>
      contents.get(artifactId)!.equals(stored[0]!.artifactId === artifactId ? long : bytes),
    ),
  ).toEqual([true, true])
  expect(listed.get('delivery')!.find(({ idempotency_key }) => idempotency_key === 'first')!['content']).toBe(
    '[{"at":"2026-01-10","amount":"5","country":"Å😀\\"\u2028","customer":"Kund Ett"}]',
  )
  expect(listed.get('sample')).toMatchObject([{ metric: 'revenue', value: '5', labels: {}, sandbox: false }])
  expect(listed.get('connection')!.map(({ further_companies: further }) => further)).toContainEqual([
    scene.neighbour.company.orgnr,
  ])
  const secrets = [
    connection.credential!,
    hash('sha256', connection.credential!, 'hex'),
    hook.signingSecret,
    owner.personalNumber,
  ]
  expect(secrets.filter((secret) => String(answer.body).includes(secret))).toEqual([])
})

test('an export needs an owner who signed in recently, and the other owners get a notice', async () => {
  const { clients, path } = scene.doomed
  expect((await clients.reader.get(`${path}/export`)).status).toBe(403)
  expect((await clients.owner.post(`${path}/export`)).status).toBe(204)
  await clients.owner.get(`${path}/export`)
  const { body } = await clients.second.get('/console/session')
  const notices = body.notices.map(({ event }: { event: { action: string } }) => event.action)
  expect(notices).toContain('company_exported')
  context.clock.advance(31 * 60_000)
  for (const send of [clients.owner.get, clients.owner.post])
    expect(await send(`${path}/export`)).toMatchObject({ status: 403, body: { code: 'sign_in_again' } })
})

test('an export is of one instant, and one that is cut off counts as none and leaves no connection open', async () => {
  const { company, source, clients, path } = scene.doomed
  const { companyId } = company
  const begin = () => exportCompany(context, 'operator', companyId)
  const whole = begin()
  const first = await whole.next()
  await storeDelivery(database.pool, { companyId, sourceId: source.sourceId }, [
    { at: '2026-01-11', amount: '1' },
  ])
  const rest = await text(whole)
  expect(`${String(first.value)}${rest}`.match(/"type" : "delivery"|"type":"delivery"/g)).toHaveLength(1)

  const cut = begin()
  await cut.next()
  await cut.next()
  await cut.return(undefined)
  const countConnections = async (): Promise<number | null> => {
    const open = `select from pg_stat_activity where application_name = 'numera export' and datname = current_database()`
    return (await database.pool.query(open)).rowCount
  }
  await expect.poll(countConnections).toBe(0)
  const { body } = await clients.owner.get(`${path}/audit`)
  const exports = body.events.filter(({ action }: { action: string }) => action === 'company_exported')
  expect(exports).toMatchObject([{ count: 1, member: null }])
})
