import type { Format } from '../../formats/formats.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Metric, Shape } from '../../declarations/declaration.ts'
import { compilePlan } from '../plan/compile-plan.ts'
import { aggregateDelivery } from './aggregate-delivery.ts'
import { measureGrowth } from '../../../../testing/cases/growth.ts'
import { cellValues } from '../../../../testing/cases/cell-values.ts'
import { TimeZone } from '../../../formats/values/time-zone.ts'
import { madeUpCases } from '../../../../testing/cases/made-up-cases.ts'

const shape: Shape = {
  event_time: 'at',
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
    { name: 'country', type: 'text', personal: false },
    { name: 'note', type: 'text', personal: true },
    { name: 'test', type: 'bool', personal: false },
  ],
}
const metrics: Metric[] = [
  {
    metric: 'revenue',
    aggregation: 'sum',
    field: 'amount',
    filters: [],
    group_by: ['country'],
    period: 'day',
  },
  {
    metric: 'active_users',
    aggregation: 'count_distinct',
    field: 'note',
    filters: [],
    group_by: ['test'],
    period: 'month',
  },
]
const plan = compilePlan(shape, metrics, new TimeZone('Europe/Stockholm'), Buffer.from('salt'))

/** The result, which must not depend on the path that rows take. */
const aggregate = (format: Format, content: string | Buffer, ofPlan = plan) => {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const result = cellValues(aggregateDelivery(ofPlan, bytes, format))
  expect(cellValues(aggregateDelivery(ofPlan, bytes, format, { fast: false }))).toEqual(result)
  return result
}

const parsed = (format: Format, content: string | Buffer, ofPlan = plan) => {
  const result = aggregate(format, content, ofPlan)
  if (result.state !== 'parsed') throw new Error(result.reason)
  return result
}

const cells = (result: ReturnType<typeof parsed>) =>
  result.contributions.map(({ metric, periodStart, labels, value }) =>
    [metric, periodStart, labels, value].join(' '),
  )

const refusals = (result: ReturnType<typeof parsed>) =>
  result.refusals.map(({ row, line, field, code }) => `row ${row} line ${line} ${field} ${code}`)

/** Cells as senders write them: mostly valid, mostly in the usual form. */
const cell = {
  at: fc.constantFrom(
    '2026-01-05',
    '2026-01-05T10:00:00Z',
    '2026-03-29T01:30:00.5+00:00',
    '2016-12-31T23:59:60Z',
    '2026-01-05 23:30:00-01:00',
    '2026-02-30',
    '2026-01-05T10:00:00',
    '2026-01-05Z',
    '',
  ),
  amount: fc.constantFrom(
    '1',
    '-0.5',
    '007',
    '+5',
    '.5',
    '5.',
    '1e3',
    '12345678901234567890.5',
    '1,5',
    ' 1',
    '-',
    '',
  ),
  text: fc.oneof(
    fc.constantFrom(
      'SE',
      'NO',
      '',
      'a;b',
      'a,b',
      'a"b',
      '"',
      '""',
      'två\nrader',
      '\r\n',
      ' ',
      "'",
      'a\0b',
      '😀',
    ),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  ),
  test: fc.constantFrom('true', 'false', 'TRUE', 'False', '1', 'truex', ''),
}
const row = fc.record({
  at: cell.at,
  amount: cell.amount,
  country: cell.text,
  note: cell.text,
  test: cell.test,
})
type Row = { at: string; amount: string; country: string; note: string; test: string }
const columns = fc.shuffledSubarray<keyof Row>(['at', 'amount', 'country', 'note', 'test'], { minLength: 1 })

const withoutLines = (result: ReturnType<typeof aggregate>) =>
  result.state === 'parsed'
    ? { ...result, refusals: result.refusals.map((refusal) => ({ ...refusal, line: undefined })) }
    : result

const written = (text: string, delimiter: string, isQuoted: boolean) =>
  isQuoted || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text

const reason = (text: string | Buffer) => {
  const result = aggregate('csv', text)
  return result.state === 'unreadable' ? result.reason : result.state
}

/** How many rows of one with this cell are refused. */
const refused = (cell: string) => parsed('csv', `at,note\n2026-01-05,${cell}\n`).rowsRefused

