import { shownKeyCharactersMax } from '../formats/dropped-keys.ts'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal } from '../../platform/keys/seal.ts'
import { openRaw, type RawConnection } from '../../../testing/process/raw-connection.ts'
import { isFull } from '../../../testing/cases/made-up-cases.ts'
import { signInConsole } from '../../../testing/in-process/console-client.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCompany,
  seedConnection,
  seedSource,
} from '../../../testing/in-process/seed.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { companySendingBytesMax } from '../../platform/reads/sending-budget.ts'
import { answerBytesMax } from './read-samples.ts'

const { database, context, app } = await startTestService()

const labelNames = Array.from({ length: 12 }, (_, index) => `label${String(index).padStart(2, '0')}`)

/** A company whose cells have labels as long as earlier versions took them. */
const openShop = async (
  aggregation: 'sum' | 'last' = 'sum',
  delivers: 'events' | 'statements' = 'events',
) => {
  const { company, owner } = await seedCompany(context)
  const source = await seedSource(context, company.companyId, {
    delivers,
    fields: [...testFields, ...labelNames.map((name) => ({ name, type: 'text' as const, personal: false }))],
    metrics: [testMetric({ aggregation, group_by: labelNames })],
  })
  const { credential } = await seedConnection(context, { company, owner, source })
  return {
    company,
    owner,
    source,
    companyId: company.companyId,
    sourceId: source.sourceId,
    credential: credential!,
  }
}

type Shop = Awaited<ReturnType<typeof openShop>>

/** `cells` cells of one day, each with 12 labels of `characters`, straight into the tables. */
const fillCells = async ({ companyId, sourceId }: Shop, cells: number, characters: number): Promise<void> => {
  await database.pool.query(
    // The shared part of the labels is built once, and whole labels only when they are stored: 600 MB of text is slow.
    `with label as materialized (
      select k, '"label' || lpad(k::text, 2, '0') || '":"' as head, repeat(chr(97 + k), $5::int4 - 6) || '"' as tail
      from generate_series(0, 11) as k
    ), made as (
      select n, gen_random_uuid() as cell_id, $3::uuid as artifact_id from generate_series(1, $4::int4) as n
    ), said as (
      insert into contributions (company_id, cell_id, receive_number, artifact_id, received_at, value, event_at, rows)
      select $1, cell_id, 1, artifact_id, '2026-01-14T12:00:00Z', n, n, 1 from made
    ), period as (
      insert into period_deliveries (company_id, source_id, projection_id, sandbox, metric, period_start, receive_number,
        artifact_id, received_at)
      values ($1, $2, 1, false, 'revenue', '2026-01-14', 1, $3, '2026-01-14T12:00:00Z')
    )
    insert into samples (company_id, cell_id, source_id, projection_id, sandbox, period_start, metric, labels, value,
      event_at, value_receive_number, artifact_id, receive_number)
    select $1, cell_id, $2, 1, false, '2026-01-14', 'revenue',
      '{' || (select string_agg(head || lpad(n::text, 6, '0') || tail, ',' order by k) from label) || '}',
      n, n, 1, artifact_id, 1
    from made`,
    [companyId, sourceId, randomUUID(), cells, characters],
  )
}

interface Samples {
  samples: { value: string; labels: Record<string, string> }[]
  truncated: boolean
  next?: string
}

/** Whole samples, in order from the first, as many as the bound holds. */
const expectCut = (text: string, sampleBytes: number): void => {
  const bytes = Buffer.byteLength(text)
  expect(bytes).toBeLessThanOrEqual(answerBytesMax)
  expect(bytes).toBeGreaterThan(answerBytesMax - sampleBytes)
  const { samples, truncated } = JSON.parse(text) as Samples
  expect(truncated).toBe(true)
  expect(samples.map(({ value }) => value)).toEqual(samples.map((_, index) => String(index + 1)))
}

/** Seven times what an answer holds; in full 600 MB. */
const longCells = isFull ? 5_000 : 500

