import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Postgres } from '../../testing/process/start-postgres.ts'
import { testFields, testMetric } from '../../testing/in-process/source.ts'
import { startStandbyScene, type StandbyService } from '../../testing/in-process/scenes/standby-scene.ts'

/** Reads on a standby of a real server: it answers where it has what the primary would answer from. */

const { context, startStandby, startService, openShop, untilReplayed } = await startStandbyScene()
let standby: Postgres
let service: StandbyService
/** The same deployment without standbys. */
let plain: StandbyService
beforeAll(async () => {
  standby = await startStandby()
  service = await startService([standby])
  plain = await startService()
})
beforeEach(() => service.untilUsable())
afterEach(() => standby.query('select pg_wal_replay_resume()'))

const declaration = {
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric({ period: 'month' })],
  delivers: 'events',
}

test('a standby answers at the version of the samples, and the primary while it is behind', async () => {
  const [shop, quiet] = [await openShop(), await openShop()]
  await shop.deliver('1')
  await quiet.deliver('100')
  await untilReplayed(standby)
  expect(await shop.readSum(service)).toBe('1')
  expect(await service.outcomes()).toEqual({ answered: 1 })

  await standby.query('select pg_wal_replay_pause()')
  await shop.deliver('2')
  expect(await shop.readSum(service)).toBe('3')
  // Of this source it has everything.
  expect(await quiet.readSum(service)).toBe('100')
  expect(await service.outcomes()).toEqual({ answered: 2, behind: 1 })

  await standby.query('select pg_wal_replay_resume()')
  await untilReplayed(standby)
  expect(await shop.readSum(service)).toBe('3')
  expect(await service.outcomes()).toEqual({ answered: 3, behind: 1 })
  expect(await plain.outcomes()).toEqual({})
})

test('answers, tags and refusals of a standby are those of the primary', async () => {
  const shop = await openShop()
  const early = await shop.deliver('1.50')
  context.clock.advance(86_400_000)
  await shop.deliver('2', '02')
  await untilReplayed(standby)
  const before = (await service.outcomes())['answered'] ?? 0
  const paths = [
    '/v1/samples',
    '/v1/samples?as_of=2026-03-02T00:00:00Z',
    '/v1/samples?label.country=SE',
    '/v1/samples?label.colour=red',
    '/v1/samples/trace?metric=revenue&period_start=2026-03-01&label.country=SE',
    '/v1/samples/trace?metric=revenue&period_start=2026-03-05&label.country=SE',
  ]
  for (const path of paths) expect(await shop.get(service, path), path).toEqual(await shop.get(plain, path))
  expect((await shop.get(service, paths[4]!)).body).toContain(early)

  const [onStandby, onPrimary] = [await shop.signIn(service), await shop.signIn(plain)]
  const pages = [
    `/console/companies/${shop.companyId}/reports`,
    `${shop.source}/reports/revenue?by=country&compare=year`,
    `${shop.source}/reports/revenue?grain=week&as_of=2026-03-02T00:00:00Z`,
    `${shop.source}/reports/revenue/file.csv?grain=month`,
    `${shop.source}/samples/trace?metric=revenue&period_start=2026-03-01&grain=month`,
  ]
  for (const path of pages) {
    const { headers, ...answer } = await onStandby.get(path)
    expect(answer.status, path).toBe(200)
    const { headers: expected, ...rest } = await onPrimary.get(path)
    expect({ ...answer, etag: headers['etag'] }, path).toEqual({ ...rest, etag: expected['etag'] })
  }
  const preview = await onStandby.post(`${shop.source}/preview`, { declaration })
  expect(preview).toMatchObject({ status: 200, body: { of: 'deliveries' } })
  expect(preview.body.deliveries).toHaveLength(2)
  expect(preview.body).toEqual((await onPrimary.post(`${shop.source}/preview`, { declaration })).body)
  // The trace above was read twice.
  const reads = paths.length + 1 + pages.length + 1
  expect(await service.outcomes()).toEqual({ answered: before + reads, behind: 1 })
})

test('a preview reads deliveries from the primary that a standby does not have yet', async () => {
  const shop = await openShop()
  await untilReplayed(standby)
  await standby.query('select pg_wal_replay_pause()')
  await shop.deliver('7')
  const member = await shop.signIn(service)
  const before = (await service.outcomes())['behind'] ?? 0
  const { body } = await member.post(`${shop.source}/preview`, { declaration })
  expect(body.deliveries).toHaveLength(1)
  expect((await service.outcomes())['behind']).toBe(before + 1)
})
