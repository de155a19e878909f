import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { queues } from '../backlog/queues.ts'
import { addMember } from '../../console/memberships/add-member.ts'
import { createConnection } from '../../company/connections/create-connection.ts'
import { seedCompany, seedSource, testPersonalNumber } from '../../../testing/in-process/seed.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { setRole } from '../../people/members/change-membership.ts'
import { createSource } from '../../company/sources/create-source.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { addUsage } from './add-usage.ts'
import { countUsage, usageCountEveryMs } from './count-usage.ts'
import { countWaiting, walkDeliveries } from './queries.ts'
import { setLimits } from './set-limits.ts'
import { startCountingUsage } from './start-counting-usage.ts'
import { startUsageScene, toRow as row } from '../../../testing/in-process/scenes/usage-scene.ts'

const scene = await startUsageScene()
const { database, context, worker, count, usage, used } = scene

test('of many concurrent creations, as many succeed as the limit allows', async () => {
  await setLimits(context, scene.companyId, { sources: 4 })
  const made = await Promise.allSettled(
    Array.from({ length: 12 }, () => seedSource(context, scene.companyId)),
  )
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await used('sources')).toBe(4)
})

const storeSome = async (...countries: string[]): Promise<void> => {
  for (const country of countries)
    await storeDelivery(database.pool, { companyId: scene.companyId, sourceId: scene.sourceId }, [
      row(country),
    ])
}

/** As `pg_stat_activity` tells: how many statements wait for a lock. */
const untilOneWaits = async (text: string): Promise<void> => {
  for (let looks = 0; looks < 500; looks++) {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%' and pid <> pg_backend_pid()`,
      [text],
    )
    if (rowCount! > 0) return
    await sleep(20)
  }
  throw new Error(`nothing waits for a lock: ${text}`)
}

test('counting continues during a blocked recount, and both end when the service stops', async () => {
  await storeSome('SE')
  await worker.drain()
  await storeSome('NO', 'DK')
  await using ending = new AsyncDisposableStack()
  const holder = await database.pool.connect()
  ending.defer(() => holder.release(true))
  await holder.query('begin')
  await holder.query('lock table samples in access exclusive mode')
  context.clock.advance(usageCountEveryMs)
  const counting = startCountingUsage(context, { countEveryMs: 50, recountPollEveryMs: 50 })
  let isEnded = false
  ending.defer(async () => {
    if (!isEnded) await counting[Symbol.asyncDispose]()
  })
  await untilOneWaits('from samples')
  context.clock.advance(usageCountEveryMs)
  await expect.poll(() => used('waiting_deliveries'), { timeout: 10_000 }).toBe(2)
  const end = counting[Symbol.asyncDispose]()
  isEnded = true
  expect(await Promise.race([end.then(() => 'ended'), sleep(15_000, 'still there')])).toBe('ended')
  await holder.query('rollback')
  await worker.drain()
})

test('a company with more waiting than it may have does not affect the count of another', async () => {
  const other = await seedCompany(context)
  const source = await seedSource(context, other.company.companyId)
  await setLimits(context, scene.companyId, { waiting_deliveries: 2 })
  await storeSome('SE', 'NO', 'DK', 'FI', 'IS')
  for (const country of ['SE', 'NO', 'DK', 'FI']) {
    const of = { companyId: other.company.companyId, sourceId: source.sourceId }
    await storeDelivery(database.pool, of, [row(country)])
  }
  // One is in every queue of what waits.
  await database.pool.query(
    `update backlog set queue = ${queues.retry}, not_before = now() where receive_number = (
       select max(receive_number) from backlog where company_id = $1
     )`,
    [other.company.companyId],
  )
  await database.pool.query(
    `update backlog set queue = ${queues.large}, content_bytes = 1000000 where receive_number = (
       select min(receive_number) from backlog where company_id = $1
     )`,
    [other.company.companyId],
  )
  await count()
  expect(await used('waiting_deliveries')).toBe(3)
  expect((await usage()).reached).toBe('waiting_deliveries')
  const { rows } = await database.pool.query(
    'select waiting_deliveries::int, waiting_bytes > 1000000 as heavy from company_usage where company_id = $1',
    [other.company.companyId],
  )
  expect(rows).toEqual([{ waiting_deliveries: 4, heavy: true }])
  await worker.drain()
  await count()
  expect(await used('waiting_deliveries')).toBe(0)
})

