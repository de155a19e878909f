import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { beforeEach, expect, test } from 'vitest'
import { queues } from '../backlog/queues.ts'
import { addMember } from '../../console/memberships/add-member.ts'
import { createConnection } from '../../company/connections/create-connection.ts'
import { createPool, endPool } from '../../platform/database/pool.ts'
import { createProjectionMaintainer } from '../projections/maintain-projections.ts'
import { webhookSignature } from '../deliveries/webhooks/signature.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  seedCompany,
  seedConnection,
  seedSource,
  seedWebhookSource,
  testPersonalNumber,
  type SeededCompany,
} from '../../../testing/in-process/seed.ts'
import { createSource } from '../../company/sources/create-source.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { addUsage, deliveryOverheadBytes } from './add-usage.ts'
import { countUsage, usageCountEveryMs } from './count-usage.ts'
import { countWaiting, walkDeliveries } from './queries.ts'
import { recountEveryMs, recountSome, recountUsage } from './recount-usage.ts'
import { setLimits } from './set-limits.ts'
import { startCountingUsage } from './start-counting-usage.ts'
import { showUsage } from './show-usage.ts'
import { seedScene } from '../../../testing/in-process/scene.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { saveSource } from '../../../testing/process/save-source.ts'

const { database, context, app } = await startTestService()
const { worker, pool } = startTestWorker({ database, context })

let seeded: SeededCompany
let companyId: string
let sourceId: string
let credential: string
let owner: ConsoleClient
let company: string
beforeEach(async () => {
  const { source, connection, ...of } = await seedScene(context, {
    source: { metrics: [testMetric({ group_by: ['country'] })] },
    connection: {},
  })
  seeded = of
  companyId = seeded.company.companyId
  sourceId = source.sourceId
  credential = connection.credential!
  owner = await signInConsole(app, context, seeded.owner)
  company = `/console/companies/${companyId}`
})

/** As the service does it every few seconds. */
const count = async (): Promise<void> => {
  context.clock.advance(usageCountEveryMs)
  expect(await countUsage(context)).toBe(true)
}

const row = (country: string) => ({ at: '2026-01-14T12:00:00Z', amount: '1', country })

let keys = 0
const push = async (rows: object[], key = `key ${++keys}`, token = credential) => {
  context.clock.advance(1_000)
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ idempotency_key: key, shape_version: 1, payload: rows }),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

const storedDeliveries = async (): Promise<number> => {
  const { rows } = await database.pool.query<{ stored: number }>(
    'select count(*)::int as stored from deliveries where company_id = $1',
    [companyId],
  )
  return rows[0]!.stored
}

const usage = () => showUsage(context, companyId)

const used = async (limit: string): Promise<number> =>
  (await usage()).limits.find((each) => each.limit === limit)!.used

test('a company that stores as much as it may gets 429 for an hour with its limit; nothing is stored, and other companies are unaffected', async () => {
  expect((await push([row('SE')], 'first')).status).toBe(202)
  await worker.drain()
  await setLimits(context, companyId, { stored_bytes: 1_000 })
  const refused = await push([row('SE')])
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers['retry-after']).toBe('3600')
  expect(refused.headers['ratelimit-limit']).toBe('60')
  expect(refused.body.message).toContain('limit of stored bytes')
  // Rate comes before the stored key.
  expect((await push([row('SE')], 'first')).status).toBe(429)
  expect(await storedDeliveries()).toBe(1)
  expect((await usage()).reached).toBe('stored_bytes')

  // It can be read as before, and another company pushes.
  const read = await app.inject({ url: '/v1/samples', headers: { authorization: `Bearer ${credential}` } })
  expect(read.json().samples).toHaveLength(1)
  const other = await seedCompany(context)
  const source = await seedSource(context, other.company.companyId)
  const neighbour = (await seedConnection(context, { ...other, source })).credential!
  expect((await push([row('SE')], 'neighbour', neighbour)).status).toBe(202)

  await setLimits(context, companyId, { stored_bytes: null })
  expect((await push([row('SE')])).status).toBe(202)
  expect((await push([row('SE')], 'first')).headers['idempotent-replayed']).toBe('true')
})

