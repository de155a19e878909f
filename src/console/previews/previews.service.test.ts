import { beforeEach, describe, expect, test } from 'vitest'
import type { Source } from '../../company/sources/source.ts'
import { signInConsole, type ConsoleClient } from '../../../testing/in-process/console-client.ts'
import { exampleSie } from '../../../testing/cases/example-sie.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'
import { storeDelivery } from '../../../testing/in-process/store-delivery.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { saveSource } from '../../../testing/process/save-source.ts'
import { firstShard } from '../../platform/database/schemas.ts'

const service = await startTestService()
const { database, context, app } = service
const { worker } = startTestWorker(service)

let companyId: string
let source: Source
let client: ConsoleClient
let sources: string
beforeEach(async () => {
  const scene = await seedScene(context, { members: ['developer'], source: {} })
  companyId = scene.company.companyId
  source = scene.source
  client = await signInConsole(app, context, scene.developer)
  sources = `/console/companies/${companyId}/sources`
})

const declaration = {
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric({ group_by: ['country'] })],
  delivers: 'events',
}
const preview = (changes: object = {}) =>
  client.post(`${sources}/${source.sourceId}/preview`, { declaration: { ...declaration, ...changes } })
const previewExample = (example: object, changes: object = {}) =>
  client.post(`${sources}/preview`, { declaration: { ...declaration, ...changes }, example })
const store = (rows: object[] | Buffer, options: Parameters<typeof storeDelivery>[3] = {}) =>
  storeDelivery(database.pool, { companyId, sourceId: source.sourceId }, rows, options)

/** Other types, and no personal mark. */
const withTypes = (types: Record<string, string>) =>
  testFields.map((field) => ({ ...field, personal: false, type: types[field.name] ?? field.type }))

const refusedExample = async (changes: object, example: object = { text: 'at\n2026-01-01\n' }) => {
  const { status, body } = await previewExample(example, changes)
  return [status, body.code, body.field]
}

/** How much there is of everything that is stored. */
const stored = async () =>
  (
    await database.pool.query(
      `select (select count(*) from sources) as sources, (select count(*) from shapes) as shapes,
        (select count(*) from deliveries) as deliveries, (select count(*) from samples) as samples,
        (select count(*) from contributions) as contributions, (select count(*) from parse_results) as results,
        (select count(*) from backlog) as backlog, (select count(*) from projections) as projections,
        (select sum(hashtext(sources::text)) from sources) as hash`,
    )
  ).rows