describe('CSV', () => {
  test('has the same result as the same rows in JSON, with any delimiter, line breaks and quotes', () => {
    const document = fc.record({
      rows: fc.array(row, { maxLength: 20 }),
      columns,
      semicolons: fc.boolean(),
      lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
      quoted: fc.infiniteStream(fc.boolean()),
      mark: fc.constantFrom('', '\ufeff'),
    })
    fc.assert(
      fc.property(document, ({ rows, columns, semicolons, lineBreak, quoted, mark }) => {
        // With one column the delimiter is unknown, so it is the comma.
        const delimiter = semicolons && columns.length > 1 ? ';' : ','
        const line = (texts: string[]) =>
          texts
            // A record of one empty cell would be an empty line, which is not a record.
            .map((text) =>
              written(text, delimiter, quoted.next().value! || (texts.length === 1 && text === '')),
            )
            .join(delimiter)
        const lines = [line(columns), ...rows.map((row) => line(columns.map((column) => row[column])))]
        const json = rows.map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
        expect(withoutLines(aggregate('csv', mark + lines.join(lineBreak)))).toEqual(
          aggregate('json', JSON.stringify(json)),
        )
      }),
      { numRuns: madeUpCases(400) },
    )
  })

  test('that is broken anywhere has the same result on both paths', () => {
    const text = 'at,amount,country,test\n2026-01-05,1.5,"a ""b"" c",true\r\n2026-01-06,2,NO,false\n'
    const put = fc.constantFrom('', ',', '"', '""', '\n', '\r', ';', '\0', 'å', '0', '-')
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(3), put, (place, cut, piece) => {
        aggregate('csv', text.slice(0, place) + piece + text.slice(place + cut))
      }),
      { numRuns: madeUpCases(800) },
    )
  })

  test('refuses rows by their number and their line, also beyond quoted line breaks and empty lines', () => {
    const text = [
      'at,amount,country',
      '2026-01-05,1,"SE',
      'NO"',
      '',
      '2026-01-05,x,SE',
      '2026-01-05,1',
      '2026-01-05,1,SE,',
      ',1,SE',
      '2026-01-05,1,S\0E',
      '2026-01-05,2,SE',
    ].join('\r\n')
    const result = parsed('csv', text)
    expect(refusals(result)).toEqual([
      'row 2 line 5 amount number_malformed',
      'row 3 line 6 undefined cells_differ',
      'row 4 line 7 undefined cells_differ',
      'row 5 line 8 at event_time_missing',
      'row 6 line 9 country text_not_storable',
    ])
    expect(result.rowsAccepted).toBe(2)
    expect(cells(result)).toEqual([
      'revenue 2026-01-05 {"country":"SE\\r\\nNO"} 1',
      'revenue 2026-01-05 {"country":"SE"} 2',
    ])
  })

  test('accepts texts of up to 10,000 characters, quoted or not, and refuses longer ones', () => {
    expect(refused('x'.repeat(10_000))).toBe(0)
    expect(refused('x'.repeat(10_001))).toBe(1)
    expect(refused('😀'.repeat(10_000))).toBe(0)
    expect(refused('😀'.repeat(10_001))).toBe(1)
    expect(refused(`"${'""'.repeat(10_000)}"`)).toBe(0)
    expect(refused(`"${'""'.repeat(10_001)}"`)).toBe(1)
  })

  test('reports why content is unreadable and counts no row of it', () => {
    expect(reason('')).toBe('The CSV has no header row.')
    expect(reason('x,y\n1,2\n')).toBe('The header row names no declared field.')
    expect(reason('at,at\n2026-01-05,2026-01-05\n')).toBe('The header row names a field twice.')
    expect(reason('at,amount\n2026-01-05,1\n2026-01-05,"1')).toBe(
      'The CSV has a quote on line 3 that is never closed.',
    )
    expect(reason(Buffer.from('at,country\n2026-01-05,\xe5', 'latin1'))).toBe('The content is not UTF-8.')
  })

  test('of very many tiny records, or of one wide one, takes time in proportion to its bytes', () => {
    for (const [count, header, unit, counts] of [
      [2_000, 'country\n', 'x\n', (rows: number) => ({ rowsRefused: rows })],
      [100_000, 'at,country\n', ',', () => ({ rowsRefused: 1 })],
      [1_000, 'at,country\n\0\n', '2026-01-05,x\n', (rows: number) => ({ rowsAccepted: rows })],
    ] as const) {
      const growth = measureGrowth(count, (size) => {
        const content = Buffer.from(header + unit.repeat(size))
        return () => expect(parsed('csv', content)).toMatchObject(counts(size))
      })
      expect(growth).toBeLessThan(3)
    }
  })
})

