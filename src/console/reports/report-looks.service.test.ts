import { expect, test } from 'vitest'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { seedMember } from '../../../testing/in-process/seed.ts'
import {
  byCountry,
  startReportScene,
  statements,
  type ReportedShop,
} from '../../../testing/in-process/scenes/report-scene.ts'
import { endMembership } from '../../people/members/change-membership.ts'
import { inDirectoryTransaction } from '../../platform/database/directory/directory-transaction.ts'

const { context, database, app, openShop, deliver } = await startReportScene()

// A session ends before a visit does.
const look = async (shop: ReportedShop, given?: ConsoleClient) => {
  const by = given ?? (await shop.signInAgain())
  const { status, body } = await by.put(`${shop.report}/look?grain=month&from=2025-11-01`, {})
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const inFebruary = (amount: string) => [{ at: '2026-02-10', amount, country: 'SE' }]

test('each member sees which closed months have changed since their own last look, for as long as a visit lasts', async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  const shop = await openShop(statements)
  await deliver(shop, inFebruary('1'), { receivedAt: '2026-03-01T06:00:00Z' })
  expect(await look(shop)).toEqual({ looked_at: null, changed: [] })

  await deliver(shop, inFebruary('2'), { receivedAt: '2026-03-15T12:10:00Z' })
  const card = async (by: ConsoleClient) => (await by.get(`${shop.company}/reports`)).body.reports[0]
  expect((await card(shop.reader)).changed_since_look).toBe(true)
  const person = await seedMember(context, shop.companyId)
  const colleague = await signInConsole(app, context, person)
  expect((await card(colleague)).changed_since_look).toBe(false)
  context.clock.set('2026-03-15T13:00:00Z')
  const changed = {
    looked_at: '2026-03-15T12:00:00.000Z',
    changed: [{ start: '2026-02-01', was: '1', value: '2' }],
  }
  expect(await look(shop)).toEqual(changed)
  expect((await card(await shop.signInAgain())).changed_since_look).toBe(false)
  expect(await look(shop, await signInConsole(app, context, person))).toEqual({
    looked_at: null,
    changed: [],
  })

  // Reloaded ten minutes later, the page says the same; after another hour, nothing is new.
  context.clock.set('2026-03-15T13:10:00Z')
  expect(await look(shop)).toEqual(changed)
  context.clock.set('2026-03-15T14:10:00Z')
  expect(await look(shop)).toEqual({ looked_at: '2026-03-15T13:10:00.000Z', changed: [] })
})

test('late events change a closed month too, and a figure of the current month is no change', async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  const shop = await openShop(byCountry)
  await deliver(shop, inFebruary('1'), { receivedAt: '2026-03-01T06:00:00Z' })
  await look(shop)
  await deliver(shop, [...inFebruary('5'), { at: '2026-03-10', amount: '9', country: 'SE' }], {
    receivedAt: '2026-03-15T12:30:00Z',
  })
  context.clock.set('2026-03-15T13:00:00Z')
  expect((await look(shop)).changed).toEqual([{ start: '2026-02-01', was: '1', value: '6' }])
})

test('a look is written at most once a minute, and goes with the membership', async () => {
  context.clock.set('2026-03-15T12:00:00Z')
  const shop = await openShop()
  const person = await seedMember(context, shop.companyId, { role: 'reader' })
  const reader = await signInConsole(app, context, person)
  const rows = async () =>
    (
      await database.pool.query(
        'select looked_at from report_looks where company_id = $1 and member_id = $2',
        [shop.companyId, person.memberId],
      )
    ).rows
  await look(shop, reader)
  context.clock.set('2026-03-15T12:00:59Z')
  await look(shop, reader)
  expect(await rows()).toEqual([{ looked_at: new Date('2026-03-15T12:00:00Z') }])
  await inDirectoryTransaction(database.pool, (client) =>
    endMembership(client, shop.companyId, person.memberId),
  )
  expect(await rows()).toEqual([])
  const missing = await shop.reader.put(`${shop.company}/sources/${shop.sourceId}/reports/nothing/look`, {})
  expect(missing.status).toBe(404)
})
