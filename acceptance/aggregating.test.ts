import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSource } from './aggregated-source.ts'
import { ingest } from '../testing/process/call.ts'
import { readSamples, waitUntilRead } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { activeUsers, openShop, revenue, type Shop, type SourceOptions } from '../testing/process/shop.ts'

let service: Service
let shop: Shop
beforeAll(async () => {
  service = await startService({
    environment: { NUMERA_RATE_PER_MINUTE: '100000', NUMERA_RATE_BURST: '100000' },
  })
  shop = await openShop(service)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
})

const open = (options: SourceOptions) => openSource(shop, options)

const noon = (day: string): string => `${day}T12:00:00+01:00`

const sale = (rest: object) => ({
  at: noon('2026-01-15'),
  price: '0.35',
  pieces: '3',
  customer: 'x',
  trial: 'FALSE',
  ...rest,
})

describe('Events', () => {
  test('add up; a negative row corrects; a sum that cancels out is 0', async () => {
    const source = await open({ metrics: [revenue({ group_by: ['country'] })] })
    await source.send([
      { at: noon('2026-01-15'), amount: '249.50', country: 'SE' },
      { at: noon('2026-01-15'), amount: '100', country: 'NO' },
    ])
    await source.send([
      { at: noon('2026-01-15'), amount: '-49.5', country: 'SE' },
      { at: noon('2026-01-15'), amount: '-100', country: 'NO' },
    ])
    expect(await source.lines()).toEqual(['2026-01-15 NO 0', '2026-01-15 SE 200'])
    // A missing label is the empty string.
    const { artifactId } = await source.send([{ at: noon('2026-01-15'), amount: '1' }])
    const [first] = await source.samples()
    expect(first).toMatchObject({ labels: { country: '' }, value: '1', artifact_id: artifactId })
  })

  test('are exact where floats are not, and written without exponent or trailing zeros', async () => {
    const source = await open({})
    await source.send([
      { at: noon('2026-01-01'), amount: '0.1' },
      { at: noon('2026-01-01'), amount: '0.2' },
      { at: noon('2026-01-02'), amount: '9007199254740993' },
      { at: noon('2026-01-03'), amount: '1.5e3' },
      { at: noon('2026-01-04'), amount: '-0.00' },
      { at: noon('2026-01-05'), amount: '99999999999999999999.999999999999999999' },
      { at: noon('2026-01-05'), amount: '.000000000000000001' },
      { at: noon('2026-01-06'), amount: '1e-18' },
    ])
    // A JSON number is parsed from its digits.
    const body = `{"idempotency_key":"digits","shape_version":1,"payload":[{"at":"${noon('2026-01-07')}","amount":12345678901234567890.10}]}`
    const { body: receipt } = await ingest(shop.url, source.credential, body)
    await waitUntilRead(shop.url, source.credential, receipt.artifact_id)
    expect(await source.lines()).toEqual([
      '2026-01-07 12345678901234567890.1',
      '2026-01-06 0.000000000000000001',
      '2026-01-05 100000000000000000000',
      '2026-01-04 0',
      '2026-01-03 1500',
      '2026-01-02 9007199254740993',
      '2026-01-01 0.3',
    ])
  })

  test('refuse the rows that do not fit, and count the others', async () => {
    const source = await open({})
    const wrong = [
      '1,5',
      '1 000',
      'NaN',
      'Infinity',
      '0x10',
      'ten',
      '1e99',
      '1'.repeat(39),
      '9'.repeat(10_000),
    ]
    const rows = wrong.map((amount) => ({ at: noon('2026-01-15'), amount }))
    const report = await source.send([...rows, { at: noon('2026-01-15'), amount: '7' }])
    expect(report).toMatchObject({ state: 'parsed', rows_accepted: 1, rows_refused: wrong.length })
    expect(await source.lines()).toEqual(['2026-01-15 7'])
  })

  test('count distinct values over all deliveries, each once', async () => {
    const source = await open({ metrics: [activeUsers({ period: 'month' })] })
    await source.send(['anna', 'bo', 'anna'].map((customer) => ({ at: noon('2026-01-15'), customer })))
    await source.send(['bo', 'cai', ''].map((customer) => ({ at: noon('2026-01-31'), customer })))
    expect(await source.lines()).toEqual(['2026-01-01 3'])
    const trace = await source.trace('active_users', '2026-01-01')
    expect(trace.deliveries.map((entry: { added: number }) => entry.added)).toEqual([1, 2])
  })

  test('give the least, the greatest and the last by event time, sent in any order', async () => {
    const rows = [
      [
        { at: '2026-01-15T10:00:00Z', amount: '-2.5' },
        { at: '2026-01-15T20:00:00Z', amount: '3' },
      ],
      [
        { at: '2026-01-15T08:00:00Z', amount: '40' },
        { at: '2026-01-15T09:00:00Z', amount: '-1' },
      ],
    ]
    for (const [aggregation, value] of [
      ['min', '-2.5'],
      ['max', '40'],
      ['last', '3'],
    ]) {
      const source = await open({ metrics: [revenue({ aggregation })] })
      for (const payload of rows) await source.send(payload)
      expect([aggregation, ...(await source.lines())]).toEqual([aggregation, `2026-01-15 ${value}`])
    }
  })

  test('sum a product of filtered rows; a filter may use a personal field', async () => {
    const source = await open({
      fields: [
        { name: 'at', type: 'timestamp', personal: false },
        { name: 'price', type: 'number', personal: false },
        { name: 'pieces', type: 'number', personal: false },
        { name: 'customer', type: 'text', personal: true },
        { name: 'trial', type: 'bool', personal: false },
      ],
      metrics: [
        revenue({
          field: 'price',
          times: 'pieces',
          filters: [
            { field: 'customer', comparison: '≠', value: 'staff' },
            { field: 'trial', comparison: '=', value: 'false' },
            { field: 'pieces', comparison: '≥', value: '2' },
          ],
        }),
      ],
    })
    await source.send([
      sale({}),
      sale({ customer: 'staff' }),
      sale({ trial: 'true' }),
      sale({ pieces: '1.99' }),
    ])
    expect(await source.lines()).toEqual(['2026-01-15 1.05'])
    expect(JSON.stringify(await source.samples())).not.toContain('customer')
  })
})

