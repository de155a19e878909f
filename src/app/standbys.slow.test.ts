import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startPostgres } from '../../testing/process/start-postgres.ts'
import { startStandbyScene, type StandbyService } from '../../testing/in-process/scenes/standby-scene.ts'

/** What is wrong with a standby is no caller's concern: the primary answers. */

const { primary, startStandby, startService, openShop, untilReplayed, open } = await startStandbyScene()

/** What docs/decisions/standbys.md promises, in milliseconds. */
const checkMs = 500
const readMs = 2_000
const restMs = 5_000
/** More than that on a machine that is busy with other tests. */
const busyMs = 1_500

const openScene = async () => {
  const standby = await startStandby()
  const service = await startService([standby])
  const shop = await openShop()
  await shop.deliver('1')
  await untilReplayed(standby)
  await service.untilUsable()
  expect(await shop.readSum(service)).toBe('1')
  expect(await service.outcomes()).toEqual({ answered: 1 })
  return { standby, service, shop }
}

type Scene = Awaited<ReturnType<typeof openScene>>

const timed = async (read: () => Promise<string>): Promise<{ value: string; ms: number }> => {
  const startedMs = performance.now()
  return { value: await read(), ms: performance.now() - startedMs }
}

/** Ten concurrent reads, whose answers are known to be at most `msMax` late. */
const expectAnswers = async ({ service, shop }: Scene, value: string, msMax: number): Promise<void> => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => timed(() => shop.readSum(service))))
  expect(answers.map((answer) => answer.value)).toEqual(Array.from({ length: 10 }, () => value))
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(msMax)
}

test('a killed standby costs no read its answer, and answers again when it is back', async () => {
  const scene = await openScene()
  const { standby, service, shop } = scene
  await standby.signal('SIGKILL')
  await shop.deliver('2')
  await expectAnswers(scene, '3', checkMs + busyMs)
  expect(service.isUsable()).toBe(false)
  expect(service.lines().at(-1)).toMatchObject({ msg: 'a standby is left alone, and the primary answers' })

  await standby.start()
  await untilReplayed(standby)
  await service.untilUsable()
  const before = (await service.outcomes())['answered']!
  expect(await shop.readSum(service)).toBe('3')
  expect((await service.outcomes())['answered']).toBe(before + 1)
})

test('a frozen standby delays the reads of one moment by half a second, and is left alone after them', async () => {
  const scene = await openScene()
  const { standby, service, shop } = scene
  await standby.signal('SIGSTOP')
  await shop.deliver('2')
  await expectAnswers(scene, '3', checkMs + busyMs)
  const before = (await service.outcomes())['unavailable']!
  expect(before).toBeGreaterThan(0)
  // Also when it is checked again, since no read waits for that.
  for (const untilMs = performance.now() + restMs + 2_000; performance.now() < untilMs;) {
    const { value, ms } = await timed(() => shop.readSum(service))
    expect(value).toBe('3')
    expect(ms).toBeLessThan(checkMs + busyMs)
    expect(service.isUsable()).toBe(false)
    await sleep(20)
  }
  await standby.signal('SIGCONT')
  await service.untilUsable()
})

/** Where it runs in the end, after something that only a standby does. */
const readPlace = (service: StandbyService, onStandby: string): Promise<string> =>
  service.read(
    {
      companyId: 'any',
      basis: async (on) => (await on.query('select pg_is_in_recovery() as is_standby')).rows[0],
    },
    async (on) => {
      await on.query(`${onStandby} where pg_is_in_recovery()`)
      const { rows } = await on.query('select pg_is_in_recovery() as is_standby')
      return rows[0].is_standby ? 'standby' : 'primary'
    },
  )

test('a read that a standby does not finish in two seconds is answered by the primary', async () => {
  const { service } = await openScene()
  expect(await readPlace(service, 'select pg_sleep(0)')).toBe('standby')
  const { value, ms } = await timed(() => readPlace(service, 'select pg_sleep(60)'))
  expect(value).toBe('primary')
  expect(ms).toBeLessThan(readMs + checkMs + busyMs)
  expect(service.isUsable()).toBe(false)
})

test('a company has at most half of the connections to a standby, and further reads go to the primary', async () => {
  const { service } = await openScene()
  // Two connections for reads, on the primary and on the standby.
  const places = [readPlace(service, 'select pg_sleep(1)'), readPlace(service, 'select pg_sleep(1)')]
  expect((await Promise.all(places)).toSorted()).toEqual(['primary', 'standby'])
  expect(await service.outcomes()).toEqual({ answered: 2, busy: 1 })
})

test('a read that conflicts with what a standby has to replay is answered by the primary', async () => {
  const { standby, service } = await openScene()
  await standby.query('alter system set max_standby_streaming_delay = 0')
  await standby.query('select pg_reload_conf()')
  const place = readPlace(service, 'select pg_sleep(1.5)')
  const isReading = `select from pg_stat_activity where state = 'active' and query like '%pg\\_sleep(1.5)%'
    and pid <> pg_backend_pid()`
  await expect.poll(() => standby.query(isReading)).toHaveLength(1)
  await primary.query('update shards set companies = companies')
  await primary.query('vacuum shards')
  expect(await place).toBe('primary')
  expect(service.lines().at(-1)!.reason).toContain('conflict with recovery')
})

test('a promoted standby is not used any more, also at the right version', async () => {
  const { standby, service, shop } = await openScene()
  await standby.query('select pg_promote()')
  expect(await shop.readSum(service)).toBe('1')
  expect(await service.outcomes()).toEqual({ answered: 1, unavailable: 1 })
  expect(service.lines().at(-1)!.reason).toContain('promoted')
  expect(service.isUsable()).toBe(false)
})

test('another deployment, and the primary itself, are never used, and the log says so', async () => {
  await using other = await startPostgres({ settings: { fsync: 'off', shared_buffers: '32MB' } })
  const shop = await openShop()
  await shop.deliver('1')
  for (const [server, reason] of [
    [other, 'no copy of the server'],
    [primary, 'no standby'],
  ] as const) {
    const service = await startService([server])
    await expect.poll(() => service.lines().at(-1)?.reason).toContain(reason)
    expect(await shop.readSum(service)).toBe('1')
    expect(await service.outcomes()).toEqual({ unavailable: 1 })
    expect(JSON.stringify(service.lines())).not.toContain('postgres@')
  }
})

test('a standby with commits that a failover lost does not answer for the new primary', async () => {
  const [next, ahead] = [await startStandby(), await startStandby()]
  const shop = await openShop()
  await shop.deliver('1')
  await untilReplayed(next)
  await next.query(`alter system set primary_conninfo = ''`)
  await next.query('select pg_reload_conf()')
  await expect.poll(() => next.query('select from pg_stat_wal_receiver')).toEqual([])
  await shop.deliver('20')
  await untilReplayed(ahead)

  await next.query('select pg_promote()')
  const deployment = open(next)
  await deployment.deliver(shop, '300')
  const service = await deployment.startService([ahead])
  await service.untilUsable()
  expect(await shop.readSum(service)).toBe('301')
  expect(await service.outcomes()).toEqual({ behind: 1 })
})

test('of two standbys, the one that is there answers', async () => {
  const [gone, standby] = [await startStandby(), await startStandby()]
  const service = await startService([gone, standby])
  const shop = await openShop()
  await shop.deliver('1')
  await untilReplayed(standby)
  await service.untilUsable()
  await gone.signal('SIGKILL')
  for (let reads = 0; reads < 4; reads++) expect(await shop.readSum(service)).toBe('1')
  expect(await service.outcomes()).toEqual({ answered: 4 })
})