test('what waits is found by the key of the backlog, in a count and in a recount', async () => {
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local enable_seqscan = off')
    const readPlan = async (text: string, types: string, values: string): Promise<string> => {
      await client.query(`prepare looked_at (${types}) as ${text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute looked_at (${values})`)
      await client.query('deallocate looked_at')
      return rows.map((each) => each['QUERY PLAN']).join('\n')
    }
    const id = `'${scene.companyId}'`
    const walked = await readPlan(walkDeliveries.text, 'uuid, uuid, int4', `${id}, ${id}, 10`)
    expect(walked).toMatch(
      /backlog_pkey on backlog.*\n\s*Index Cond: .*queue.*company_id = deliveries.company_id.*receive_number = deliveries.receive_number/,
    )
    const counted = await readPlan(countWaiting.text, 'int8, int8', '10, 10')
    expect(counted).toMatch(
      /backlog_pkey on backlog.*\n\s*Index Cond: \(\(queue = turns\w*.queue\) AND \(company_id > turns\w*.company_id/,
    )
    expect(counted).toMatch(/backlog_pkey on backlog.*\n\s*Index Cond: .*queue = ANY.*company_id = /)
    expect(walked + counted).not.toContain('Seq Scan on backlog')
  } finally {
    client.release(true)
  }
})

test('making a source, connection or member waits for the company before holding a membership', async () => {
  const actor = { memberId: scene.seeded.owner.memberId }
  const makers: [what: string, make: () => Promise<unknown>][] = [
    [
      'source',
      () =>
        createSource(context, actor, scene.companyId, {
          name: 'Till',
          systemKind: 'till',
          channel: 'push',
          format: null,
          declaration: { fields: testFields, event_time: 'at', metrics: [testMetric()], delivers: 'events' },
        }),
    ],
    [
      'connection',
      () =>
        createConnection(context, actor.memberId, scene.companyId, {
          name: 'Robot',
          sourceId: scene.sourceId,
          permissions: ['metrics.read'],
          kind: 'production',
          credentialKind: 'static',
        }),
    ],
    [
      'member',
      () =>
        addMember(context, actor, scene.companyId, { personalNumber: testPersonalNumber(), role: 'reader' }),
    ],
  ]
  for (const [what, make] of makers) {
    const holder = await database.pool.connect()
    let making: Promise<unknown> | undefined
    try {
      // As a change of a role does.
      await holder.query('begin')
      await lockCompany(holder, scene.companyId)
      making = make()
      await untilOneWaits('pg_advisory_xact_lock')
      await holder.query(`set local lock_timeout = '1s'`)
      const changed = setRole(holder, scene.companyId, actor.memberId, 'owner')
      await expect(changed, what).resolves.toBeUndefined()
      await holder.query('commit')
    } finally {
      holder.release(true)
      await making
    }
  }
})

test('sums of several companies are added in one statement, and never fall below zero', async () => {
  const other = (await seedCompany(context)).company.companyId
  const sums = async () => {
    const { rows } = await database.pool.query(
      `select company_id, deliveries::int, stored_bytes::int, cells::int from company_usage
       where company_id = any ($1)`,
      [[scene.companyId, other]],
    )
    return new Map(rows.map(({ company_id: id, ...rest }) => [id as string, rest as object]))
  }
  await addUsage(
    database.pool,
    new Map([
      [scene.companyId, { deliveries: 1, storedBytes: 20, cells: 3 }],
      [other, { deliveries: 4, storedBytes: 50, cells: 6 }],
    ]),
  )
  await addUsage(database.pool, new Map([[other, { deliveries: -1, storedBytes: -60, cells: 1 }]]))
  expect(await sums()).toEqual(
    new Map<string, object>([
      [scene.companyId, { deliveries: 1, stored_bytes: 20, cells: 3 }],
      [other, { deliveries: 3, stored_bytes: 0, cells: 7 }],
    ]),
  )
})

test('of several processes one counts, and not again right away', async () => {
  context.clock.advance(usageCountEveryMs)
  const counted = await Promise.all(Array.from({ length: 5 }, () => countUsage(context)))
  expect(counted.filter(Boolean)).toHaveLength(1)
  expect(await countUsage(context)).toBe(false)
})