test('a company with more waiting to be parsed than it may have gets 429 for a minute, until that is parsed', async () => {
  await setLimits(context, companyId, { waiting_deliveries: 2 })
  for (let sent = 0; sent < 2; sent++) expect((await push([row('SE')])).status).toBe(202)
  await count()
  const refused = await push([row('SE')])
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
  expect(refused.headers['retry-after']).toBe('60')
  expect(refused.body.message).toContain('deliveries that wait')
  expect(await used('waiting_deliveries')).toBe(2)

  await worker.drain()
  await count()
  expect((await push([row('SE')])).status).toBe(202)
  expect(await used('waiting_deliveries')).toBe(0)

  await setLimits(context, companyId, { waiting_deliveries: null, waiting_bytes: 10 })
  await count()
  expect((await push([row('SE')])).headers['retry-after']).toBe('60')
  expect((await usage()).reached).toBe('waiting_bytes')
})

test('a webhook of a company at its limit is 429 once its signature is good; without the secret nothing is learned of it', async () => {
  const source = await seedWebhookSource(context, companyId)
  await setLimits(context, companyId, { cells: 1 })
  await addUsage(database.pool, new Map([[companyId, { deliveries: 0, storedBytes: 0, cells: 1 }]]))
  await count()
  const send = (secret: string) => {
    const body = JSON.stringify([row('SE')])
    const t = Math.floor(context.clock.now() / 1_000)
    return app.inject({
      method: 'POST',
      url: `/v1/webhooks/${source.sourceId}`,
      headers: {
        'content-type': 'application/json',
        'service-delivery-id': `d-${t}`,
        'service-signature': `t=${t},v1=${webhookSignature(secret, t, `d-${t}`, Buffer.from(body))}`,
      },
      payload: body,
    })
  }
  const refused = await send(source.signingSecret)
  expect(refused.statusCode).toBe(429)
  expect(refused.json()).toMatchObject({ code: 'rate_limited', message: expect.stringContaining('cells') })
  expect(refused.headers['retry-after']).toBe('3600')
  expect((await send('nws_wrong')).statusCode).toBe(404)
  await setLimits(context, companyId, { cells: null })
  expect((await send(source.signingSecret)).statusCode).toBe(202)
})

test('one more source, connection, member or shape version than the limit is 409 with the limit', async () => {
  await setLimits(context, companyId, { sources: 2, connections: 2, members: 2, shape_versions: 2 })
  const declaration = {
    fields: testFields,
    event_time: 'at',
    metrics: [testMetric()],
    delivers: 'events',
  }
  const newSource = { name: 'Till', system_kind: 'till', ...declaration }
  const newConnection = {
    name: 'Robot',
    source_id: sourceId,
    permissions: ['metrics.read'],
    kind: 'production',
    credential_kind: 'static',
  }
  const makers: [path: string, body: () => object, limit: string][] = [
    ['sources', () => newSource, '2 sources'],
    ['connections', () => newConnection, '2 connections'],
    ['members', () => ({ personal_number: testPersonalNumber(), role: 'reader' }), '2 members'],
  ]
  for (const [path, body, limit] of makers) {
    expect((await owner.post(`${company}/${path}`, body())).status, path).toBe(201)
    const refused = await owner.post(`${company}/${path}`, body())
    expect(refused, path).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(refused.body.message, path).toContain(limit)
  }
  const save = (delivers: string) => saveSource(owner, `${company}/sources/${sourceId}`, { delivers })
  expect((await save('statements')).status).toBe(200)
  expect(await save('events')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('2 shape versions') },
  })
  expect(await usage()).toMatchObject({
    limits: [
      { limit: 'sources', used: 2, max: 2 },
      { limit: 'connections', used: 2, max: 2 },
      { limit: 'members', used: 2, max: 2 },
      { limit: 'shape_versions', used: 2, max: 2 },
      { limit: 'cells', max: 5_000_000 },
      { limit: 'stored_bytes', max: 107_374_182_400 },
      { limit: 'waiting_bytes', max: 2_147_483_648 },
      { limit: 'waiting_deliveries', max: 1_000_000 },
    ],
    reached: null,
  })

  // One that is revoked makes room.
  const { connections } = (await owner.get(`${company}/connections`)).body
  await owner.post(`${company}/connections/${connections[0].connection_id}/revoke`)
  expect((await owner.post(`${company}/connections`, newConnection)).status).toBe(201)
})