describe('JSON lines', () => {
  test('have the same result as the same rows in a list, with any white space', () => {
    const space = fc.constantFrom('', '', ' ', '\t', '\r')
    const document = fc.array(fc.tuple(row, space, space, fc.constantFrom('', '\n', ' \n')), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(document, fc.boolean(), (rows, isEnded) => {
        const lines = rows.map(([row, before, after, empty]) => empty + before + JSON.stringify(row) + after)
        const list = JSON.stringify(rows.map(([row]) => row))
        expect(withoutLines(aggregate('json_lines', lines.join('\n') + (isEnded ? '\n' : '')))).toEqual(
          aggregate('json', list),
        )
      }),
      { numRuns: 150 },
    )
  })

  test('refuse rows by their number and their line, counting blank ones', () => {
    const text = ['', '{"at":"2026-01-05"}', '  ', '{"at":"x"}', '{}', ''].join('\n')
    expect(refusals(parsed('json_lines', text))).toEqual([
      'row 2 line 4 at timestamp_malformed',
      'row 3 line 5 at event_time_missing',
    ])
  })

  test('are unreadable where a line is no object, or an object continues beyond its line', () => {
    for (const text of [
      '[]',
      '{} {}',
      '{},',
      '{"at":\n"2026-01-05"}',
      '{"at":"2026-01-05"\n}',
      '{',
      'x',
      '{}\n1',
    ]) {
      expect(aggregate('json_lines', text).state, text).toBe('unreadable')
    }
    expect(aggregate('json_lines', '').state).toBe('parsed')
  })
})

describe('SIE', () => {
  const fields: Shape['fields'] = [
    { name: 'date', type: 'timestamp', personal: false },
    { name: 'account', type: 'text', personal: false },
    { name: 'credit', type: 'number', personal: false },
    { name: 'series', type: 'text', personal: false },
    { name: 'branch', type: 'text', personal: false },
  ]
  const ofSie = compilePlan(
    { event_time: 'date', fields },
    [
      {
        metric: 'revenue',
        aggregation: 'sum',
        field: 'credit',
        filters: [
          { field: 'account', comparison: '≥', value: '3000' },
          { field: 'account', comparison: '<', value: '3800' },
        ],
        group_by: ['branch', 'series'],
        period: 'month',
      },
    ],
    new TimeZone('Europe/Stockholm'),
    Buffer.from('salt'),
  )
  const file = [
    '#FLAGGA 0',
    '#SIETYP 4',
    '#VER A 1 20260131 "Försäljning"',
    '{',
    '#TRANS 1930 {} 1250.00',
    '#TRANS 3001 {} -1000.00',
    '#TRANS 2611 {} -250.00',
    '}',
    '#VER A 2 20260202 ""',
    '{',
    '#TRANS 3001 {} -10.50',
    '#TRANS 3001 {} tio',
    '#TRANS 3740 {} 0.50 20260131',
    '#TRANS 4000 {} 1.00 20260230',
    '}',
  ]

  test('gives revenue by month from what was credited to its accounts, and refuses rows by their line', () => {
    const result = parsed('sie', file.join('\r\n'), ofSie)
    expect(cells(result)).toEqual([
      'revenue 2026-01-01 {"branch":"","series":"A"} 999.5',
      'revenue 2026-02-01 {"branch":"","series":"A"} 10.5',
    ])
    expect(refusals(result)).toEqual([
      'row 5 line 12 credit number_malformed',
      'row 7 line 14 date timestamp_no_such_day',
    ])
  })

  test('of very many rows takes no longer where they share a long text', () => {
    const count = 250
    const rows = '#TRANS 3001 {} -1\n'.repeat(count)
    const refused = (characters: number) => {
      const text = Buffer.from(
        `#FLAGGA 0\n#SIETYP 4\n#VER ${'A'.repeat(characters)} 1 20260131\n{\n${rows}}\n`,
      )
      // It is too long for the label that it would be.
      const expected = { rowsAccepted: 0, rowsRefused: count, contributions: [] }
      return () => expect(parsed('sie', text, ofSie)).toMatchObject(expected)
    }
    // Were it handled once a row, its 4,950 further characters would be all that takes time.
    expect(measureGrowth(9_900, refused, 1.5)).toBeLessThan(1.8)
  })

  test('that is cut off is unreadable', () => {
    expect(aggregate('sie', file.slice(0, -1).join('\n'), ofSie)).toMatchObject({
      state: 'unreadable',
      reason: 'The SIE file ends before what it began on line 9 is complete.',
    })
  })
})