describe('Statements', () => {
  test('replace earlier ones in each period that they have a row in, and in no other', async () => {
    const source = await open({ delivers: 'statements', metrics: [revenue({ group_by: ['country'] })] })
    const first = await source.send([
      { at: noon('2026-01-14'), amount: '1', country: 'SE' },
      { at: noon('2026-01-15'), amount: '2', country: 'SE' },
      { at: noon('2026-01-15'), amount: '3', country: 'NO' },
    ])
    const second = await source.send([{ at: noon('2026-01-15'), amount: '20', country: 'SE' }])
    expect(await source.lines()).toEqual(['2026-01-15 SE 20', '2026-01-14 SE 1'])
    const [today, before] = await source.samples()
    expect([today!.artifact_id, before!.artifact_id]).toEqual([second.artifactId, first.artifactId])

    expect(await source.trace('revenue', '2026-01-15', { country: 'SE' })).toMatchObject({
      value: '20',
      restated: true,
      owner_artifact_id: second.artifactId,
      deliveries: [
        { artifact_id: second.artifactId, value: '20', superseded: false },
        { artifact_id: first.artifactId, value: '2', superseded: true },
      ],
    })
    // A cell that the later one omits has no sample, but still a trace.
    expect(await source.trace('revenue', '2026-01-15', { country: 'NO' })).toMatchObject({
      value: null,
      owner_artifact_id: second.artifactId,
      deliveries: [{ artifact_id: first.artifactId, value: '3', superseded: true }],
    })
    expect(await source.trace('revenue', '2026-01-14', { country: 'SE' })).toMatchObject({ restated: false })
  })

  test('own no period by refused rows, but do by filtered ones', async () => {
    const source = await open({
      delivers: 'statements',
      metrics: [revenue({ filters: [{ field: 'country', comparison: '=', value: 'SE' }] })],
    })
    await source.send([
      { at: noon('2026-01-14'), amount: '1', country: 'SE' },
      { at: noon('2026-01-15'), amount: '2', country: 'SE' },
    ])
    await source.send([
      { at: noon('2026-01-14'), amount: 'one', country: 'SE' },
      { at: noon('2026-01-15'), amount: '9', country: 'NO' },
    ])
    expect(await source.lines()).toEqual(['2026-01-14 1'])
  })

  test('restate the month so far for a monthly metric', async () => {
    const source = await open({ delivers: 'statements', metrics: [revenue({ period: 'month' })] })
    const days = ['2026-01-01', '2026-01-08', '2026-01-31', '2026-02-01']
    for (let upTo = 1; upTo <= days.length; upTo++) {
      await source.send(days.slice(0, upTo).map((day) => ({ at: day, amount: '10' })))
    }
    expect(await source.lines()).toEqual(['2026-02-01 10', '2026-01-01 30'])
  })
})

