import { beforeEach, expect, test } from 'vitest'
import { createSource } from '../sources/create-source.ts'
import { pauseSource, resumeSource } from '../sources/pause-source.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  approveDemoOrder,
  seedConnection,
  seedMember,
  seedSource,
  seedWebhookSource,
  testPersonalNumber,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { seedCompany } from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { saveSource } from '../../../testing/process/save-source.ts'
import { repeatedActMs } from './record-audit-event.ts'

const { context, app, database } = await startTestService()

let seeded: SeededCompany
let owner: ConsoleClient
let company: string
beforeEach(async () => {
  context.clock.set('2026-11-21T13:07:00Z')
  await database.pool.query('delete from rate_buckets')
  seeded = await seedCompany(context)
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${seeded.company.companyId}`
})

interface Event {
  action: string
  at: string
  count: number
  last_at: string
  member: { member_id: string; name: string; is_member: boolean } | null
  subject: { kind: string; id: string; name: string | null }
  details: Record<string, unknown>
}

/** What was done since the beginning of the test, the first of it first. */
const done = async (): Promise<Event[]> => {
  const { body } = await owner.get(`${company}/audit?limit=200`)
  // The operator added the owner.
  return body.events.toReversed().slice(1)
}
const tick = (): void => context.clock.advance(1_000)

/** Each a second after the one before, so that they have an order. */
const inTurn = async (...calls: (() => Promise<{ status: number }>)[]): Promise<void> => {
  for (const call of calls) {
    tick()
    expect((await call()).status).toBeLessThan(300)
  }
}

const declaration = {
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric()],
  delivers: 'events' as const,
}

test('acts on sources are listed with the member and the source’s name at that time', async () => {
  tick()
  const { source } = await createSource(context, seeded.owner, seeded.company.companyId, {
    name: 'Shop',
    systemKind: 'web shop',
    channel: 'push',
    format: null,
    declaration,
  })
  const path = `${company}/sources/${source.sourceId}`
  await inTurn(
    () => saveSource(owner, path, { name: 'Web shop' }),
    () => saveSource(owner, path, { name: 'Web shop' }),
    () => saveSource(owner, path, { metrics: [testMetric({ period: 'week' })] }),
    () => owner.post(`${path}/pause`),
    () => owner.post(`${path}/pause`),
    () => owner.post(`${path}/resume`),
    () => owner.post(`${path}/resume`),
    () => owner.post(`${path}/rebuilds`),
    () => saveSource(owner, path, { channel: 'webhook' }),
    () => owner.post(`${path}/rotate-signing-secret`),
  )
  const events = await done()
  expect(events.map(({ action, subject }) => [action, subject.name])).toEqual([
    ['source_created', 'Shop'],
    ['source_version_saved', 'Web shop'],
    ['source_paused', 'Web shop'],
    ['source_resumed', 'Web shop'],
    ['source_rebuilt', 'Web shop'],
    // The second change within the hour, with the first one counted.
    ['source_changed', 'Web shop'],
    ['source_secret_rotated', 'Web shop'],
  ])
  expect(events[1]).toMatchObject({
    at: '2026-11-21T13:07:04.000Z',
    member: { member_id: seeded.owner.memberId, name: 'Olivia Ägare', is_member: true },
    subject: { kind: 'source', id: source.sourceId },
    details: { shape_version: 2, rebuilds: true },
  })
})

test('saving a source, pausing it for a reason and ending its previous secret are each listed once', async () => {
  const source = await seedWebhookSource(context, seeded.company.companyId)
  const path = `${company}/sources/${source.sourceId}`
  const before = (await done()).length
  const { body: shown } = await owner.get(path)
  const settings = {
    name: 'Till',
    system_kind: shown.source.system_kind,
    channel: 'webhook',
    format: shown.source.format,
  }
  const whole = { ...settings, ...declaration, metrics: [testMetric({ period: 'week' })] }
  await inTurn(
    () => owner.put(path, { ...whole, expected_revision: 1 }),
    () => owner.put(path, { ...whole, expected_revision: 3 }),
    () => owner.post(`${path}/pause`, { reason: 'The till is being replaced' }),
    () => owner.post(`${path}/pause`, { reason: 'Another reason' }),
    () => owner.post(`${path}/resume`),
    () => owner.post(`${path}/rotate-signing-secret`),
    () => owner.post(`${path}/end-previous-signing-secret`),
    () => owner.post(`${path}/end-previous-signing-secret`),
  )
  const events = (await done()).slice(before)
  // Both halves of the first save are of one moment, and in no order.
  expect(
    events
      .slice(0, 2)
      .map(({ action }) => action)
      .toSorted(),
  ).toEqual(['source_changed', 'source_version_saved'])
  expect(events.slice(2).map(({ action, subject, details }) => [action, subject.name, details])).toEqual([
    ['source_paused', 'Till', { reason: 'The till is being replaced' }],
    ['source_resumed', 'Till', {}],
    ['source_secret_rotated', 'Till', {}],
    ['source_secret_ended', 'Till', {}],
  ])
})

test('acts on connections are listed, without any secret', async () => {
  const source = await seedSource(context, seeded.company.companyId)
  tick()
  const body = {
    name: 'Ledger nightly',
    source_id: source.sourceId,
    permissions: ['sources.ingest'],
    kind: 'production',
    credential_kind: 'client',
  }
  const { connection_id: id } = (await owner.post(`${company}/connections`, body)).body.connection
  const path = `${company}/connections/${id}`
  const { body: order } = await owner.post(`${path}/sign`)
  await approveDemoOrder(context, order.presentation.open_url, seeded.owner)
  tick()
  const { body: signed } = await owner.post(`${path}/sign/${order.order_id}/collect`)
  await inTurn(
    () => owner.post(`${path}/rotate`, { overlap_hours: 12 }),
    () => owner.post(`${path}/revoke`),
    () => owner.post(`${path}/revoke`),
  )
  const events = (await done()).filter(({ subject }) => subject.kind === 'connection')
  expect(events.map(({ action, subject, details }) => [action, subject, details])).toEqual([
    ['connection_created', { kind: 'connection', id, name: 'Ledger nightly' }, { kind: 'production' }],
    [
      'connection_signed',
      { kind: 'connection', id, name: 'Ledger nightly' },
      { kind: 'production', signature_id: signed.connection.signature_id },
    ],
    ['connection_rotated', { kind: 'connection', id, name: 'Ledger nightly' }, { overlap_hours: 12 }],
    ['connection_revoked', { kind: 'connection', id, name: 'Ledger nightly' }, {}],
  ])
  expect(JSON.stringify(await done())).not.toMatch(/n(?:cs|sk|at|ws|iv)_/)
})

test('invitations, joins, role changes, departures and removals are listed, without any personal number', async () => {
  const personal_number = testPersonalNumber()
  tick()
  const { body: invited } = await owner.post(`${company}/members`, {
    personal_number,
    role: 'reader',
    label: 'Revisor',
  })
  const member = `${company}/members/${invited.member_id}`
  tick()
  const { body: made } = await owner.post(`${company}/invitations`, { role: 'developer', label: 'Anna' })
  const token = made.link.split('#')[1]
  const anna = await signInConsole(app, context, { personalNumber: testPersonalNumber(), name: 'Anna Ny' })
  const annaId = (await anna.get('/console/session')).body.member_id
  await inTurn(
    () => anna.post('/console/invitations/accept', { token }),
    () => owner.patch(member, { role: 'developer' }),
    () => owner.patch(member, { role: 'developer' }),
    () => owner.delete(member),
    () => anna.delete(`${company}/members/${annaId}`),
  )
  tick()
  const { body: other } = await owner.post(`${company}/invitations`, { role: 'owner' })
  await inTurn(() => owner.post(`${company}/invitations/${other.invitation.invitation_id}/withdraw`))
  const events = await done()
  expect(
    events.map(({ action, member: by, subject, details }) => [action, by?.name, subject.name, details]),
  ).toEqual([
    ['member_invited', 'Olivia Ägare', 'Revisor', { role: 'reader' }],
    ['invitation_created', 'Olivia Ägare', 'Anna', { role: 'developer' }],
    [
      'member_joined',
      'Anna Ny',
      'Anna Ny',
      { role: 'developer', invitation_id: made.invitation.invitation_id },
    ],
    ['member_role_changed', 'Olivia Ägare', 'Revisor', { role: 'developer', previous_role: 'reader' }],
    ['member_removed', 'Olivia Ägare', 'Revisor', { role: 'developer' }],
    ['member_left', 'Anna Ny', 'Anna Ny', { role: 'developer' }],
    ['invitation_created', 'Olivia Ägare', null, { role: 'owner' }],
    ['invitation_withdrawn', 'Olivia Ägare', null, { role: 'owner' }],
  ])
  expect(events[5]!.member!.is_member).toBe(false)
  expect(JSON.stringify(events)).not.toContain(personal_number)
})

test('refused and failed acts are not listed as done', async () => {
  const developer = await signInConsole(app, context, await seedMember(context, seeded.company.companyId))
  const { connectionId } = await seedConnection(context, { ...seeded, signed: false })
  const before = await done()
  expect((await developer.post(`${company}/invitations`, { role: 'owner' })).status).toBe(403)
  expect((await owner.post(`${company}/connections/${connectionId}/rotate`)).status).toBe(409)
  expect((await owner.delete(`${company}/members/${seeded.owner.memberId}`)).status).toBe(409)
  expect(await done()).toEqual(before)
})

test('a company released from another one’s connection finds that in its own list', async () => {
  const other = await seedCompany(context, { name: 'Annan AB' })
  const maker = await seedMember(context, other.company.companyId, { role: 'developer' })
  await seedMember(context, seeded.company.companyId, {
    role: 'developer',
    personalNumber: maker.personalNumber,
  })
  const { connectionId } = await seedConnection(context, {
    company: other.company,
    owner: maker,
    furtherCompanyIds: [seeded.company.companyId],
  })
  await inTurn(() => owner.post(`${company}/connections/${connectionId}/release`))
  expect((await done()).at(-1)).toMatchObject({
    action: 'connection_released',
    subject: { id: connectionId, name: 'Connector' },
    details: { company: 'Annan AB' },
  })
})

test('the list and the file are filtered by what it is about, who did it, and days of the company', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId)
  const developer = await seedMember(context, seeded.company.companyId)
  // Midnight in Stockholm is at 23:00.
  context.clock.set('2026-11-23T22:59:00Z')
  const other = await signInConsole(app, context, developer)
  owner = await signInConsole(app, context, seeded.owner)
  await other.post(`${company}/sources/${sourceId}/pause`)
  context.clock.set('2026-11-23T23:01:00Z')
  await owner.post(`${company}/sources/${sourceId}/resume`)
  const list = async (query: string) =>
    (await owner.get(`${company}/audit?${query}`)).body.events.map(({ action }: Event) => action)
  expect(await list('kind=source&from=2026-11-23')).toEqual(['source_resumed', 'source_paused'])
  expect(await list('kind=source&from=2026-11-23&to=2026-11-24')).toEqual(['source_paused'])
  expect(await list('kind=source&from=2026-11-24')).toEqual(['source_resumed'])
  expect(await list(`member=${developer.memberId}&kind=source`)).toEqual(['source_paused'])
  const file = await owner.get(`${company}/audit.ndjson?kind=source&from=2026-11-24`)
  expect(JSON.stringify(file.body ?? file)).toContain('source_resumed')
  expect(JSON.stringify(file.body ?? file)).not.toContain('source_paused')
  const wrong = await owner.get(`${company}/audit?from=2026-11-24&to=2026-11-24`)
  expect(wrong).toMatchObject({ status: 400, body: { field: 'from' } })
})

test('a long list is read page by page, the newest first', async () => {
  const source = await seedWebhookSource(context, seeded.company.companyId)
  for (let round = 0; round < 3; round++) {
    context.clock.advance(repeatedActMs + 1)
    owner = await signInConsole(app, context, seeded.owner)
    await inTurn(() => owner.post(`${company}/sources/${source.sourceId}/rotate-signing-secret`))
  }
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const { body } = await owner.get(`${company}/audit?limit=2${query}`)
    seen.push(...body.events.map((event: Event) => event.at))
    cursor = body.next_cursor
  } while (cursor !== null)
  expect(seen).toHaveLength(5)
  expect(seen).toEqual(seen.toSorted().toReversed())
  expect((await owner.get(`${company}/audit?cursor=x`)).body.field).toBe('cursor')
})

test('what is done a hundred times is two entries with a count, and buries nothing', async () => {
  const source = await seedSource(context, seeded.company.companyId)
  const developer = await seedMember(context, seeded.company.companyId, { role: 'developer' })
  const other = await signInConsole(app, context, developer)
  const path = `${company}/sources/${source.sourceId}`
  await inTurn(() => other.post(`${path}/pause`))
  for (let round = 0; round < 50; round++) {
    await inTurn(
      () => owner.post(`${path}/resume`),
      () => owner.post(`${path}/pause`),
    )
  }
  const events = (await done()).filter(({ subject }) => subject.id === source.sourceId).slice(-3)
  expect(events.map(({ action, count, at, last_at }) => [action, count, at, last_at])).toEqual([
    ['source_paused', 1, '2026-11-21T13:07:01.000Z', '2026-11-21T13:07:01.000Z'],
    ['source_resumed', 50, '2026-11-21T13:07:02.000Z', '2026-11-21T13:08:40.000Z'],
    ['source_paused', 50, '2026-11-21T13:07:03.000Z', '2026-11-21T13:08:41.000Z'],
  ])
})

test('the same an hour after the last time, and for another reason, is an entry of its own', async () => {
  const { sourceId } = await seedSource(context, seeded.company.companyId)
  const pause = async (atMs: number, reason: string): Promise<void> => {
    context.clock.set(new Date(beginMs + atMs).toISOString())
    await pauseSource(context, seeded.owner, seeded.company.companyId, sourceId, reason)
    await resumeSource(context, 'operator', seeded.company.companyId, sourceId)
  }
  const beginMs = context.clock.now()
  await pause(0, 'Stocktaking')
  await pause(repeatedActMs, 'Stocktaking')
  await pause(2 * repeatedActMs, 'Stocktaking')
  await pause(2 * repeatedActMs, 'A fault')
  await pause(3 * repeatedActMs + 1, 'Stocktaking')
  owner = await signInConsole(app, context, seeded.owner)
  const events = (await done()).filter(({ action }) => action === 'source_paused')
  const told = events.map(({ count, details }) => `${count} ${String(details['reason'])}`)
  expect(told.toSorted()).toEqual(['1 A fault', '1 Stocktaking', '3 Stocktaking'])
})
