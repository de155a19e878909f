import { beforeEach, expect, test } from 'vitest'
import { pauseSource } from '../../company/sources/pause-source.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import { seedCompany, seedMember, seedSource, type SeededCompany } from '../../../testing/in-process/seed.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'

const { database, context, app } = await startTestService()

let seeded: SeededCompany
beforeEach(async () => {
  context.clock.set('2026-11-21T12:00:00Z')
  seeded = await seedCompany(context, { name: 'Ekeby Handel AB' })
})

/** A source with deliveries at these hours before now. */
const seedRhythm = async (hoursAgo: number[], options: { sandbox?: boolean } = {}) => {
  const { companyId } = seeded.company
  const source = await seedSource(context, companyId)
  for (const hours of hoursAgo) {
    const receivedAt = new Date(context.clock.now() - hours * 3_600_000).toISOString()
    await storeDelivery(database.pool, { companyId, sourceId: source.sourceId }, [], {
      receivedAt,
      queued: false,
      ...options,
    })
  }
  return source
}

const companies = async (person = seeded.owner) =>
  (await (await signInConsole(app, context, person)).get('/console/companies')).body.companies

test('a source is late once it has been silent for three times as long as it usually is', async () => {
  expect(await companies()).toMatchObject([
    { name: 'Ekeby Handel AB', role: 'owner', late_sources: 0, last_received_at: null },
  ])
  // Every day, and the last one two days ago.
  await seedRhythm([144, 120, 96, 72, 48])
  expect(await companies()).toMatchObject([{ late_sources: 0, last_received_at: '2026-11-19T12:00:00.000Z' }])
  const late = await seedRhythm([169, 145, 121, 97, 73])
  expect(await companies()).toMatchObject([{ late_sources: 1 }])
  // One long pause says nothing about the rhythm.
  await seedRhythm([1_000, 97, 96.5, 96, 95.9])
  expect(await companies()).toMatchObject([{ late_sources: 2 }])
  await pauseSource(context, 'operator', seeded.company.companyId, late.sourceId)
  expect(await companies()).toMatchObject([{ late_sources: 1 }])
})

test('a source that sends in bursts is not late within minutes of one', async () => {
  const burst = [0, 0.004, 0.008, 0.012]
  const bursts = (...hoursAgo: number[]) => hoursAgo.flatMap((hours) => burst.map((later) => hours - later))
  await seedRhythm(bursts(4, 3, 2, 1))
  expect(await companies()).toMatchObject([{ late_sources: 0 }])
  await seedRhythm(bursts(7, 6, 5, 4))
  expect(await companies()).toMatchObject([{ late_sources: 1 }])
})

test('two deliveries are no rhythm, test deliveries are none either, and after a burst a source is not late a moment later', async () => {
  await seedRhythm([1_000, 900])
  await seedRhythm([1_000, 999, 998, 997], { sandbox: true })
  await seedRhythm([0.04, 0.04, 0.04, 0.04])
  expect(await companies()).toMatchObject([{ late_sources: 0 }])
})

test('a member finds each of their companies by name, with their role, and no other', async () => {
  const other = await seedCompany(context, { name: 'Almby AB' })
  await seedCompany(context, { name: 'Främmande AB' })
  const { personalNumber } = seeded.owner
  const person = await seedMember(context, other.company.companyId, {
    role: 'reader',
    personalNumber,
    name: 'Olivia Ägare',
  })
  expect(
    (await companies(person)).map((each: { name: string; role: string }) => [each.name, each.role]),
  ).toEqual([
    ['Almby AB', 'reader'],
    ['Ekeby Handel AB', 'owner'],
  ])
})

test('every member sees whom to ask: the names of the owners', async () => {
  const reader = await seedMember(context, seeded.company.companyId, { role: 'reader' })
  const first = await signInConsole(app, context, seeded.owner)
  await first.get(`/console/companies/${seeded.company.companyId}`)
  context.clock.advance(1)
  const second = await seedMember(context, seeded.company.companyId, { role: 'owner' })
  const browser = await signInConsole(app, context, reader)
  expect((await browser.get(`/console/companies/${seeded.company.companyId}`)).body.owners).toEqual([
    { member_id: seeded.owner.memberId, name: 'Olivia Ägare' },
    { member_id: second.memberId, name: null },
  ])
})

test('an owner sets the month of the fiscal year, and does not overwrite another owner’s change', async () => {
  const { companyId } = seeded.company
  const owner = await signInConsole(app, context, seeded.owner)
  const path = `/console/companies/${companyId}`
  const set = (month: number, expected: number) =>
    owner.patch(path, { fiscal_year_month: month, expected_fiscal_year_month: expected })
  expect((await owner.get(path)).body.fiscal_year_month).toBe(1)
  expect(await set(5, 1)).toMatchObject({ status: 200, body: { fiscal_year_month: 5 } })
  expect(await set(7, 1)).toMatchObject({
    status: 409,
    body: { field: 'expected_fiscal_year_month', details: { fiscal_year_month: 5 } },
  })
  expect((await set(13, 5)).status).toBe(400)
  expect((await owner.get('/console/session')).body.companies[0].fiscal_year_month).toBe(5)
  const { events } = (await owner.get(`${path}/audit`)).body
  const changes = events.filter(({ action }: { action: string }) => action === 'company_changed')
  expect(changes).toMatchObject([{ details: { fiscal_year_month: 5, previous_fiscal_year_month: 1 } }])
})