describe('An example', () => {
  test('gives fields, and nothing of it is stored', async () => {
    const before = await stored()
    const { status, body } = await client.post(`${sources}/example`, {
      text: 'sold_at;amount;email\n2026-11-21 13:58;1 249,00;a@example.com\n',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      format: 'csv',
      encoding: 'utf-8',
      rows: 1,
      fields: [
        {
          name: 'sold_at',
          type: 'timestamp',
          personal: false,
          personal_guess: null,
          filled: 1,
          examples: ['2026-11-21 13:58'],
        },
        {
          name: 'amount',
          type: 'number',
          personal: false,
          personal_guess: null,
          filled: 1,
          examples: ['1 249,00'],
        },
        {
          name: 'email',
          type: 'text',
          personal: true,
          personal_guess: { kind: 'email', by: 'values' },
          filled: 1,
          examples: ['a@example.com'],
        },
      ],
      event_time: 'sold_at',
      warnings: [
        {
          code: 'would_be_refused',
          field: 'sold_at',
          row: 1,
          value: '2026-11-21 13:58',
          suggestion: '2026-11-21T13:58:00+01:00',
          rows: 1,
        },
        {
          code: 'would_be_refused',
          field: 'amount',
          row: 1,
          value: '1 249,00',
          suggestion: '1249.00',
          rows: 1,
        },
      ],
    })
    expect(await stored()).toEqual(before)
  })

  test('may be a file in any encoding, in base64', async () => {
    const bytes = Buffer.from('datum,belopp,ort\n2026-01-01,1,Malmö\n', 'latin1')
    const { body } = await client.post(`${sources}/example`, { content_base64: bytes.toString('base64') })
    expect(body).toMatchObject({ encoding: 'windows-1252' })
    expect(body.fields[2].examples).toEqual(['Malmö'])
    const sie = { content_base64: Buffer.from(exampleSie).toString('base64'), format: null }
    expect((await client.post(`${sources}/example`, sie)).body).toMatchObject({
      format: 'sie',
      event_time: 'date',
    })
  })

  test('that is broken is refused with where, and so is a body that is none', async () => {
    const refused = async (body: unknown) => {
      const answer = await client.post(`${sources}/example`, body)
      return [answer.status, answer.body.code, answer.body.field, answer.body.message]
    }
    expect(await refused({ text: '[{"a":' })).toEqual([
      400,
      'invalid_argument',
      'text',
      'The JSON is malformed at byte 6.',
    ])
    expect((await client.post(`${sources}/example`, { text: 'a,b\n1,2\n"x,3\n' })).body.details).toEqual({
      fault: 'open_quote',
      line: 3,
    })
    expect((await client.post(`${sources}/example`, { text: '{\n"a": 1,\n"b": }\n' })).body.details).toEqual({
      fault: 'syntax',
      line: 3,
    })
    expect((await client.post(`${sources}/example`, { content_base64: 'UEsDBBQABgAI' })).body).toMatchObject({
      code: 'invalid_argument',
      details: { fault: 'spreadsheet', line: null },
    })
    expect((await refused({ text: '' })).slice(0, 3)).toEqual([400, 'invalid_argument', 'text'])
    expect((await refused({})).slice(0, 3)).toEqual([400, 'invalid_argument', 'text'])
    expect((await refused({ text: 'a', content_base64: 'YQ==' })).slice(0, 3)).toEqual([
      400,
      'invalid_argument',
      'text',
    ])
    expect((await refused({ content_base64: 'å' })).slice(0, 3)).toEqual([
      400,
      'invalid_argument',
      'content_base64',
    ])
    expect((await refused({ text: 'a', surprise: 1 })).slice(0, 3)).toEqual([
      400,
      'invalid_argument',
      'surprise',
    ])
    expect((await refused({ text: 1 })).slice(0, 3)).toEqual([400, 'invalid_argument', 'text'])
    expect((await refused([])).slice(0, 2)).toEqual([400, 'invalid_argument'])
    expect((await client.send('POST', `${sources}/example`)).status).toBe(415)
  })
})