test('of many concurrent creations, as many succeed as the limit allows', async () => {
  await setLimits(context, companyId, { sources: 4 })
  const made = await Promise.allSettled(Array.from({ length: 12 }, () => seedSource(context, companyId)))
  expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect(await used('sources')).toBe(4)
})

test('what is stored and how many cells there are is counted once, also where a delivery is parsed again, and less once a projection is removed', async () => {
  const contents = [[row('SE'), row('NO')], [row('SE'), row('DK')], [row('SE')]]
  let bytes = 0
  for (const rows of contents) {
    bytes += JSON.stringify(rows).length + deliveryOverheadBytes
    await storeDelivery(database.pool, { companyId, sourceId }, rows)
  }
  await worker.drain()
  expect(await used('cells')).toBe(3)
  expect(await used('stored_bytes')).toBe(bytes)

  // The new projection's cells exist together with the old one's until those are removed.
  await owner.post(`${company}/sources/${sourceId}/rebuilds`)
  const projections = createProjectionMaintainer({
    pool,
    clock: context.clock,
    log: { info: () => {}, error: () => {} },
    graceMs: 0,
  })
  await projections.step()
  await worker.drain()
  expect(await used('cells')).toBe(6)
  for (let steps = 0; steps < 20; steps++) await projections.step()
  expect(await used('cells')).toBe(3)
  expect(await used('stored_bytes')).toBe(bytes)
})

test('a wrong sum is corrected by a recount, in parts of any size; what waits is not part of it', async () => {
  for (const country of ['SE', 'NO', 'DK', 'FI', 'IS']) {
    await storeDelivery(database.pool, { companyId, sourceId }, [row(country)])
  }
  await worker.drain()
  const [cells, bytes] = [await used('cells'), await used('stored_bytes')]
  expect(cells).toBe(5)
  await storeDelivery(database.pool, { companyId, sourceId }, [row('EE')])
  for (const wrong of [-2, 7]) {
    for (const rowsMax of [1, 2, 5, 1_000]) {
      await addUsage(
        database.pool,
        new Map([[companyId, { deliveries: wrong, storedBytes: 1_000 * wrong, cells: wrong }]]),
      )
      expect(await recountUsage(context, companyId, { rowsMax })).toBe(true)
      expect([await used('cells'), await used('stored_bytes')]).toEqual([cells, bytes])
    }
  }

  // As the service does it once a day.
  await database.pool.query('update company_usage set cells = 99, recounted_at = $2 where company_id = $1', [
    companyId,
    new Date(context.clock.now() - recountEveryMs),
  ])
  context.clock.advance(1_000)
  await recountSome(context)
  expect(await used('cells')).toBe(5)
  await worker.drain()
})

