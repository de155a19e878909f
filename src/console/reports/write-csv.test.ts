import { expect, test } from 'vitest'
import { contentDisposition } from './file-name.ts'
import { writeCsv, type FileReport } from './write-csv.ts'

const period = (start: string, end: string) => ({ start, end, finished: true, restated: null, was: null })
const readAt = '2026-03-15T12:00:00.000Z'

const report: FileReport = {
  metric: 'revenue',
  unit: 'SEK',
  window: { from: '2026-01-01' },
  periods: [
    period('2026-01-01', '2026-01-31'),
    { ...period('2026-02-01', '2026-02-28'), finished: false, restated: 'corrected', was: '-7.5' },
  ],
  series: [
    { key: 'SE', values: ['99999999999999999999999999999999999999', '0'] },
    { key: '=cmd()', values: ['-0.000000000000000001', null] },
    { key: '', values: [null, '1'] },
  ],
  other: { values: ['1.5', null] },
  totals: ['99999999999999999999999999999999999999', '1'],
  year_before: { totals: [null, '2.25'] },
  vintage_today: null,
  left_out: 0,
  complete: true,
}

test('a file in English has commas and points, every digit, and empty cells where nothing was said', () => {
  expect(writeCsv(report, 'en', readAt)).toBe(
    [
      `\uFEFF"First day","Last day","SE (SEK)","'=cmd() (SEK)","(none) (SEK)","Other (SEK)","All (SEK)","All, year before (SEK)","All, before it was restated (SEK)","Unfinished","Read at"`,
      '2026-01-01,2026-01-31,99999999999999999999999999999999999999,-0.000000000000000001,,1.5,99999999999999999999999999999999999999,,,,2026-03-15T12:00:00.000Z',
      '2026-02-01,2026-02-28,0,,1,,1,2.25,-7.5,"yes",2026-03-15T12:00:00.000Z',
      '',
    ].join('\r\n'),
  )
})

test('a file in Swedish has semicolons and decimal commas', () => {
  const [head, first, second] = writeCsv(report, 'sv', readAt).split('\r\n')
  expect(head).toBe(
    `\uFEFF"Första dag";"Sista dag";"SE (SEK)";"'=cmd() (SEK)";"(inget) (SEK)";"Övriga (SEK)";"Alla (SEK)";"Alla, året före (SEK)";"Alla, före revideringen (SEK)";"Pågår";"Hämtat"`,
  )
  expect(first).toBe(
    '2026-01-01;2026-01-31;99999999999999999999999999999999999999;-0,000000000000000001;;1,5;99999999999999999999999999999999999999;;;;2026-03-15T12:00:00.000Z',
  )
  expect(second).toBe('2026-02-01;2026-02-28;0;;1;;1;2,25;-7,5;"ja";2026-03-15T12:00:00.000Z')
})

test('a label begins no formula in a spreadsheet of the other language', () => {
  const labels = {
    ...report,
    series: [
      { key: 'x;=HYPERLINK(A1)', values: [] },
      { key: 'x,=A1', values: [] },
    ],
  }
  for (const language of ['en', 'sv'] as const) {
    expect(writeCsv(labels, language, readAt)).toContain(`"x;'=HYPERLINK(A1) (SEK)"`)
    expect(writeCsv(labels, language, readAt)).toContain(`"x,'=A1 (SEK)"`)
  }
})

test('a file is named after company, source, metric, days and instant, in ASCII and in full', () => {
  const of = { company: 'Åkes/"Bageri" AB', source: 'Kassa 🍞', readAt, ending: 'xlsx' } as const
  expect(contentDisposition(report, of)).toBe(
    'attachment; filename="Akes-Bageri-AB-Kassa-revenue-2026-01-01-2026-02-28-20260315T1200Z.xlsx"; ' +
      "filename*=UTF-8''%C3%85kes%20Bageri%20AB%20Kassa%20%F0%9F%8D%9E%20revenue%202026-01-01%202026-02-28%2020260315T1200Z.xlsx",
  )
  const hostile = { company: 'a"\r\n\'*b', source: '日本', readAt, ending: 'csv' } as const
  expect(contentDisposition({ ...report, metric: 'm', periods: [], left_out: 2 }, hostile)).toBe(
    'attachment; filename="a-b-m-2026-01-01-2026-01-01-20260315T1200Z-part.csv"; ' +
      "filename*=UTF-8''a%20%27%20b%20%E6%97%A5%E6%9C%AC%20m%202026-01-01%202026-01-01%2020260315T1200Z%20part.csv",
  )
})