describe('A preview', () => {
  test('of an example shows its samples, what is left out, and refused rows with what to send', async () => {
    const text = [
      'at,amount,country,customer,dropped',
      '2026-11-21T10:00:00+01:00,41318.50,SE,1,x',
      '2026-11-21,12940.00,NO,2,x',
      '2026-11-20,2499,SE,3,x',
      '2026-11-20,10,DK,4,x',
      '2026-11-20,"1 249,00",SE,5,x',
      '2026-11-21 13:58:00,1,SE,6,x',
    ].join('\n')
    const metrics = [
      testMetric({ group_by: ['country'], filters: [{ field: 'country', comparison: '≠', value: 'DK' }] }),
    ]
    const before = await stored()
    const { status, body } = await previewExample({ text }, { metrics })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      of: 'example',
      sandbox: false,
      complete: true,
      rows_read: 6,
      rows_accepted: 4,
      rows_refused: 2,
      metrics: [{ metric: 'revenue', aggregation: 'sum', rows_left_out: 1 }],
      samples: [
        { metric: 'revenue', period_start: '2026-11-21', value: '12940', labels: { country: 'NO' }, rows: 1 },
        {
          metric: 'revenue',
          period_start: '2026-11-21',
          value: '41318.5',
          labels: { country: 'SE' },
          rows: 1,
        },
        { metric: 'revenue', period_start: '2026-11-20', value: '2499', labels: { country: 'SE' }, rows: 1 },
      ],
      samples_truncated: false,
      saving: null,
    })
    expect(body.deliveries).toMatchObject([
      {
        artifact_id: null,
        state: 'parsed',
        dropped_keys: ['dropped'],
        rows_accepted: 4,
        rows_refused: 2,
        rows_date_alone: 3,
        refusals: [
          {
            row: 5,
            line: 6,
            field: 'amount',
            code: 'number_malformed',
            value: '1 249,00',
            suggestion: '1249.00',
          },
          {
            row: 6,
            line: 7,
            field: 'at',
            code: 'timestamp_no_offset',
            value: '2026-11-21 13:58:00',
            suggestion: '2026-11-21T13:58:00+01:00',
          },
        ],
      },
    ])
    expect(await stored()).toEqual(before)
  })

  test('never contains the value of a personal field', async () => {
    const fields = testFields.map((field) =>
      field.name === 'customer' ? { ...field, type: 'number' } : field,
    )
    const { body } = await previewExample({ text: 'at,amount,customer\n2026-01-01,1,secret\n' }, { fields })
    expect(body.deliveries[0].refusals).toMatchObject([
      { row: 1, field: 'customer', value: null, suggestion: null },
    ])
    expect(JSON.stringify(body)).not.toContain('secret')
  })

  test('names the fault of a broken example, and of one without a declared field', async () => {
    for (const [text, reason] of [
      ['[{"at":"2026-01-01"', 'malformed'],
      ['x,y\n1,2\n', 'names no declared field'],
    ]) {
      const { status, body } = await previewExample({ text })
      expect(status).toBe(200)
      expect(body.deliveries).toMatchObject([
        { state: 'unreadable', reason: expect.stringContaining(reason!) },
      ])
      expect(body).toMatchObject({ rows_read: 0, samples: [] })
    }
  })

  test('of a declaration that could not be saved is refused where saving is', async () => {
    const wrong = { metrics: [testMetric({ group_by: ['customer'] })] }
    expect(await refusedExample(wrong)).toEqual([400, 'invalid_argument', 'metrics[0].group_by[0]'])
    expect(await refusedExample({ event_time: 'amount' })).toEqual([400, 'invalid_argument', 'event_time'])
    expect(await refusedExample({ delivers: 'sometimes' })).toEqual([400, 'invalid_argument', 'delivers'])
    expect(await refusedExample({ metrics: [{ metric: 'revenue' }] })).toEqual([
      400,
      'invalid_argument',
      'metrics.0.aggregation',
    ])
    expect(await refusedExample({}, {})).toEqual([400, 'invalid_argument', 'example.text'])
    expect((await client.post(`${sources}/preview`, { declaration })).body).toMatchObject({
      field: 'example',
    })
    expect((await client.post(`${sources}/preview`, {})).body).toMatchObject({ field: 'declaration' })
  })

  test('of the last deliveries gives what saving gives, to the digit', async () => {
    for (const [index, country] of ['SE', 'NO', 'SE'].entries()) {
      await store(
        [
          { at: `2026-03-0${index + 1}`, amount: '0.10', country, customer: `c${index % 2}` },
          { at: '2026-03-09T23:30:00Z', amount: '0.2', country, customer: 'c' },
          { at: '2026-03-09', amount: 'broken', country },
        ],
        { compressed: index === 1 },
      )
    }
    const metrics = [
      testMetric({ group_by: ['country'], period: 'week' }),
      testMetric({
        metric: 'active_users',
        aggregation: 'count_distinct',
        field: 'customer',
        period: 'month',
      }),
    ]
    const { body } = await preview({ metrics })
    expect(body).toMatchObject({
      of: 'deliveries',
      sandbox: false,
      complete: true,
      rows_read: 9,
      rows_refused: 3,
    })
    expect(body.saving).toEqual({
      creates_version: 2,
      rebuilds: true,
      stored: { deliveries: 3, content_bytes: expect.any(Number), more: false },
    })
    const { body: saved } = await saveSource(client, `${sources}/${source.sourceId}`, {
      ...declaration,
      metrics,
    })
    expect(saved).toMatchObject({ source: { shape_version: 2 }, rebuilds: true })
    await worker.drain()
    const rebuilt = await awaitSamples()
    const shown = body.samples.map((sample: Record<string, unknown>) => {
      const { metric, period_start, value, labels } = sample
      return { metric, period_start, value, labels }
    })
    expect(shown).toEqual(rebuilt)
    expect(shown).toHaveLength(6)
  })

  test('of statements counts the latest of each period alone, and marks what it restates', async () => {
    await store([{ at: '2026-03-01', amount: '1', country: 'SE' }])
    await store([{ at: '2026-03-01', amount: '5', country: 'NO' }])
    await store([{ at: '2026-03-02', amount: '7', country: 'NO' }])
    const { body } = await preview({ delivers: 'statements' })
    expect(body.samples).toMatchObject([
      { period_start: '2026-03-02', value: '7', restated: false },
      { period_start: '2026-03-01', value: '5', labels: { country: 'NO' }, restated: true },
    ])
    expect(body.deliveries.map(({ artifact_id }: { artifact_id: string }) => artifact_id)).toHaveLength(3)
  })

  test('of one delivery as if it were sent with it compares its refused rows, reveals nothing and stores nothing', async () => {
    const sent = await store([
      { at: '2026-03-01', amount: '1 249,00', country: 'SE', customer: 'secret' },
      { at: '2026-03-01', amount: '2 499,00', country: 'SE', customer: 'secret' },
      { at: '2026-03-01', amount: '7', country: 'SE', customer: 'secret' },
      { amount: '8', country: 'SE', customer: 'secret' },
    ])
    const before = await stored()
    const asIfSent = (changes: object, artifact_id = sent.artifactId, example?: object) =>
      client.post(`${sources}/${source.sourceId}/preview`, {
        declaration: {
          ...declaration,
          metrics: [testMetric({ aggregation: 'count', field: 'at' })],
          ...changes,
        },
        artifact_id,
        example,
      })
    expect((await asIfSent({})).body).toMatchObject({
      of: 'delivery',
      compared: { rows_refused: 3, rows_newly_accepted: 0, rows_newly_refused: 0 },
    })
    const { body: accepting } = await asIfSent({ fields: withTypes({ amount: 'text' }) })
    expect(accepting).toMatchObject({
      rows_accepted: 3,
      samples: [{ value: '3' }],
      compared: { rows_refused: 3, rows_newly_accepted: 2, rows_newly_refused: 0 },
    })
    const { body: worse } = await asIfSent({ fields: withTypes({ customer: 'number' }) })
    expect(worse.compared).toEqual({ rows_refused: 3, rows_newly_accepted: 0, rows_newly_refused: 1 })
    const grouped = { metrics: [testMetric({ group_by: ['customer'] })], fields: withTypes({}) }
    expect(JSON.stringify([worse, (await asIfSent(grouped)).body])).not.toContain('secret')
    expect(await stored()).toEqual(before)
    for (const wrong of [asIfSent({}, source.sourceId), asIfSent({}, undefined, { text: 'at' })]) {
      expect((await wrong).body).toMatchObject({ code: 'invalid_argument', field: 'artifact_id' })
    }
  })

  test('reads test deliveries if there are no others, and marks them', async () => {
    await store([{ at: '2026-03-01', amount: '1', country: 'SE' }], { sandbox: true })
    expect((await preview()).body).toMatchObject({ sandbox: true, rows_read: 1 })
    await store([{ at: '2026-03-01', amount: '2', country: 'SE' }])
    expect((await preview()).body).toMatchObject({ sandbox: false, samples: [{ value: '2' }] })
  })

  test('without deliveries is empty', async () => {
    const { body } = await preview({ metrics: [] })
    expect(body).toMatchObject({ deliveries: [], complete: true, samples: [], saving: { rebuilds: true } })
    expect((await preview()).body.saving).toMatchObject({ rebuilds: true, creates_version: 2 })
    expect((await preview({ metrics: [testMetric()] })).body.saving).toMatchObject({
      rebuilds: false,
      creates_version: null,
    })
  })

  test('of more cells than it shows has the newest, in the order of their labels', async () => {
    const rows = Array.from(
      { length: 20_000 },
      (_, k) => `2026-03-0${1 + (k % 2)},1,c${String(k).padStart(5, '0')}`,
    )
    const { body } = await previewExample({ text: `at,amount,country\n${rows.join('\n')}\n` })
    expect(body.samples).toHaveLength(200)
    expect(body.samples_truncated).toBe(true)
    expect(body.samples[0]).toMatchObject({ period_start: '2026-03-02', labels: { country: 'c00001' } })
    expect(body.samples[199]).toMatchObject({ period_start: '2026-03-02', labels: { country: 'c00399' } })
  })
})

/** The samples of the source once its rebuild is in place, as they are read. */
async function awaitSamples(): Promise<object[]> {
  const { createProjectionMaintainer } = await import('../../engine/projections/maintain-projections.ts')
  const log = { info: () => {}, error: () => {} }
  const maintainer = createProjectionMaintainer({
    pool: database.pool,
    shard: firstShard,
    clock: context.clock,
    log,
  })
  for (let steps = 0; steps < 5; steps++) {
    await maintainer.step()
    await worker.drain()
  }
  const { rows } = await database.pool.query(
    `select samples.metric, samples.period_start::text as period_start, trim_scale(samples.value)::text as value,
       samples.labels::jsonb as labels
     from samples join sources using (company_id, source_id, projection_id)
     where samples.value is not null
     order by samples.period_start desc, samples.metric, samples.labels`,
  )
  return rows
}
