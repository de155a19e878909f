import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { webhookSignature } from '../../engine/deliveries/webhooks/signature.ts'
import { pauseSource } from '../../company/sources/pause-source.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import {
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  seedWebhookSource,
  type SeededConnection,
  type SeededMember,
} from '../../../testing/in-process/seed.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import {
  gatheredByCallerMax,
  gatheredByCompanyMax,
  createRefusedCallRecords,
  keptByCallerMax,
  strangersGatheredMax,
  strangersKeptMax,
} from './refused-call-records.ts'
import type { RefusedCall } from './refused-call.ts'

const environment = { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '100000' }
const { database, context, app } = await startTestService({ environment, recordEveryMs: 20 })

let companyId: string
let sourceId: string
let company: string
let owner: ConsoleClient
let person: SeededMember
let connection: SeededConnection
beforeEach(async () => {
  const scene = await seedScene(context, { source: {}, connection: {} })
  companyId = scene.company.companyId
  sourceId = scene.source.sourceId
  connection = scene.connection
  company = `/console/companies/${companyId}`
  person = scene.owner
  owner = await signInConsole(app, context, person)
})

const secretText = 'very-secret-value'

const push = (body: unknown, headers: Record<string, string> = {}, query = '') =>
  app.inject({
    method: 'POST',
    url: `/v1/ingest${query}`,
    headers: {
      authorization: `Bearer ${connection.credential}`,
      'content-type': 'application/json',
      ...headers,
    },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  })

const list = async (query = '') => (await owner.get(`${company}/refused-calls${query}`)).body
/** As soon as so many rows are there: they are written behind the calls. */
const listed = async (rows: number, query = '') => {
  await expect.poll(async () => (await list(query)).refused_calls.length, { interval: 10 }).toBe(rows)
  return (await list(query)).refused_calls
}

/** How many pass a filter: counted, and all on one page. */
const readCount = async (query: string) => {
  const { refused_calls, count } = await list(query)
  expect(count).toBe(refused_calls.length)
  return count
}