/** The service's context, with something that happens after the first statement of that name. */
const interrupted = (name: string, happens: () => Promise<unknown>) => {
  let isDone = false
  const connect = async (): Promise<PoolClient> => {
    const client = await database.pool.connect()
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    const release = client.release.bind(client)
    const patched = {
      query: async (...args: unknown[]) => {
        const result = await query(...args)
        if ((args[0] as { name?: string }).name === name && !isDone) {
          isDone = true
          await happens()
        }
        return result
      },
      release: (broken?: boolean) => {
        for (const key of ['query', 'release']) Reflect.deleteProperty(client, key)
        release(broken)
      },
    }
    return Object.assign(client, patched)
  }
  return { ...context, pool: { connect } as unknown as Pool }
}

const storeSome = async (...countries: string[]): Promise<void> => {
  for (const country of countries) await storeDelivery(database.pool, { companyId, sourceId }, [row(country)])
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

test.each(['usage.select', 'usage.walk-deliveries', 'usage.walk-cells'])(
  'what is read during a recount, after %s, is counted once; a wrong sum is put right all the same',
  async (name) => {
    await storeSome('SE', 'NO')
    await worker.drain()
    await storeSome('DK', 'FI')
    await addUsage(database.pool, new Map([[companyId, { deliveries: 0, storedBytes: 7, cells: 3 }]]))
    const during = interrupted(name, async () => {
      await storeSome('IS')
      await worker.drain()
    })
    expect(await recountUsage(during, companyId, { rowsMax: 1 })).toBe(true)
    const [cells, bytes] = [await used('cells'), await used('stored_bytes')]
    expect(cells).toBe(5)
    expect(bytes).toBe(5 * (JSON.stringify([row('SE')]).length + deliveryOverheadBytes))
    await recountUsage(context, companyId)
    expect([await used('cells'), await used('stored_bytes')]).toEqual([cells, bytes])
  },
)

test('of two recounts of a company one counts, and a later one only when forced', async () => {
  await storeSome('SE')
  await worker.drain()
  let second: boolean | undefined
  const first = interrupted('usage.walk-cells', async () => {
    second = await recountUsage(context, companyId)
  })
  expect(await recountUsage(first, companyId)).toBe(true)
  expect(second).toBe(false)
  expect(await used('cells')).toBe(1)
  expect(await recountUsage(context, companyId)).toBe(true)
})

const recountedAt = async (id = companyId): Promise<Date | null> => {
  const { rows } = await database.pool.query<{ recounted_at: Date | null }>(
    'select recounted_at from company_usage where company_id = $1',
    [id],
  )
  return rows[0]?.recounted_at ?? null
}

test('a recount that is ended or fails leaves the sums, and the company is still due; the others are counted', async () => {
  await storeSome('SE', 'NO')
  await worker.drain()
  await addUsage(database.pool, new Map([[companyId, { deliveries: 0, storedBytes: 0, cells: 5 }]]))
  const ending = new AbortController()
  const ended = interrupted('usage.walk-deliveries', async () => ending.abort())
  await expect(recountUsage(ended, companyId, { rowsMax: 1, signal: ending.signal })).rejects.toThrow(/abort/)
  expect(await used('cells')).toBe(7)
  expect(await recountedAt()).toBeNull()
  // Its lock is gone with it.
  const failing = interrupted('usage.walk-deliveries', async () => {
    throw new Error('a slow part')
  })
  const other = (await seedCompany(context)).company.companyId
  const warnings: unknown[] = []
  const log = { ...context.log, warn: (details: unknown) => warnings.push(details) }
  let connections = 0
  const once = {
    ...context,
    log: log as unknown as typeof context.log,
    pool: {
      query: database.pool.query.bind(database.pool),
      connect: () => (connections++ === 0 ? failing.pool : database.pool).connect(),
    } as unknown as Pool,
  }
  await database.pool.query(
    `insert into company_usage (company_id, recounted_at) select company_id, $2 from companies
     on conflict (company_id) do update
     set recounted_at = case when company_usage.company_id = any ($1::uuid[]) then null else excluded.recounted_at end`,
    [[companyId], new Date(context.clock.now())],
  )
  await database.pool.query('update company_usage set recounted_at = $2 where company_id = $1', [
    other,
    new Date(context.clock.now() - 2 * recountEveryMs),
  ])
  await recountSome(once)
  expect(warnings).toHaveLength(1)
  expect(await recountedAt()).toBeNull()
  expect(await recountedAt(other)).toEqual(new Date(context.clock.now()))
  await recountSome(context)
  expect(await used('cells')).toBe(2)
  expect(await recountedAt()).toEqual(new Date(context.clock.now()))
})

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
}, 60_000)

