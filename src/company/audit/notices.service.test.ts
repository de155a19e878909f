import { beforeEach, expect, test } from 'vitest'
import { rotateSigningSecret } from '../sources/signing-secrets/rotate-signing-secret.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  seedCompany,
  seedConnection,
  seedMember,
  seedWebhookSource,
  testPersonalNumber,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const dayMs = 24 * 60 * 60_000
const { database, context, app } = await startTestService()

let seeded: SeededCompany
let owner: ConsoleClient
let company: string
beforeEach(async () => {
  context.clock.set('2026-11-21T13:00:00Z')
  await database.pool.query('delete from rate_buckets')
  seeded = await seedCompany(context)
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${seeded.company.companyId}`
  // That the operator has added the owner.
  await database.pool.query('delete from audit_events')
})

interface Notice {
  company_id: string
  event: { event_id: string; action: string; member: { name: string } | null; subject: { name: string } }
}
const noticesFor = async (client: ConsoleClient): Promise<Notice[]> =>
  (await client.get('/console/session')).body.notices
const actionsFor = async (client: ConsoleClient): Promise<string[]> =>
  (await noticesFor(client)).map(({ event }) => event.action)

/** Each a moment after the one before, so that they have an order. */
const inTurn = async (...calls: (() => Promise<{ status: number }>)[]): Promise<void> => {
  for (const call of calls) {
    context.clock.advance(1_000)
    expect((await call()).status).toBeLessThan(300)
  }
}

/** Each of another source: the same act again would be one entry with a count. */
const rotateOften = async (times: number): Promise<void> => {
  for (let time = 0; time < times; time++) {
    const { sourceId } = await seedWebhookSource(context, seeded.company.companyId)
    context.clock.advance(1_000)
    await rotateSigningSecret(context, 'operator', seeded.company.companyId, sourceId)
  }
}

test('owners get a notice of who was given access and what was rotated, and of nothing else', async () => {
  const { connectionId } = await seedConnection(context, seeded)
  const { sourceId } = await seedWebhookSource(context, seeded.company.companyId)
  const { memberId } = await seedMember(context, seeded.company.companyId, { role: 'reader' })
  await inTurn(
    () => owner.post(`${company}/members`, { personal_number: testPersonalNumber(), role: 'developer' }),
    () => owner.post(`${company}/members`, { personal_number: testPersonalNumber(), role: 'owner' }),
    () => owner.post(`${company}/invitations`, { role: 'reader' }),
    () => owner.post(`${company}/invitations`, { role: 'owner' }),
    () => owner.patch(`${company}/members/${memberId}`, { role: 'developer' }),
    () => owner.patch(`${company}/members/${memberId}`, { role: 'owner' }),
    () => owner.post(`${company}/sources/${sourceId}/pause`),
    () => owner.post(`${company}/sources/${sourceId}/rotate-signing-secret`),
    () => owner.post(`${company}/connections/${connectionId}/rotate`),
  )
  const colleague = await seedMember(context, seeded.company.companyId, { role: 'owner' })
  // That the operator has added them.
  await database.pool.query(`delete from audit_events where member_id is null`)
  const others = await signInConsole(app, context, colleague)
  // Of a company, five at a time, the oldest first.
  expect(await actionsFor(others)).toEqual([
    'member_invited',
    'invitation_created',
    'member_role_changed',
    'source_secret_rotated',
    'connection_rotated',
  ])
  expect((await noticesFor(others)).at(-1)).toMatchObject({
    company_id: seeded.company.companyId,
    event: { member: { name: 'Olivia Ägare' }, subject: { kind: 'connection', name: 'Connector' } },
  })
})

test('owners get a notice that one of the company’s members signed out everywhere', async () => {
  const developer = await seedMember(context, seeded.company.companyId, { name: 'Dan Dator' })
  const client = await signInConsole(app, context, developer)
  await client.get(company)
  await inTurn(() => client.post('/console/sessions/sign-out'))
  expect(await noticesFor(owner)).toMatchObject([
    { event: { action: 'signed_out_everywhere', member: { name: 'Dan Dator' } } },
  ])
})

test('members who are not owners get no notices', async () => {
  await rotateOften(1)
  for (const role of ['developer', 'reader'] as const) {
    const member = await seedMember(context, seeded.company.companyId, { role })
    expect(await noticesFor(await signInConsole(app, context, member))).toEqual([])
  }
})

test('an owner who dismisses notices does so for themselves alone, and new ones come', async () => {
  const others = await signInConsole(
    app,
    context,
    await seedMember(context, seeded.company.companyId, { role: 'owner' }),
  )
  await database.pool.query('delete from audit_events')
  await rotateOften(1)
  const [notice] = await noticesFor(owner)
  const dismiss = () => owner.post(`${company}/notices/dismiss`, { through: notice!.event.event_id })
  expect((await dismiss()).status).toBe(204)
  expect([await noticesFor(owner), await noticesFor(others)]).toMatchObject([[], [{}]])
  await rotateOften(1)
  expect(await noticesFor(owner)).toHaveLength(1)
  // An earlier one again brings none back.
  expect((await dismiss()).status).toBe(204)
  expect(await noticesFor(owner)).toHaveLength(1)
})

test('an act that is repeated after its notice was dismissed is shown again, with its count', async () => {
  const { sourceId } = await seedWebhookSource(context, seeded.company.companyId)
  const rotate = async (): Promise<Notice> => {
    context.clock.advance(1_000)
    await rotateSigningSecret(context, 'operator', seeded.company.companyId, sourceId)
    return (await noticesFor(owner))[0]!
  }
  await owner.post(`${company}/notices/dismiss`, { through: (await rotate()).event.event_id })
  expect(await noticesFor(owner)).toEqual([])
  expect(await rotate()).toMatchObject({ event: { action: 'source_secret_rotated', count: 2 } })
})

test('however many there are, none is dismissed that was not shown', async () => {
  await rotateOften(7)
  const shown = await noticesFor(owner)
  expect(shown).toHaveLength(5)
  await owner.post(`${company}/notices/dismiss`, { through: shown.at(-1)!.event.event_id })
  expect(await noticesFor(owner)).toHaveLength(2)
})

test('notices that are still to come cannot be dismissed', async () => {
  const { body } = await owner.post(`${company}/notices/dismiss`, {
    through: 'ffffffff-ffff-7fff-bfff-ffffffffffff',
  })
  expect(body.code).toBe('not_found')
})

test('a notice is shown for 14 days', async () => {
  await rotateOften(1)
  context.clock.advance(14 * dayMs)
  expect(await noticesFor(await signInConsole(app, context, seeded.owner))).toHaveLength(1)
  context.clock.advance(1_000)
  expect(await noticesFor(await signInConsole(app, context, seeded.owner))).toEqual([])
})

test('a new member who has not opened the company has the name that the owner gave them', async () => {
  const known = { personalNumber: testPersonalNumber(), name: 'Hemlig Hemligsson' }
  await signInConsole(app, context, known)
  context.clock.advance(1_000)
  await owner.post(`${company}/members`, {
    personal_number: known.personalNumber,
    role: 'owner',
    label: 'Vår revisor',
  })
  expect(await noticesFor(owner)).toMatchObject([{ event: { subject: { name: 'Vår revisor' } } }])
  await (await signInConsole(app, context, known)).get(`${company}/sources`)
  expect(await noticesFor(owner)).toMatchObject([{ event: { subject: { name: 'Hemlig Hemligsson' } } }])
})
