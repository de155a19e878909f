import { once } from 'node:events'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { signInWith } from '../../../testing/process/console-client.ts'
import {
  approveDemoOrder,
  seedCompany,
  seedMember,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { auditKeptMs, deleteOldDeploymentEvents } from './expiry.ts'
import { createAuditDownload } from './download-audit.ts'
import { listDeploymentEvents } from './list-deployment-events.ts'
import { recordAuditEvent } from './record-audit-event.ts'
import { recordDeploymentEvent } from './record-deployment-event.ts'

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
  await owner.get(company)
})

interface Event {
  action: string
  count: number
  at: string
  last_at: string
  member: { member_id: string; name: string } | null
  details: Record<string, unknown>
}
const listEvents = async (client = owner, of = company): Promise<Event[]> =>
  (await client.get(`${of}/audit?limit=200`)).body.events.toReversed()

/** In the audit of the seeded company, after the operator has added its owner. */
const listActs = async () =>
  (await listEvents()).slice(1).map(({ action, count, details }) => [action, count, details])

/** Of about a kilobyte each. */
const insertEvents = async (count: number): Promise<void> => {
  await database.pool.query(
    `insert into audit_events (company_id, event_id, occurred_at, action, subject_kind, subject_id, details)
     select $1::uuid, ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, now(), 'source_paused', 'source',
       $1::uuid, jsonb_build_object('reason', repeat('x', 900))
     from generate_series(1, $2) i`,
    [seeded.company.companyId, count],
  )
}

describe('The file of the audit', () => {
  test('has every event once with all fields, oldest first, and the download as the last', async () => {
    await insertEvents(1_234)
    // Events of the same moment are in no order.
    context.clock.advance(1_000)
    const answer = await owner.get(`${company}/audit.ndjson`)
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="audit.ndjson"',
      },
    })
    const lines: string[] = answer.body.trimEnd().split('\n')
    const events: Event[] = lines.map((line) => JSON.parse(line))
    expect(events).toHaveLength(1_236)
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(1_236)
    expect(events.at(-1)).toMatchObject({
      action: 'audit_downloaded',
      member: { member_id: seeded.owner.memberId },
    })
    expect(events.slice(-200)).toEqual(await listEvents())
  })

  test('is of one moment and of bounded memory, however slowly it is read, and is sent once at a time', async () => {
    await insertEvents(5_000)
    const download = createAuditDownload(context)
    const file = await download(seeded.owner, seeded.company.companyId)
    await once(file, 'readable')
    await new Promise((resolve) => setTimeout(resolve, 200))
    // 200 rows of five thousand.
    expect(file.readableLength).toBeLessThan(400_000)
    await expect(download(seeded.owner, seeded.company.companyId)).rejects.toThrow('other audit files')
    await recordAuditEvent(context.pool, {
      companyId: seeded.company.companyId,
      actor: 'operator',
      action: 'source_rebuilt',
      subject: { kind: 'source', id: seeded.company.companyId, name: null },
      atMs: context.clock.now(),
    })
    const text = Buffer.concat(await file.toArray()).toString()
    expect(text.trimEnd().split('\n')).toHaveLength(5_002)
    expect(text).not.toContain('source_rebuilt')
    // A reader who leaves frees the place.
    const left = await download(seeded.owner, seeded.company.companyId)
    left.destroy()
    const again = await vi.waitFor(() => download(seeded.owner, seeded.company.companyId), {
      timeout: 10_000,
    })
    again.destroy()
  })
})