test('limits of cells and stored bytes hold even when what waits cannot be counted', async () => {
  await addUsage(database.pool, new Map([[companyId, { deliveries: 0, storedBytes: 0, cells: 8 }]]))
  await database.pool.query('insert into company_limits (company_id, cells) values ($1, 8)', [companyId])
  const brief = createPool({ url: database.url, connectionsMax: 2, statementTimeoutMs: 300 })
  const holder = await database.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table backlog in access exclusive mode')
    context.clock.advance(usageCountEveryMs)
    await expect(countUsage({ ...context, pool: brief })).rejects.toThrow(/timeout/)
  } finally {
    holder.release(true)
    await endPool(brief)
  }
  expect((await usage()).reached).toBe('cells')
})

test('a company with more waiting than it may have does not affect the count of another', async () => {
  const other = await seedCompany(context)
  const source = await seedSource(context, other.company.companyId)
  await setLimits(context, companyId, { waiting_deliveries: 2 })
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
    const planOf = async (text: string, types: string, values: string): Promise<string> => {
      await client.query(`prepare looked_at (${types}) as ${text}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute looked_at (${values})`)
      await client.query('deallocate looked_at')
      return rows.map((each) => each['QUERY PLAN']).join('\n')
    }
    const id = `'${companyId}'`
    const walked = await planOf(walkDeliveries.text, 'uuid, uuid, int4', `${id}, ${id}, 10`)
    expect(walked).toMatch(
      /backlog_pkey on backlog.*\n\s*Index Cond: .*queue.*company_id = deliveries.company_id.*receive_number = deliveries.receive_number/,
    )
    const counted = await planOf(countWaiting.text, 'int8, int8', '10, 10')
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
  const actor = { memberId: seeded.owner.memberId }
  const makers: [what: string, make: () => Promise<unknown>][] = [
    [
      'source',
      () =>
        createSource(context, actor, companyId, {
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
        createConnection(context, actor.memberId, companyId, {
          name: 'Robot',
          sourceId,
          permissions: ['metrics.read'],
          kind: 'production',
          credentialKind: 'static',
        }),
    ],
    [
      'member',
      () => addMember(context, actor, companyId, { personalNumber: testPersonalNumber(), role: 'reader' }),
    ],
  ]
  for (const [what, make] of makers) {
    const holder = await database.pool.connect()
    let making: Promise<unknown> | undefined
    try {
      // As a change of a role does.
      await holder.query('begin')
      await holder.query('select from companies where company_id = $1 for no key update', [companyId])
      making = make()
      await untilOneWaits('from companies')
      const { rowCount } = await holder.query(
        'select from memberships where company_id = $1 and member_id = $2 for update nowait',
        [companyId, actor.memberId],
      )
      expect(rowCount, what).toBe(1)
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
      [[companyId, other]],
    )
    return new Map(rows.map(({ company_id: id, ...rest }) => [id as string, rest as object]))
  }
  await addUsage(
    database.pool,
    new Map([
      [companyId, { deliveries: 1, storedBytes: 20, cells: 3 }],
      [other, { deliveries: 4, storedBytes: 50, cells: 6 }],
    ]),
  )
  await addUsage(database.pool, new Map([[other, { deliveries: -1, storedBytes: -60, cells: 1 }]]))
  expect(await sums()).toEqual(
    new Map<string, object>([
      [companyId, { deliveries: 1, stored_bytes: 20, cells: 3 }],
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