test('very many cells with 12 labels of 10,000 characters: every read is answered in 8 MiB, whole samples in order, truncated', async () => {
  const shop = await openShop()
  await fillCells(shop, longCells, 10_000)
  const sampleBytes = 121_000

  const read = (token: string, query = '') =>
    app.inject({ url: `/v1/samples${query}`, headers: { authorization: `Bearer ${token}` } })
  const byConnection = await read(shop.credential)
  expect(byConnection.statusCode).toBe(200)
  expectCut(byConnection.body, sampleBytes)

  const connection = await seedAppConnection(context, { app: await seedApp(context), member: shop.owner })
  const { accessToken } = await seedAppToken(context, connection)
  const byApp = await read(accessToken)
  expect(byApp.statusCode).toBe(200)
  expect(byApp.body).toBe(byConnection.body)

  const asOf = await read(shop.credential, '?as_of=2026-01-15T00:00:00Z')
  expect(asOf.statusCode).toBe(200)
  expectCut(asOf.body, sampleBytes)

  expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200)
})

test('an answer may be as long as the bound to the byte, and not a sample longer; escapes and long letters count as they are sent', async () => {
  for (const delivers of ['events', 'statements'] as const) {
    const shop = await openShop('last', delivers)
    await fillCells(shop, 800, 1_000)
    // Two bytes a letter.
    await database.pool.query(
      `update samples set labels = replace(labels, 'aa', 'åa') where company_id = $1`,
      [shop.companyId],
    )
    for (const query of ['', '?as_of=2026-01-15T00:00:00Z']) {
      const { body } = await app.inject({
        url: `/v1/samples${query}`,
        headers: { authorization: `Bearer ${shop.credential}` },
      })
      expectCut(body, 13_000)
      const { samples } = JSON.parse(body) as Samples
      // One more would have been too much.
      expect(Buffer.byteLength(body) + Buffer.byteLength(JSON.stringify(samples.at(-1))) + 1).toBeGreaterThan(
        answerBytesMax,
      )
      const rest = await app.inject({
        url: `/v1/samples?${query.slice(1)}&cursor=${(JSON.parse(body) as Samples).next}`,
        headers: { authorization: `Bearer ${shop.credential}` },
      })
      const values = [...samples, ...(rest.json() as Samples).samples].map(({ value }) => value)
      expect(values).toEqual(Array.from({ length: 800 }, (_, index) => String(index + 1)))
    }
  }
})

test('lists of deliveries are bounded with any key names that earlier versions stored, and the next page continues', async () => {
  const shop = await openShop()
  const stored: string[] = []
  for (let count = 0; count < 20; count++) {
    stored.push((await storeDelivery(database.pool, shop, [{ n: String(count) }])).artifactId)
  }
  // 40 MB of them in all.
  await database.pool.query(
    `update deliveries set dropped_keys = array(select n || repeat('å', 20000) from generate_series(10, 59) as n)
     where company_id = $1`,
    [shop.companyId],
  )
  const pages = await signInConsole(app, context, shop.owner)
  const list = await pages.get(`/console/companies/${shop.companyId}/deliveries?limit=200`)
  expect(list.status).toBe(200)
  expect(Buffer.byteLength(JSON.stringify(list.body))).toBeLessThan(answerBytesMax)
  expect(list.body.deliveries).toHaveLength(20)
  const shown = await pages.get(`/console/companies/${shop.companyId}/deliveries/${stored[0]}`)
  expect(shown.body.dropped_keys[0]).toHaveLength(shownKeyCharactersMax)

  const last = await pages.get(`/console/companies/${shop.companyId}/last-deliveries`)
  expect(last.body.deliveries).toMatchObject([{ artifact_id: stored.at(-1) }])
  expect(last.body.next_cursor).toBeNull()
})

test('a page that would be larger than 8 MiB ends early, and its cursor leads to the rest', async () => {
  const { company, owner } = await seedCompany(context)
  const text = 'x'.repeat(400_000)
  const evidence = seal(context.keys.master, '', 'test')
  for (let count = 0; count < 30; count++) {
    await database.pool.query(
      `insert into signatures (signature_id, member_id, company_id, subject, visible_text, record, record_sha256,
        provider, evidence_sealed, signed_at)
       values ($1, $2, $3, 'connection:x', $4, '{}', '', 'demo', $5, '2026-01-14T12:00:00Z')`,
      [randomUUID(), owner.memberId, company.companyId, text, evidence],
    )
  }
  const pages = await signInConsole(app, context, owner)
  const path = '/console/signatures?limit=200'
  const first = await pages.get(path)
  expect(first.body.signatures).toHaveLength(20)
  const second = await pages.get(`${path}&cursor=${first.body.next_cursor}`)
  expect(second.body.signatures).toHaveLength(10)
  expect(second.body.next_cursor).toBeNull()
})

