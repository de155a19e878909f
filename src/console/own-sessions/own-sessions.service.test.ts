import { beforeEach, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedCompany, seedMember, type SeededCompany } from '../../../testing/in-process/seed.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const minuteMs = 60_000
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
})

const isSignedIn = async (client: ConsoleClient): Promise<boolean> =>
  (await client.get('/console/session')).status === 200

interface Listed {
  session_id: string
  current: boolean
  browser: string | null
  last_active_at: string
}
const listed = async (client: ConsoleClient): Promise<Listed[]> =>
  (await client.get('/console/sessions')).body.sessions

describe('A session that is not used', () => {
  test('ends after an hour, and one that is used does not', async () => {
    const used = await signInConsole(app, context, seeded.owner)
    context.clock.advance(59 * minuteMs)
    expect(await isSignedIn(used)).toBe(true)
    context.clock.advance(minuteMs)
    expect([await isSignedIn(owner), await isSignedIn(used)]).toEqual([false, true])
  })

  test('ends although its page keeps calling while no one touches it', async () => {
    for (let minute = 0; minute < 50; minute += 10) {
      context.clock.advance(10 * minuteMs)
      expect((await owner.get('/console/session', { 'x-page-idle': 'yes' })).status).toBe(200)
    }
    context.clock.advance(10 * minuteMs)
    expect((await owner.get('/console/session', { 'x-page-idle': 'yes' })).status).toBe(401)
  })

  test('ends although its page opens its stream of events again and again', async () => {
    for (let minute = 0; minute < 50; minute += 10) {
      context.clock.advance(10 * minuteMs)
      // Let in, it asks for the header that says that a stream is wanted.
      expect((await owner.get(`${company}/deliveries/events`)).status).toBe(400)
    }
    context.clock.advance(10 * minuteMs)
    expect((await owner.get(`${company}/deliveries/events`)).status).toBe(401)
  })

  test('ends as soon as the operator ends it', async () => {
    const strict = await buildApp(
      createTestContext(database.pool, {
        clock: context.clock,
        environment: { NUMERA_SESSION_IDLE_MINUTES: '10' },
      }),
    )
    const client = await signInConsole(strict, context, seeded.owner)
    context.clock.advance(10 * minuteMs - 1)
    expect(await isSignedIn(client)).toBe(true)
    context.clock.advance(10 * minuteMs)
    expect(await isSignedIn(client)).toBe(false)
    await strict.close()
  })
})

const writes = async (): Promise<string> => {
  const { rows } = await database.pool.query<{ seen: string }>(
    `select string_agg(xmin::text, ' ') as seen from sessions where member_id = $1`,
    [seeded.owner.memberId],
  )
  return rows[0]!.seen
}

test('however many calls there are, a session is written once a minute', async () => {
  const before = await writes()
  context.clock.advance(minuteMs - 1)
  await Promise.all(Array.from({ length: 10 }, () => isSignedIn(owner)))
  expect(await writes()).toBe(before)
  context.clock.advance(1)
  await isSignedIn(owner)
  const after = await writes()
  expect(after).not.toBe(before)
  await Promise.all(Array.from({ length: 10 }, () => isSignedIn(owner)))
  expect(await writes()).toBe(after)
})

describe('The list of one’s sessions', () => {
  test('tells sessions apart, and reveals nothing that opens one', async () => {
    context.clock.advance(minuteMs)
    const other = await signInConsole(app, context, seeded.owner)
    context.clock.advance(1_000)
    const { body } = await owner.get('/console/sessions')
    expect(body).toEqual({
      sessions: [
        {
          session_id: expect.any(String),
          current: true,
          browser: null,
          system: null,
          network: null,
          provider: 'demo',
          signed_in_at: '2026-11-21T13:00:00.000Z',
          last_active_at: '2026-11-21T13:01:01.000Z',
        },
        expect.objectContaining({ current: false, signed_in_at: '2026-11-21T13:01:00.000Z' }),
      ],
    })
    for (const client of [owner, other]) {
      expect(JSON.stringify(body)).not.toContain(client.cookies.get('numera_session'))
    }
  })

  test('has neither those of others nor those that have ended', async () => {
    await signInConsole(app, context, await seedMember(context, seeded.company.companyId))
    context.clock.advance(30 * minuteMs)
    await isSignedIn(owner)
    await signInConsole(app, context, seeded.owner)
    expect(await listed(owner)).toHaveLength(2)
    context.clock.advance(50 * minuteMs)
    await isSignedIn(owner)
    context.clock.advance(30 * minuteMs)
    expect(await listed(owner)).toMatchObject([{ current: true }])
  })

  test('has one for each browser: who signs in again there ends the session from before', async () => {
    const stolen = owner.cookies.get('numera_session')!
    const again = await signInAgain(owner)
    expect(await listed(again)).toHaveLength(1)
    again.cookies.set('numera_session', stolen)
    expect(await isSignedIn(again)).toBe(false)
  })
})

/** As the same person, in the same browser. */
const signInAgain = async (client: ConsoleClient): Promise<ConsoleClient> => {
  const { body: order } = await client.post('/console/sign-in', {}, {})
  const { personalNumber, name } = seeded.owner
  await app.inject({
    method: 'POST',
    url: order.presentation.open_url,
    payload: { answer: 'approve', personal_number: personalNumber, name },
  })
  const { body } = await client.post(`/console/sign-in/${order.order_id}/collect`, {}, {})
  expect(body.state).toBe('complete')
  return client
}

describe('Signing out', () => {
  test('one session leaves the others', async () => {
    const lost = await signInConsole(app, context, seeded.owner)
    const { session_id } = (await listed(lost)).find(({ current }) => current)!
    expect((await owner.post(`/console/sessions/${session_id}/sign-out`)).status).toBe(204)
    expect([await isSignedIn(lost), await isSignedIn(owner)]).toEqual([false, true])
    expect((await owner.post(`/console/sessions/${session_id}/sign-out`)).status).toBe(404)
  })

  test('another person’s session is not found', async () => {
    const other = await signInConsole(app, context, await seedMember(context, seeded.company.companyId))
    const [theirs] = await listed(other)
    expect((await owner.post(`/console/sessions/${theirs!.session_id}/sign-out`)).status).toBe(404)
    expect(await isSignedIn(other)).toBe(true)
  })

  test('everywhere ends all sessions of the person and no one else’s, and each company that they have opened keeps a record', async () => {
    const { companyId } = (await seedCompany(context, { name: 'Andra AB' })).company
    await seedMember(context, companyId, { role: 'reader', personalNumber: seeded.owner.personalNumber })
    const colleague = await seedMember(context, seeded.company.companyId, { role: 'owner' })
    const others = await signInConsole(app, context, colleague)
    const second = await signInConsole(app, context, seeded.owner)
    for (const opened of [company, `/console/companies/${companyId}`]) await second.get(opened)
    expect((await second.post('/console/sessions/sign-out')).status).toBe(204)
    expect(second.cookies.has('numera_session')).toBe(false)
    expect([await isSignedIn(owner), await isSignedIn(others)]).toEqual([false, true])
    const { rows } = await database.pool.query(
      `select company_id from audit_events where action = 'signed_out_everywhere' and member_id = $1`,
      [seeded.owner.memberId],
    )
    expect(new Set(rows.map(({ company_id }) => company_id))).toEqual(
      new Set([companyId, seeded.company.companyId]),
    )
  })
})