describe('pushes and reads', () => {
  test('a refused push is there with its time, status, code and field, and nothing of what it said', async () => {
    const { statusCode } = await push(
      { idempotency_key: secretText, shape_version: 9, payload: [{ amount: secretText }] },
      {},
      `?note=${secretText}`,
    )
    expect(statusCode).toBe(400)
    const [call] = await listed(1)
    expect(call).toEqual({
      call_id: expect.any(String),
      channel: 'push',
      source_id: sourceId,
      connection: { connection_id: connection.connectionId, name: 'Connector' },
      signed: true,
      method: 'POST',
      path: '/v1/ingest',
      status: 400,
      code: 'invalid_argument',
      field: 'shape_version',
      calls: 1,
      called_at: new Date(context.clock.now()).toISOString(),
    })
    const { rows } = await database.pool.query('select refused_calls::text from refused_calls')
    expect(JSON.stringify(rows)).not.toContain(secretText)
  })

  test('accepted pushes and successful reads are not recorded', async () => {
    expect((await push({ idempotency_key: 'a', shape_version: 1, payload: [] })).statusCode).toBe(202)
    const authorization = `Bearer ${connection.credential}`
    expect((await app.inject({ url: '/v1/samples', headers: { authorization } })).statusCode).toBe(200)
    expect((await push('{')).statusCode).toBe(400)
    await listed(1)
    expect(await list()).toMatchObject({ refused_calls: [{ field: 'body' }], count: 1, next_cursor: null })
  })

  test('a call that is refused before it is about a source is the connection’s company’s', async () => {
    const elsewhere = await seedScene(context, { source: {} })
    const authorization = `Bearer ${connection.credential}`
    const refused = async (url: string) => (await app.inject({ url, headers: { authorization } })).statusCode
    expect(await refused(`/v1/samples?orgnr=${elsewhere.company.orgnr}`)).toBe(404)
    expect(await refused(`/v1/samples?source_id=${elsewhere.source.sourceId}`)).toBe(404)
    expect(await refused('/v1/samples?from=2026-02-30')).toBe(400)
    expect(await refused(`/v1/samples?label.${secretText}=1&label.${secretText}=2`)).toBe(400)
    expect(await refused('/v1/samples?verysecretword=1')).toBe(400)
    expect(await refused('/v1/deliveries/19811218-9876')).toBe(404)
    const calls = await listed(6)
    const shown = new Set(
      calls.map((call: { path: string; status: number; field: string; source_id: string }) =>
        [call.path, call.status, call.field, call.source_id === sourceId].join(' '),
      ),
    )
    expect(shown).toEqual(
      new Set([
        '/v1/samples 404  false',
        '/v1/samples 404  false',
        '/v1/samples 400 from true',
        '/v1/samples 400 label true',
        '/v1/samples 400  true',
        '/v1/deliveries/:artifact_id 404  false',
      ]),
    )
    expect(JSON.stringify(calls)).not.toMatch(/very-?secret|19811218/)
    const stranger = await signInConsole(app, context, elsewhere.owner)
    const { body } = await stranger.get(`/console/companies/${elsewhere.company.companyId}/refused-calls`)
    expect(body.refused_calls).toEqual([])
  })

  test('a connection that acts on another company’s is not named to it', async () => {
    const further = await seedScene(context, { source: {} })
    const developer = await seedMember(context, companyId, { personalNumber: further.owner.personalNumber })
    connection = await seedConnection(context, {
      company: { companyId },
      owner: { ...further.owner, memberId: developer.memberId },
      furtherCompanyIds: [further.company.companyId],
    })
    const { statusCode } = await push(
      '{',
      {},
      `?orgnr=${further.company.orgnr}&source_id=${further.source.sourceId}`,
    )
    expect(statusCode).toBe(400)
    owner = await signInConsole(app, context, further.owner)
    company = `/console/companies/${further.company.companyId}`
    expect(await listed(1)).toMatchObject([{ source_id: further.source.sourceId, connection: null }])
    expect(JSON.stringify(await list())).not.toContain(connection.connectionId)
  })

  test('like calls of one second are one row that counts them', async () => {
    await keep([...range(0, 30).map(() => call()), call({ status: 409 })])
    const calls = await listed(2)
    expect(calls.map((call: { calls: number }) => call.calls).toSorted()).toEqual([1, 30])
  })

  test('an invalid credential belongs to no company', async () => {
    for (const authorization of ['Bearer nsk_unknown', `Bearer nsk_${'a'.repeat(43)}`]) {
      expect((await push({}, { authorization })).statusCode).toBe(401)
    }
    expect((await push({}, {}, `?access_token=${secretText}`)).statusCode).toBe(400)
    await push('{')
    await listed(1)
    const { rows } = await database.pool.query<{ calls: string }>(
      `select count(*) as calls from refused_calls where code in ('unauthenticated', 'credential_in_url')`,
    )
    expect(rows).toEqual([{ calls: '0' }])
  })

  test('each filter selects its calls, and pages have no gaps', async () => {
    const { company: of, owner: maker } = await seedCompany(context)
    owner = await signInConsole(app, context, maker)
    companyId = of.companyId
    company = `/console/companies/${companyId}`
    const [one, two] = [await seedSource(context, companyId), await seedSource(context, companyId)]
    for (const source of [one, two, two]) {
      connection = await seedConnection(context, { company: of, owner: maker, source })
      await push('{')
      context.clock.advance(1)
    }
    const authorization = `Bearer ${connection.credential}`
    await app.inject({ url: '/v1/samples?from=x', headers: { authorization } })
    await listed(4)
    expect(await readCount(`?source=${one.sourceId}`)).toBe(1)
    expect(await readCount(`?source=${two.sourceId}`)).toBe(3)
    expect(await readCount(`?connection=${connection.connectionId}`)).toBe(2)
    expect(await readCount('?channel=push')).toBe(3)
    expect(await readCount('?channel=webhook')).toBe(0)
    expect(await readCount(`?source=${randomUUID()}`)).toBe(0)
    const first = await list('?limit=3')
    const rest = await list(`?limit=3&cursor=${first.next_cursor}`)
    expect([first.refused_calls.length, rest.refused_calls.length]).toEqual([3, 1])
    expect([first.count, rest.count, rest.next_cursor]).toEqual([4, null, null])
    expect(first.refused_calls[0]).toMatchObject({ channel: 'read', path: '/v1/samples' })
    expect((await owner.get(`${company}/refused-calls?channel=fax`)).body).toMatchObject({ field: 'channel' })
    expect((await owner.get(`${company}/refused-calls?cursor=x`)).body).toMatchObject({ field: 'cursor' })
  })
})

