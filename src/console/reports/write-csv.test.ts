import { expect, test } from 'vitest'
import { fileName, writeCsv, type FileReport } from './write-csv.ts'

const period = (start: string, end: string) => ({ start, end, finished: true, restated: null, was: null })

const report: FileReport = {
  metric: 'revenue',
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
  expect(writeCsv(report, 'en')).toBe(
    [
      `\uFEFF"First day","Last day","SE","'=cmd()","(none)","Other","All","All, year before","All, before it was restated","Unfinished"`,
      '2026-01-01,2026-01-31,99999999999999999999999999999999999999,-0.000000000000000001,,1.5,99999999999999999999999999999999999999,,,',
      '2026-02-01,2026-02-28,0,,1,,1,2.25,-7.5,"yes"',
      '',
    ].join('\r\n'),
  )
})

test('a file in Swedish has semicolons and decimal commas', () => {
  const [head, first, second] = writeCsv(report, 'sv').split('\r\n')
  expect(head).toBe(
    `\uFEFF"Första dag";"Sista dag";"SE";"'=cmd()";"(inget)";"Övriga";"Alla";"Alla, året före";"Alla, före revideringen";"Pågår"`,
  )
  expect(first).toBe(
    '2026-01-01;2026-01-31;99999999999999999999999999999999999999;-0,000000000000000001;;1,5;99999999999999999999999999999999999999;;;',
  )
  expect(second).toBe('2026-02-01;2026-02-28;0;;1;;1;2,25;-7,5;"ja"')
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
    expect(writeCsv(labels, language)).toContain(`"x;'=HYPERLINK(A1)"`)
    expect(writeCsv(labels, language)).toContain(`"x,'=A1"`)
  }
})

test('the name of a file that lacks values ends in part', () => {
  expect(fileName({ ...report, left_out: 2 })).toBe('revenue-2026-01-01-2026-02-28-part.csv')
  expect(fileName({ ...report, complete: false })).toBe('revenue-2026-01-01-2026-02-28-part.csv')
})

test('a file is named after its metric and its days', () => {
  expect(fileName(report)).toBe('revenue-2026-01-01-2026-02-28.csv')
  expect(fileName({ ...report, metric: 'a"\r\nb', periods: [] })).toBe('a-b-2026-01-01-2026-01-01.csv')
})
