import { aggregationNames, aggregations } from '../../aggregations/aggregations.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Comparison, Filter, Metric } from '../../declarations/declaration.ts'
import { compilePlan } from '../plan/compile-plan.ts'
import { aggregateDelivery } from './aggregate-delivery.ts'
import { naiveAggregate } from '../../../../testing/cases/naive-aggregation.ts'
import { measureGrowth } from '../../../../testing/cases/growth.ts'
import { metric, salt, shape, stockholm } from '../../../../testing/cases/orders.ts'
import { cellValues } from '../../../../testing/cases/cell-values.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'
import { madeUpCases } from '../../../../testing/cases/made-up-cases.ts'

describe('any delivery', () => {
  const numbers = fc.oneof(
    fc.constantFrom(
      '"1"',
      '"129.50"',
      '"-0.5"',
      '"007"',
      '12',
      '-1.25',
      '0',
      '-0',
      '"-0.0"',
      '"+5"',
      '"5."',
      '".5"',
      '1e2',
    ),
    fc.constantFrom(
      '"1E-3"',
      '"12345678901234567"',
      '"0.1234567890123456"',
      '9007199254740993',
      '"-9007199254740991"',
    ),
    fc.tuple(fc.maxSafeInteger(), fc.nat(18)).map(([digits, scale]) => `"${digits}e-${scale}"`),
    fc.tuple(fc.integer(), fc.nat(99_999)).map(([whole, decimals]) => `"${whole}.${decimals}"`),
  )
  const times = fc.oneof(
    fc.constantFrom(
      '"2026-01-05"',
      '"2026-01-05T10:00:00Z"',
      '"2026-03-29T01:30:00.5+00:00"',
      '"2025-12-29"',
    ),
    fc.constantFrom('"2016-12-31T23:59:60Z"', '"2026-01-05t10:00:00.120z"', '"2026-01-05 23:30:00-01:00"'),
    fc.constantFrom(
      '"2026-01-05T10:00:00.1234567891Z"',
      '"2026-01-05T10:00:00.000Z"',
      '"2026-01-06T00:15:00+05:45"',
    ),
    fc.constantFrom('"0001-01-01"', '"9999-12-31"', '"0000-12-31"', '"2011-12-30"', '"2018-11-04"'),
  )
  const texts = fc.constantFrom(
    '"SE"',
    '"NO"',
    '"\\u0053E"',
    '"😀"',
    '"a\\nb"',
    '1.0',
    '"1.0"',
    'true',
    '"\\/"',
    '"/"',
    '"\\ud83d\\uDE00"',
    '"\\u0053\\u0000"',
  )
  const bools = fc.constantFrom('"true"', 'true', '"FALSE"', 'false', '"True"', '"false"')
  const odd = fc.oneof(
    fc.constantFrom(
      '[]',
      '{"a":[1]}',
      '"1e99"',
      '"-"',
      '"."',
      '"1 000"',
      '"\\u0000"',
      '"\\ud83d"',
      '"truex"',
      '"t"',
    ),
    fc.constantFrom(
      '"2026-02-29"',
      '"0000-00-00"',
      '"2026-01-05T10:00:00"',
      '"2026-01-05T24:00:00Z"',
      '"2026-01-05T10:00Z"',
    ),
    numbers,
    times,
    texts,
    bools,
  )
  const toValue = (name: string) => {
    const type = shape.fields.find((field) => field.name === name)?.type ?? 'text'
    return fc.oneof(
      { weight: 50, arbitrary: { number: numbers, timestamp: times, text: texts, bool: bools }[type] },
      { weight: 4, arbitrary: fc.constantFrom('null', '""') },
      { weight: 1, arbitrary: odd },
    )
  }
  const name = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...shape.fields.map((field) => JSON.stringify(field.name))) },
    fc.constantFrom('"\\u0061t"', '"kund \\"\\u00e5\\""', '"amoun\\u0074"', '"other"', '"__proto__"'),
  )
  const space = fc.constantFrom('', '', '', ' ', '\n\t')
  const member = fc
    .tuple(name, space, space, space)
    .chain(([key, a, b, c]) => toValue(JSON.parse(key)).map((v) => [key, `${key}${a}:${b}${v}${c}`]))
  const row = fc
    .tuple(
      fc.uniqueArray(member, { maxLength: 8, selector: ([key]) => JSON.parse(key!) }),
      fc.boolean(),
      space,
    )
    .map(([members, dated, s]) => {
      const parts = members.map(([, text]) => text)
      const hasTime = members.some(([key]) => JSON.parse(key!) === shape.event_time)
      return `{${s}${(dated && !hasTime ? [`"at":"2026-01-0${(parts.length % 8) + 1}"`, ...parts] : parts).join(',')}}`
    })
  const content = fc
    .tuple(fc.array(row, { maxLength: 30 }), space)
    .map(([rows, s]) => `[${s}${rows.join(`${s},${s}`)}${s}]`)

  const field = fc.constantFrom(...shape.fields.map(({ name }) => name), 'gone')
  const comparison = fc.constantFrom<Exclude<Comparison, 'in'>>('=', '≠', '<', '≤', '>', '≥')
  const filter: fc.Arbitrary<Filter> = fc.oneof(
    fc.record({
      field: fc.constantFrom<string>('amount', 'quantity'),
      comparison,
      value: fc.constantFrom<string>('1', '0', '129.5', '12', '9007199254740993'),
    }),
    fc.record({
      field: fc.constantFrom<string>('country', 'kund "å"'),
      comparison,
      value: fc.constantFrom<string>('SE', '1', '😀', 'true'),
    }),
    fc.record({
      field: fc.constantFrom<string>('at', 'due'),
      comparison,
      value: fc.constantFrom<string>('2026-01-05', '2026-01-05T10:00:00.12Z'),
    }),
    fc.record({
      field,
      comparison: fc.constant('in' as const),
      values: fc.constantFrom<string[]>(['1', '12'], ['2026-01-05'], ['SE', '1'], ['TRUE']),
    }),
  )
  const anyMetric: fc.Arbitrary<Metric> = fc
    .record({
      metric: fc.constantFrom('revenue', 'active_users'),
      counts: fc.constantFrom(...aggregationNames).chain((aggregation): fc.Arbitrary<Partial<Metric>> => {
        const { counts, takesTimes } = aggregations[aggregation]
        const counted = fc.record({ aggregation: fc.constant(aggregation), field })
        if (counts === 'values') return counted
        if (counts === 'rows') return fc.oneof(counted, fc.constant({ aggregation }))
        const number = fc.constantFrom<string>('amount', 'quantity')
        const ofNumber = fc.record({ aggregation: fc.constant(aggregation), field: number })
        return takesTimes
          ? fc.oneof(
              ofNumber,
              ofNumber.map((metric) => ({ ...metric, times: 'quantity' })),
            )
          : ofNumber
      }),
      filters: fc.oneof(fc.constant([]), fc.array(filter, { maxLength: 2 })),
      group_by: fc.uniqueArray(field, { maxLength: 3 }),
      period: fc.constantFrom('day', 'week', 'month'),
    })
    .map(({ counts, ...rest }) => ({ ...rest, ...counts }) as Metric)

  test('has the same result on the fast path, the general path and in the naive model', () => {
    const zone = fc.constantFrom('Europe/Stockholm', 'America/Sao_Paulo', 'Pacific/Apia')
    // The rows' days lie on both sides of 366 days after it.
    const receivedAt = new Date('2025-01-04T23:30:00Z')
    fc.assert(
      fc.property(
        content,
        fc.array(anyMetric, { minLength: 1, maxLength: 3 }),
        zone,
        (text, metrics, zoneName) => {
          const plan = compilePlan(shape, metrics, new TimeZone(zoneName), salt)
          const ways = [{ receivedAt }, { receivedAt, fast: false }]
          const [fast, general] = ways.map((options) =>
            cellValues(aggregateDelivery(plan, Buffer.from(text), 'json', options)),
          )
          expect(general).toEqual(fast)
          if (fast?.state !== 'parsed') throw new Error(fast?.reason)
          const receivedOn = receivedAt.toTemporalInstant().toZonedDateTimeISO(zoneName).toPlainDate()
          const naive = naiveAggregate(shape, metrics, zoneName, salt, text, receivedOn)
          const { writtenBytes, refusalGroups, ...outcome } = fast
          expect(writtenBytes).toBeGreaterThanOrEqual(0)
          const grouped = refusalGroups.reduce((sum, { rows }) => sum + rows, 0)
          expect(grouped).toBe(naive.rowsRefused)
          expect({
            ...outcome,
            refusals: fast.refusals.map(({ row, field, code }) => `${row} ${field} ${code}`),
          }).toEqual(naive)
        },
      ),
      { numRuns: madeUpCases(600) },
    )
  })

  test('that is broken anywhere is unreadable both ways', () => {
    const plan = compilePlan(shape, [metric({ field: 'amount', group_by: ['country'] })], stockholm, salt)
    const put = fc.constantFrom('', ',', '"', '}', ']', '\\', '0', '-', '.', ' ', ':', '\u0001', 'x', '{')
    fc.assert(
      fc.property(content, fc.nat(), put, (text, position, piece) => {
        const place = position % (text.length + 1)
        const broken = Buffer.from(text.slice(0, place) + piece + text.slice(place + 1))
        const fast = cellValues(aggregateDelivery(plan, broken))
        expect(cellValues(aggregateDelivery(plan, broken, 'json', { fast: false }))).toEqual(fast)
        try {
          JSON.parse(broken.toString())
        } catch {
          expect(fast.state).toBe('unreadable')
        }
      }),
      { numRuns: madeUpCases(600) },
    )
  })
})

const rowOf = (amount: string) => `[{"at":"2026-01-05","amount":"${amount}"}]`

test('Very many tiny rows and the longest numbers take time in proportion to their bytes', () => {
  const plan = compilePlan(shape, [metric({ field: 'amount', group_by: ['country'] })], stockholm, salt)
  for (const [count, textOf, refusedOf] of [
    [2_000, (rows: number) => `[${'{},'.repeat(rows)}{}]`, (rows: number) => rows + 1],
    [100_000, (digits: number) => rowOf(`1${'0'.repeat(digits)}`), () => 1],
    [100_000, (digits: number) => rowOf(`1e-${'9'.repeat(digits)}`), () => 1],
    [1_000, (rows: number) => `[${'{"at":0},'.repeat(rows)}{}]`, (rows: number) => rows + 1],
  ] as const) {
    const growth = measureGrowth(count, (size) => {
      const content = Buffer.from(textOf(size))
      const expected = { state: 'parsed', rowsRefused: refusedOf(size) }
      return () => expect(aggregateDelivery(plan, content)).toMatchObject(expected)
    })
    expect(growth).toBeLessThan(3)
  }
})