describe('Days, weeks and months are Stockholm’s', () => {
  /** The last and first instants of Stockholm days, around each clock change and the end of the year. */
  const edges: [at: string, day: string, week: string, month: string][] = [
    ['2025-12-31T22:59:59.999Z', '2025-12-31', '2025-12-29', '2025-12-01'],
    ['2025-12-31T23:00:00Z', '2026-01-01', '2025-12-29', '2026-01-01'],
    ['2026-03-28T22:59:59Z', '2026-03-28', '2026-03-23', '2026-03-01'],
    ['2026-03-28T23:00:00Z', '2026-03-29', '2026-03-23', '2026-03-01'],
    ['2026-03-29T21:59:59Z', '2026-03-29', '2026-03-23', '2026-03-01'],
    ['2026-03-29T22:00:00Z', '2026-03-30', '2026-03-30', '2026-03-01'],
    ['2026-03-31T22:00:00Z', '2026-04-01', '2026-03-30', '2026-04-01'],
    ['2026-10-24T21:59:59Z', '2026-10-24', '2026-10-19', '2026-10-01'],
    ['2026-10-24T22:00:00Z', '2026-10-25', '2026-10-19', '2026-10-01'],
    ['2026-10-25T22:59:59Z', '2026-10-25', '2026-10-19', '2026-10-01'],
    ['2026-10-25T23:00:00Z', '2026-10-26', '2026-10-26', '2026-10-01'],
    ['2026-06-30T23:30:00-05:00', '2026-07-01', '2026-06-29', '2026-07-01'],
    ['2026-07-01t01:59:60+02:00', '2026-07-01', '2026-06-29', '2026-07-01'],
    ['2026-05-05', '2026-05-05', '2026-05-04', '2026-05-01'],
    ['2026-10-25', '2026-10-25', '2026-10-19', '2026-10-01'],
  ]

  test.each([
    ['day', 1],
    ['week', 2],
    ['month', 3],
  ] as const)('by %s, across the clock changes and the end of the year', async (period, column) => {
    const source = await open({ metrics: [revenue({ period })] })
    const report = await source.send(edges.map(([at], index) => ({ at, amount: String(2 ** index) })))
    expect(report).toMatchObject({ rows_accepted: edges.length, rows_refused: 0, rows_date_alone: 2 })
    const sums = new Map<string, number>()
    for (const [index, edge] of edges.entries()) {
      sums.set(edge[column], (sums.get(edge[column]) ?? 0) + 2 ** index)
    }
    const wanted = [...sums].map(([day, sum]) => `${day} ${sum}`).toSorted()
    expect((await source.lines()).toReversed()).toEqual(wanted)
  })
})

describe('A read', () => {
  test('reaches 731 days back; a longer window is narrowed, and marked so', async () => {
    const source = await open({})
    await source.send(
      ['2024-01-01', '2024-01-02', '2025-12-31', '2026-01-01'].map((at) => ({ at, amount: '1' })),
    )
    const readWindow = async (query: Record<string, string>) => {
      const { window, samples } = await readSamples(shop.url, source.credential, query)
      return [window.from, window.to, window.max_days, window.narrowed, samples.map((s) => s.period_start)]
    }
    // 2024 was a leap year: 731 days before 2026-01-01 is 2024-01-01.
    expect(await readWindow({ from: '2024-01-01', to: '2026-01-01' })).toEqual([
      '2024-01-01',
      '2026-01-01',
      731,
      false,
      ['2025-12-31', '2024-01-02', '2024-01-01'],
    ])
    expect(await readWindow({ from: '2023-12-31', to: '2026-01-02' })).toEqual([
      '2024-01-02',
      '2026-01-02',
      731,
      true,
      ['2026-01-01', '2025-12-31', '2024-01-02'],
    ])
    expect(await readWindow({ to: '2026-01-01' })).toEqual([
      '2024-01-01',
      '2026-01-01',
      731,
      false,
      ['2025-12-31', '2024-01-02', '2024-01-01'],
    ])
    expect(await readWindow({ from: '2026-01-01', to: '2026-01-02' })).toMatchObject([
      '2026-01-01',
      '2026-01-02',
      731,
      false,
      ['2026-01-01'],
    ])
  })
})