describe('webhooks', () => {
  let webhook: Awaited<ReturnType<typeof seedWebhookSource>>
  beforeEach(async () => {
    webhook = await seedWebhookSource(context, companyId)
  })

  const send = (
    body: string,
    {
      secret = webhook.signingSecret,
      id = randomUUID(),
      to = webhook.sourceId,
      headers = {},
    }: { secret?: string; id?: string; to?: string; headers?: Record<string, string | undefined> } = {},
  ) => {
    const t = Math.floor(context.clock.now() / 1_000)
    const all = {
      'content-type': 'text/csv',
      'service-delivery-id': id,
      'service-signature': `t=${t},v1=${webhookSignature(secret, t, id, Buffer.from(body))}`,
      ...headers,
    }
    return app.inject({
      method: 'POST',
      url: `/v1/webhooks/${to}`,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
      payload: body,
    })
  }

  test('refused signed calls are recorded, separately from unsigned ones', async () => {
    expect((await send(`${secretText}\n1\n`)).statusCode).toBe(400)
    expect((await send('at\n', { secret: 'nws_another' })).statusCode).toBe(404)
    expect((await send('at\n', { headers: { 'service-signature': undefined } })).statusCode).toBe(401)
    const calls = await listed(3)
    const path = `/v1/webhooks/${webhook.sourceId}`
    const call = { channel: 'webhook', source_id: webhook.sourceId, connection: null, method: 'POST', path }
    expect(new Set(calls)).toEqual(
      new Set([
        expect.objectContaining({ ...call, signed: true, status: 400, field: 'body' }),
        expect.objectContaining({ ...call, signed: false, status: 404, code: 'not_found' }),
        expect.objectContaining({ ...call, signed: false, status: 401, code: 'unauthenticated' }),
      ]),
    )
    expect(JSON.stringify(calls)).not.toContain(secretText)
  })

  test('a paused source’s webhook is there', async () => {
    await pauseSource(context, 'operator', companyId, webhook.sourceId)
    expect((await send('at,amount\n2026-01-14,1\n')).statusCode).toBe(409)
    expect(await listed(1)).toMatchObject([{ status: 409, code: 'source_paused', signed: true }])
  })

  test('a call to an unknown address is not recorded', async () => {
    for (const to of [randomUUID(), sourceId, '19811218-9876']) {
      expect((await send('at\n', { to })).statusCode).toBe(404)
    }
    await send('at\n', { secret: 'nws_another' })
    await listed(1)
    const { rows } = await database.pool.query<{ calls: string }>(
      `select count(*) as calls from refused_calls where company_id = $1`,
      [companyId],
    )
    expect(rows).toEqual([{ calls: '1' }])
  })
})

const call = (more: Partial<RefusedCall> = {}): RefusedCall => ({
  callerId: connection.connectionId,
  signed: true,
  channel: 'push',
  companyId: null,
  sourceId: null,
  method: 'POST',
  path: '/v1/ingest',
  status: 400,
  code: 'invalid_argument',
  field: null,
  calledAtMs: context.clock.now(),
  ...more,
})
const keep = async (calls: RefusedCall[]) => {
  const refused = createRefusedCallRecords(context)
  for (const each of calls) refused.add(each)
  await refused[Symbol.asyncDispose]()
}
const kept = async (signed = true) => {
  const { rows } = await database.pool.query<{ status: number }>(
    `select status from refused_calls where company_id = $1 and signed = $2 order by call_id`,
    [companyId, signed],
  )
  return rows.map((row) => row.status)
}
const unrecorded = async () => (await context.telemetry.refusedCallsUnrecorded.get()).values[0]!.value
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => from + place)

describe('what is kept', () => {
  test('the last ones of each connection and address, those of strangers apart from its sender’s', async () => {
    const { sourceId: address } = await seedWebhookSource(context, companyId)
    const webhook = { channel: 'webhook', callerId: address, sourceId: address } as const
    for (const status of range(0, keptByCallerMax + 7)) {
      const calledAtMs = context.clock.now() + status
      await keep([
        call({ status, calledAtMs }),
        call({ ...webhook, signed: false, status: 1_000 + status, calledAtMs }),
      ])
    }
    await keep([call({ ...webhook, status: 5_000 })])
    expect((await kept()).toSorted((a, b) => a - b)).toEqual([...range(7, keptByCallerMax + 7), 5_000])
    const last = 1_000 + keptByCallerMax + 7
    expect(await kept(false)).toEqual(range(last - strangersKeptMax, last))
  })

  test('a caller with ever different refusals uses at most its share of a second, and so do strangers', async () => {
    const before = await unrecorded()
    await keep([
      ...range(0, gatheredByCallerMax + 3).map((status) => call({ status })),
      ...range(0, strangersGatheredMax + 5).map(() => {
        return call({ channel: 'webhook', callerId: randomUUID(), signed: false })
      }),
    ])
    expect(await kept()).toHaveLength(gatheredByCallerMax)
    expect((await unrecorded()) - before).toBe(3 + 5)
  })

  test('a company uses at most its share of a second, for any number of callers', async () => {
    const before = await unrecorded()
    const elsewhere = await seedScene(context, { connection: {} })
    const of = (company: string | null) =>
      range(0, gatheredByCompanyMax + 7).map(() => call({ callerId: randomUUID(), companyId: company }))
    const { connectionId: callerId } = elsewhere.connection
    await keep([...of(companyId), ...of(null), call({ callerId, companyId: elsewhere.company.companyId })])
    expect((await unrecorded()) - before).toBe(7 + 7)
    const { rows } = await database.pool.query('select status from refused_calls where company_id = $1', [
      elsewhere.company.companyId,
    ])
    expect(rows).toEqual([{ status: 400 }])
  })

  test('after 30 days they are shown no more', async () => {
    await push('{')
    await listed(1)
    context.clock.advance(30 * 24 * 60 * 60_000 + 1_000)
    // Their session is over by then.
    owner = await signInConsole(app, context, person)
    expect(await list()).toEqual({ refused_calls: [], count: 0, next_cursor: null })
    expect(await kept()).toEqual([400])
  })
})
