import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  seedWebhookSource,
  testPersonalNumber,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { saveSource } from '../../../testing/process/save-source.ts'

const minuteMs = 60_000
const { database, context, app } = await startTestService()

let seeded: SeededCompany
let owner: ConsoleClient
let company: string
beforeEach(async () => {
  await database.pool.query('delete from rate_buckets')
  seeded = await seedCompany(context)
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${seeded.company.companyId}`
})

const doneInCompany = async (): Promise<unknown[]> =>
  (
    await database.pool.query('select event_id from audit_events where company_id = $1 order by 1', [
      seeded.company.companyId,
    ])
  ).rows

/** Gives each time another act, since each can be done once. */
type Act = () => Promise<(client: ConsoleClient) => Promise<{ status: number; body: { code?: string } }>>

const inviteAs =
  (role: string): Act =>
  async () => {
    const personal_number = testPersonalNumber()
    return (client) => client.post(`${company}/members`, { personal_number, role })
  }
const linkAs =
  (role: string): Act =>
  async () =>
  (client) =>
    client.post(`${company}/invitations`, { role })
const changeTo =
  (role: string): Act =>
  async () => {
    const { memberId } = await seedMember(context, seeded.company.companyId)
    return (client) => client.patch(`${company}/members/${memberId}`, { role })
  }

const acts: Record<string, Act> = {
  'inviting an owner': inviteAs('owner'),
  'a link for an owner': linkAs('owner'),
  'giving a member the role owner': changeTo('owner'),
  'rotating a connection': async () => {
    const { connectionId } = await seedConnection(context, seeded)
    return (client) => client.post(`${company}/connections/${connectionId}/rotate`)
  },
  'rotating a signing secret': async () => {
    const { sourceId } = await seedWebhookSource(context, seeded.company.companyId)
    return (client) => client.post(`${company}/sources/${sourceId}/rotate-signing-secret`)
  },
  'a signing secret for a source that had none': async () => {
    const { sourceId } = await seedSource(context, seeded.company.companyId)
    return (client) => saveSource(client, `${company}/sources/${sourceId}`, { channel: 'webhook' })
  },
}

describe.each(Object.entries(acts))('%s', (_what, act) => {
  test('needs a sign-in of the last 30 minutes, and otherwise changes nothing', async () => {
    const [late, intime] = [await act(), await act()]
    context.clock.advance(30 * minuteMs - 1)
    expect((await intime(owner)).status).toBeLessThan(300)
    context.clock.advance(1)
    const before = await doneInCompany()
    expect(await late(owner)).toMatchObject({ status: 403, body: { code: 'sign_in_again' } })
    expect(await doneInCompany()).toEqual(before)
    const again = await signInConsole(app, context, seeded.owner)
    expect((await late(again)).status).toBeLessThan(300)
  })
})

test.each(
  Object.entries({
    'inviting a developer': inviteAs('developer'),
    'a link for a reader': linkAs('reader'),
    'giving a member another role than owner': changeTo('reader'),
  }),
)('%s needs no recent sign-in', async (_what, act) => {
  const done = await act()
  context.clock.advance(50 * minuteMs)
  expect((await done(owner)).status).toBeLessThan(300)
})

test('a member without the role is refused, and need not sign in again', async () => {
  const developer = await signInConsole(app, context, await seedMember(context, seeded.company.companyId))
  context.clock.advance(40 * minuteMs)
  for (const what of ['inviting an owner', 'a link for an owner', 'giving a member the role owner']) {
    const done = await acts[what]!()
    expect(await done(developer)).toMatchObject({ status: 403, body: { code: 'permission_denied' } })
  }
})

test('using a session does not make its sign-in recent', async () => {
  const done = await acts['inviting an owner']!()
  for (let minute = 0; minute < 40; minute += 5) {
    context.clock.advance(5 * minuteMs)
    await owner.get('/console/session')
  }
  expect((await done(owner)).body.code).toBe('sign_in_again')
})

test('the operator configures how recent a sign-in must be', async () => {
  const strict = await buildApp(
    createTestContext(database.pool, {
      clock: context.clock,
      environment: { NUMERA_RECENT_SIGN_IN_MINUTES: '5' },
    }),
  )
  const done = await acts['inviting an owner']!()
  const client = await signInConsole(strict, context, seeded.owner)
  context.clock.advance(5 * minuteMs)
  expect(await done(client)).toMatchObject({
    status: 403,
    body: { code: 'sign_in_again', message: expect.stringContaining('the last 5 minutes') },
  })
  await strict.close()
})

test('a session is not recent if the provider states no authentication time', async () => {
  await database.pool.query('update sessions set authenticated_at = null')
  const done = await acts['inviting an owner']!()
  expect((await done(owner)).body.code).toBe('sign_in_again')
})
