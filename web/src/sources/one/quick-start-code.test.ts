import { expect, test } from 'vitest'
import { writeZoned } from '../../company/zoned-time.ts'
import type { Declaration } from '../declaration.ts'
import { createExampleRow, toCsv } from './example-row.ts'
import { getCodeLanguages, createQuickStartCode, type QuickStartInput } from './quick-start-code.ts'

const at = '2026-11-21T14:03:00+01:00'

const declaration: Declaration = {
  fields: [
    { name: 'sold_at', type: 'timestamp', personal: false },
    { name: "it's", type: 'number', personal: false },
    { name: 'till', type: 'text', personal: false },
    { name: 'cashier', type: 'text', personal: true },
  ],
  event_time: 'sold_at',
  metrics: [
    {
      metric: 'revenue',
      aggregation: 'sum',
      field: "it's",
      filters: [
        { field: "it's", comparison: '>', value: '5000' },
        { field: 'till', comparison: 'in', values: ['Kista 2'] },
      ],
      group_by: ['till'],
      period: 'day',
    },
  ],
  delivers: 'events',
}

const input: QuickStartInput = {
  origin: 'https://numera.example',
  source: { source_id: 'source-1', channel: 'push', format: null, shape_version: 2 },
  declaration,
  connection: { credential_kind: 'client', isUnbound: false },
  at,
  key: 'try-1',
}

const toCode = (given: QuickStartInput, language = getCodeLanguages(given.source.channel)[0]!): string =>
  createQuickStartCode(language, given)
    .map(({ code }) => code)
    .join('\n')

test('An instant is written with the offset of its time zone, in summer and winter', () => {
  expect(writeZoned(Date.parse('2026-11-21T13:03:00Z'), 'Europe/Stockholm')).toBe(at)
  expect(writeZoned(Date.parse('2026-07-01T22:30:00Z'), 'Europe/Stockholm')).toBe('2026-07-02T00:30:00+02:00')
  expect(writeZoned(Date.parse('2026-11-21T02:00:00Z'), 'America/St_Johns')).toBe('2026-11-20T22:30:00-03:30')
})

test('The example row passes the metrics’ filters, and has no personal data', () => {
  expect(createExampleRow(declaration, at)).toEqual({ sold_at: at, "it's": '5001', till: 'Kista 2' })
})

test('The example row has a personal field that is counted', () => {
  const counted: Declaration = {
    ...declaration,
    metrics: [
      {
        metric: 'active_users',
        aggregation: 'count_distinct',
        field: 'cashier',
        filters: [],
        group_by: [],
        period: 'week',
      },
    ],
  }
  expect(createExampleRow(counted, at)).toHaveProperty('cashier')
})

test('Cells with delimiters and quotes are quoted', () => {
  expect(toCsv({ 'a;b': 'say "no"', c: '1' })).toBe('"a;b",c\n"say ""no""",1\n')
})

test('A push needs only the file from the connection’s page', () => {
  expect(toCode(input).startsWith('. ./numera.env\n')).toBe(true)
  expect(toCode(input)).not.toContain('jq')
  const isStatic = { credential_kind: 'static', isUnbound: false } as const
  expect(toCode({ ...input, connection: isStatic }).startsWith('. ./numera.env\n')).toBe(true)
  expect(toCode(input, 'typescript')).toContain('--env-file=numera.env')
  expect(toCode(input, 'python')).toContain('. ./numera.env')
})

test('Code is quoted for a shell, including quotes in names', () => {
  const code = toCode(input)
  expect(code).toContain(`"it'\\''s": "5001"`)
  expect(code).toContain('"shape_version": 2')
  expect(code).toContain("'https://numera.example/v1/ingest'")
  expect(code).toContain('$NUMERA_CLIENT_ID:$NUMERA_CLIENT_SECRET')
})

test('For an unbound connection with several companies, the address names source and company', () => {
  const code = toCode({
    ...input,
    connection: { credential_kind: 'static', isUnbound: true, orgnr: '559999-0016' },
  })
  expect(code).toContain("'https://numera.example/v1/ingest?source_id=source-1&orgnr=559999-0016'")
  expect(code).toContain('NUMERA_CREDENTIAL')
  expect(code).not.toContain('oauth')
})

test.each([
  ['csv', 'rows.csv'],
  ['json_lines', 'rows.jsonl'],
  ['sie', 'ledger.se'],
] as const)('A source of %s is sent the file %s whole', (format, name) => {
  const given = { ...input, source: { ...input.source, format } }
  for (const language of getCodeLanguages('push')) {
    const code = toCode(given, language)
    expect(code).toContain('application/octet-stream')
    expect(code).toContain(name)
    expect(code.toLowerCase()).toContain('idempotency-key')
  }
})

test('A webhook has an id and a signature, and the secret is never an argument', () => {
  const given = { ...input, source: { ...input.source, channel: 'webhook' as const } }
  for (const language of getCodeLanguages('webhook')) {
    const code = toCode(given, language)
    expect(code).toContain('https://numera.example/v1/webhooks/source-1')
    expect(code.toLowerCase()).toContain('service-signature')
    expect(code).not.toMatch(/-hmac|-macopt/)
  }
})