test('a source with many large shape versions is shown a page at a time', async () => {
  const { company, owner } = await seedCompany(context)
  const { sourceId } = await seedSource(context, company.companyId)
  await database.pool.query(
    `insert into shapes (company_id, source_id, shape_version, fields, event_time, metrics, delivers, saved_at)
     select company_id, source_id, n, jsonb_build_array(jsonb_build_object('name', repeat('x', 900000), 'type', 'text')),
       event_time, metrics, delivers, saved_at
     from shapes, generate_series(2, 21) as n
     where company_id = $1 and source_id = $2 and shape_version = 1`,
    [company.companyId, sourceId],
  )
  const pages = await signInConsole(app, context, owner)
  const path = `/console/companies/${company.companyId}/sources/${sourceId}`
  const seen: number[] = []
  for (let cursor = ''; ;) {
    const { status, body } = await pages.get(`${path}?limit=200${cursor}`)
    expect(status).toBe(200)
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(1.2 * answerBytesMax)
    seen.push(...body.versions.map((version: { shape_version: number }) => version.shape_version))
    if (body.next_cursor === null) break
    cursor = `&cursor=${body.next_cursor}`
  }
  expect(seen).toEqual(Array.from({ length: 21 }, (_, index) => 21 - index))
})

test('heavy reads of one company leave another’s reads and pushes alone, and are answered in their turn', async () => {
  const heavy = await openShop()
  await fillCells(heavy, 1, 10)
  const { company, owner } = await seedCompany(context)
  const source = await seedSource(context, company.companyId)
  const { credential } = await seedConnection(context, { company, owner, source })
  const headers = { authorization: `Bearer ${credential}` }

  // As-of reads of the one company block in the database; the other company needs nothing of that table.
  const gate = await database.pool.connect()
  await gate.query('begin')
  await gate.query('lock table contributions in access exclusive mode')
  const reads = Array.from({ length: 18 }, (_, index) =>
    app.inject({
      url: `/v1/samples?as_of=2026-01-15T00:00:${index + 10}Z`,
      headers: { authorization: `Bearer ${heavy.credential}` },
    }),
  )
  const pushed = await app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { ...headers, 'content-type': 'application/json' },
    payload: { idempotency_key: 'k', shape_version: 1, payload: { at: '2026-01-14', amount: '1' } },
  })
  expect(pushed.statusCode).toBe(202)
  expect((await app.inject({ url: '/v1/samples', headers })).statusCode).toBe(200)
  expect((await app.inject({ url: '/v1/sources', headers })).statusCode).toBe(200)
  await gate.query('rollback')
  gate.release()
  expect(new Set((await Promise.all(reads)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
})

const from = (day: number): string => `/v1/samples?from=2026-01-0${day}`

test('clients that do not read their answers fill the budget of their own company, which is released once they disconnect', async () => {
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const [slow, other] = [await openShop(), await openShop()]
  await fillCells(slow, 800, 1_000)
  await fillCells(other, 800, 1_000)
  const read = (shop: Shop, day: number): Promise<Response> =>
    fetch(`${url}${from(day)}`, { headers: { authorization: `Bearer ${shop.credential}` } })

  const taken: RawConnection[] = []
  const companyAnswers = companySendingBytesMax / answerBytesMax
  for (let day = 1; day <= companyAnswers; day++) {
    const connection = await openRaw(url)
    connection.send(
      `GET ${from(day)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${slow.credential}\r\n\r\n`,
    )
    await connection.until('HTTP/1.1 200')
    connection.socket.pause()
    taken.push(connection)
  }
  const another = companyAnswers + 1
  const refused = await read(slow, another)
  expect(refused.status).toBe(503)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ code: 'internal' })
  const answer = await read(other, another)
  expect(answer.status).toBe(200)
  expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(answerBytesMax - 13_000)

  for (const { socket } of taken) socket.destroy()
  await expect
    .poll(async () => {
      const again = await read(slow, another)
      await again.arrayBuffer()
      return again.status
    })
    .toBe(200)
})