describe('Signing in and out', () => {
  test('is recorded with the electronic identity and how the session ended', async () => {
    const [first, second] = [await signInConsole(app, context, seeded.owner), owner]
    context.clock.advance(1_000)
    const { body } = await second.get('/console/sessions')
    const other = body.sessions.find(({ current }: { current: boolean }) => !current)
    expect((await second.post(`/console/sessions/${other.session_id}/sign-out`)).status).toBe(204)
    expect((await first.get('/console/session')).status).toBe(401)
    context.clock.advance(1_000)
    await second.post('/console/sign-out')
    context.clock.advance(1_000)
    owner = await signInConsole(app, context, seeded.owner)
    expect(await listActs()).toEqual([
      ['session_ended', 1, { by: 'member' }],
      ['signed_out', 1, {}],
      // The one before, and the one that reads this.
      ['signed_in', 2, { provider: 'demo' }],
    ])
  })

  test('in a browser where another person was signed in ends their session, which is recorded too', async () => {
    const colleague = await seedMember(context, seeded.company.companyId, { role: 'owner' })
    context.clock.advance(1_000)
    const same = await signInWith(owner, (openUrl) => approveDemoOrder(context, openUrl, colleague))
    await same.get(company)
    expect(await listEvents(same)).toMatchObject([
      {},
      {},
      { action: 'session_ended', member: { member_id: seeded.owner.memberId }, details: { by: 'sign_in' } },
    ])
  })

  test('is shown to owners of companies that the person has opened, and says nothing of others', async () => {
    const there = await seedCompany(context, { name: 'Andra AB' })
    const elsewhere = await signInConsole(app, context, there.owner)
    const pages = `/console/companies/${there.company.companyId}`
    const { personalNumber } = seeded.owner
    await seedMember(context, there.company.companyId, { role: 'reader', personalNumber })
    const known = (await listEvents(elsewhere, pages)).length
    // Their owner knows a number only, and must not learn that its person exists.
    await signInConsole(app, context, seeded.owner)
    await owner.get(`${pages}/members`)
    await owner.post('/console/sessions/sign-out')
    expect(await listEvents(elsewhere, pages)).toHaveLength(known)

    owner = await signInConsole(app, context, seeded.owner)
    await owner.get(pages)
    context.clock.advance(1_000)
    owner = await signInConsole(app, context, seeded.owner)
    await owner.get(`${company}/audit.ndjson`)
    const seen = (await listEvents(elsewhere, pages)).slice(known)
    expect(seen.map(({ action }) => action)).toEqual(['signed_in'])
    expect(JSON.stringify(seen)).not.toContain(seeded.company.companyId)
  })
})

test('what a member may not do is counted in the audit of the company, and a forged request is not', async () => {
  const readApp = await buildApp(context, { recordEveryMs: 10 })
  const reader = await seedMember(context, seeded.company.companyId, { role: 'reader' })
  const client = await signInConsole(readApp, context, reader)
  await client.get(company)
  for (let time = 0; time < 50; time++) {
    context.clock.advance(10)
    expect((await client.get(`${company}/members`)).status).toBe(403)
  }
  expect((await client.send('POST', `${company}/sources`, {}, { 'x-csrf-token': 'forged' })).status).toBe(403)
  expect((await client.get(`/console/companies/${crypto.randomUUID()}/members`)).status).toBe(404)
  await readApp.close()
  const refused = (await listEvents()).filter(({ action }) => action === 'act_refused')
  expect(refused).toMatchObject([
    {
      count: 50,
      at: '2026-11-21T13:07:00.010Z',
      last_at: '2026-11-21T13:07:00.500Z',
      member: { member_id: reader.memberId },
      details: { operation: 'listMembers' },
    },
  ])
})

test('what was done to the deployment is listed for the operator, a page at a time, for 400 days', async () => {
  await recordDeploymentEvent(context, context.pool, 'backed_up', { bytes: 10 })
  context.clock.advance(1_000)
  await recordDeploymentEvent(context, context.pool, 'restored')
  const first = await listDeploymentEvents(context, { limit: 1 })
  expect(first.items).toMatchObject([{ action: 'restored', details: {} }])
  const second = await listDeploymentEvents(context, { limit: 1, cursor: first.nextCursor! })
  expect(second).toMatchObject({ items: [{ action: 'backed_up', details: { bytes: 10 } }], nextCursor: null })
  await deleteOldDeploymentEvents(context, context.clock.now() + auditKeptMs)
  expect((await listDeploymentEvents(context)).items).toMatchObject([{ action: 'restored' }])
})
