import type { ApiResponse } from '../api/call-api.ts'
import { add } from '../decimals/decimal.ts'
import { addDays } from '../language/format-day.ts'

type ReportList = ApiResponse<'GET /console/companies/{company_id}/reports'>
type Card = ReportList['reports'][number]
type Report = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}'>
type Trace = ApiResponse<'GET /console/companies/{company_id}/sources/{source_id}/samples/trace'>
type Period = Report['periods'][number]
type Values = (string | null)[]

/** The first days of the last 13 months, up to November 2026. */
const months = Array.from({ length: 13 }, (_month, index) => {
  const month = 10 + index
  return `${2025 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
})

function sparkline(values: Values): Card['sparkline'] {
  return months.map((period_start, index) => ({
    period_start,
    value: values[index] ?? null,
    finished: index < 12,
  }))
}

const ledgerMonths =
  '1410500.00 1469731.75 1033170.25 921365.00 1104559.00 1163923.50 1191725.00 1160218.50 1005682.75 1127787.25 1195892.25 1298111.75 718876.00'.split(
    ' ',
  )

export const ledgerId = '01900000-0000-7000-8000-0000000000a1'

export function exampleCard(given: Partial<Card> = {}): Card {
  return {
    source_id: ledgerId,
    source_name: 'Ledger',
    metric: 'revenue',
    name: 'Revenue',
    unit: 'SEK',
    aggregation: 'sum',
    combines: 'sum',
    period: 'day',
    grain: 'month',
    source_state: 'active',
    paused_at: null,
    paused_by: null,
    total: true,
    latest: { period_start: '2026-10-01', value: '1298111.75', restated: false },
    previous: { period_start: '2026-09-01', value: '1195892.25' },
    year_before: { period_start: '2025-10-01', value: '1126098.50' },
    unfinished: { period_start: '2026-11-01', value: '718876.00' },
    sparkline: sparkline(ledgerMonths),
    complete: true,
    restated_periods: [{ period_start: '2026-09-01', restated_at: '2026-10-20T12:31:00Z' }],
    freshness: { last_received_at: '2026-11-16T07:02:00Z', usual_seconds: 15 * 86_400, late: false },
    ...given,
  }
}

/** Cards in every state: restated, late with negative values, paused, and with nothing to compare with. */
function exampleCards(): Card[] {
  const weeks = Array.from({ length: 13 }, (_week, index) => addDays('2026-08-24', 7 * index))
  return [
    exampleCard(),
    exampleCard({
      source_id: '01900000-0000-7000-8000-0000000000a2',
      source_name: 'Web shop',
      metric: 'active_users',
      name: 'Active users',
      unit: 'count',
      aggregation: 'count_distinct',
      combines: null,
      period: 'week',
      grain: 'week',
      latest: { period_start: '2026-11-09', value: '18204', restated: false },
      previous: { period_start: '2026-11-02', value: '17830' },
      year_before: { period_start: '2025-11-10', value: '16579' },
      unfinished: { period_start: '2026-11-16', value: '13120' },
      sparkline: weeks.map((period_start, index) => ({
        period_start,
        value: String(15_900 + 190 * index),
        finished: index < 12,
      })),
      restated_periods: [],
      freshness: { last_received_at: '2026-11-20T09:56:00Z', usual_seconds: 900, late: false },
    }),
    exampleCard({
      source_id: '01900000-0000-7000-8000-0000000000a3',
      source_name: 'Returns',
      latest: { period_start: '2026-10-01', value: '-54774.00', restated: false },
      previous: { period_start: '2026-09-01', value: '-58001.00' },
      year_before: { period_start: '2025-10-01', value: '-48112.00' },
      unfinished: { period_start: '2026-11-01', value: '-22140.50' },
      sparkline: sparkline(ledgerMonths.map((value) => `-${value.replace(/\d\.\d+$/, '')}.50`)),
      restated_periods: [],
      freshness: { last_received_at: '2026-11-17T08:00:00Z', usual_seconds: 86_400, late: true },
    }),
    exampleCard({
      source_id: '01900000-0000-7000-8000-0000000000a4',
      source_name: 'Mobile app',
      source_state: 'paused',
      paused_at: '2026-11-09T09:00:00Z',
      paused_by: { member_id: 'member-3', name: 'Anna Berg' },
      unfinished: { period_start: '2026-11-01', value: null },
      sparkline: sparkline([...ledgerMonths.slice(0, 12), null]),
      restated_periods: [],
    }),
    exampleCard({
      source_id: '01900000-0000-7000-8000-0000000000a5',
      source_name: 'Marketplace',
      latest: { period_start: '2026-10-01', value: '8124.50', restated: false },
      previous: { period_start: '2026-09-01', value: null },
      year_before: { period_start: '2025-10-01', value: null },
      unfinished: { period_start: '2026-11-01', value: '4189.00' },
      sparkline: sparkline([...Array.from({ length: 11 }, () => null), '8124.50', '4189.00']),
      restated_periods: [],
      freshness: { last_received_at: '2026-11-19T05:00:00Z', usual_seconds: 7 * 86_400, late: false },
    }),
  ]
}

export function exampleReportList(reports: Card[] = exampleCards()): ReportList {
  return { reports, today: '2026-11-20', time_zone: 'Europe/Stockholm', next_cursor: null }
}

const countries: Record<string, string> = {
  Sweden:
    '762674.00 546521.00 472184.00 584514.00 610390.00 607995.50 603613.25 527357.50 574640.75 620394.50 684405.25 378634.25',
  Norway:
    '263280.25 186678.50 171477.75 197419.00 209716.25 209752.00 217065.50 185772.50 203980.25 220391.50 229052.00 128793.75',
  Finland:
    '185830.25 129005.75 118028.00 137767.00 149364.25 159357.75 150982.00 131443.25 153533.00 154110.25 167599.75 93580.75',
  Denmark:
    '158216.50 102561.75 92231.25 106207.00 116812.25 124220.50 110732.75 93719.25 119093.50 120592.50 125515.25 68813.75',
  Germany:
    '99730.75 68403.25 67444.00 78652.00 77640.75 90399.25 77825.00 67390.25 76539.75 80403.50 91539.50 49053.50',
}

const yearBefore =
  '1296123.50 876700.00 883221.75 972258.25 1009836.50 1115034.25 1036799.50 881624.75 1042532.50 1085390.75 1126098.50 1410500.00'

function lastOfMonth(start: string): string {
  return addDays(`${addDays(start, 31).slice(0, 7)}-01`, -1)
}

function period(start: string, index: number): Period {
  const isSeptember = start === '2026-09-01'
  return {
    start,
    end: lastOfMonth(start),
    finished: index < 11,
    known: true,
    known_to: index < 11 ? lastOfMonth(start) : '2026-11-15',
    restated: isSeptember,
    restated_at: isSeptember ? '2026-10-20T12:31:00Z' : null,
    was: isSeptember ? '1160649.50' : null,
  }
}

function sum(values: Values): string | null {
  const said = values.filter((value) => value !== null)
  return said.length === 0 ? null : said.reduce(add)
}

/** Twelve months of the ledger by country, one restated and one unfinished. */
export function exampleReport(given: Partial<Report> = {}): Report {
  const series = Object.entries(countries).map(([key, text]) => {
    const values = text.split(' ')
    return { key, values, row_total: sum(values) }
  })
  const totals = months.slice(1).map((_month, index) => sum(series.map(({ values }) => values[index]!)))
  const before = yearBefore.split(' ')
  return {
    source_id: ledgerId,
    source_name: 'Ledger',
    metric: 'revenue',
    name: 'Revenue',
    unit: 'SEK',
    aggregation: 'sum',
    combines: 'sum',
    period: 'day',
    grain: 'month',
    grains: ['day', 'week', 'month'],
    today: '2026-11-20',
    time_zone: 'Europe/Stockholm',
    window: { from: '2025-12-01', to: '2026-12-01', max_days: 731, narrowed: false },
    as_of: null,
    by: 'country',
    where: {},
    labels: [{ name: 'country', values: Object.keys(countries).toSorted(), more: false }],
    choose: [],
    periods: months.slice(1).map(period),
    series,
    other: null,
    left_out: 0,
    totals,
    row_total: sum(totals),
    year_before: {
      starts: months.slice(1).map((start) => `${Number(start.slice(0, 4)) - 1}${start.slice(4)}`),
      totals: before,
      row_total: sum(before),
    },
    vintage_today: null,
    complete: true,
    ...given,
  }
}

/** Values up to the tenth period, which had another value then. */
function until(values: Values, tenth: string): Values {
  return values.map((value, index) => (index > 9 ? null : index === 9 ? tenth : value))
}

/** The same as of 10 October: September before it was restated, and nothing later. */
export function exampleVintage(): Report {
  const now = exampleReport()
  const september = ['604477.75', '212145.50', '150980.00', '114791.50', '78254.75']
  const series = now.series.map(({ key, values }, index) => {
    const known = until(values, september[index]!)
    return { key, values: known, row_total: sum(known) }
  })
  const totals = until(now.totals!, '1160649.50')
  return {
    ...now,
    as_of: '2026-10-10T16:00:00.000Z',
    series,
    totals,
    row_total: sum(totals),
    periods: now.periods.map((each, index) => ({
      ...each,
      restated: false,
      restated_at: null,
      was: null,
      known: index < 10,
      known_to: index < 10 ? each.end : null,
    })),
    vintage_today: { totals: now.totals, row_total: now.row_total },
  }
}

/** Two years by day for eight countries and “Other”. */
export function exampleLongReport(days = 731): Report {
  const starts = Array.from({ length: days }, (_day, index) => addDays('2024-11-20', index))
  const keys = ['SE', 'NO', 'FI', 'DK', 'DE', 'NL', 'PL', 'FR']
  const getValues = (place: number): string[] =>
    starts.map((_start, index) => `${((index * 37 + place * 101) % 900) + 9_000 - place * 800}.${10 + place}`)
  const series = keys.map((key, place) => {
    const values = getValues(place)
    return { key, values, row_total: sum(values) }
  })
  const others = getValues(9)
  const totals = starts.map((_start, index) =>
    sum([...series.map(({ values }) => values[index]!), others[index]!]),
  )
  return exampleReport({
    grain: 'day',
    series,
    other: { values: others, row_total: sum(others), label_values: 14 },
    totals,
    row_total: sum(totals),
    year_before: null,
    periods: starts.map((start, index) => ({
      start,
      end: start,
      finished: index < days - 1,
      known: true,
      known_to: start,
      restated: false,
      restated_at: null,
      was: null,
    })),
  })
}

type Delivery = Trace['deliveries'][number]

function traced(given: Partial<Delivery>): Delivery {
  return {
    artifact_id: '8f21c0de-0000-7000-8000-000000005b7a',
    received_at: '2026-09-15T05:02:00Z',
    shape_version: 3,
    value: '288793.75',
    rows: 412,
    rows_refused: 0,
    covers: { from: '2026-09-01', to: '2026-09-13' },
    counts_now: '288793.75',
    counts_then: '288793.75',
    received_then: true,
    added: null,
    event_at: null,
    superseded: false,
    superseded_by: [],
    step: null,
    replaces: [],
    running: null,
    ...given,
  }
}

/** Sweden in September: three deliveries, the third of which superseded the second. */
export function exampleTrace(given: Partial<Trace> = {}): Trace {
  const third = 'd27a09c4-0000-7000-8000-00000000e013'
  const second = 'b04e77a1-0000-7000-8000-00000000c91d'
  return {
    source_id: ledgerId,
    metric: 'revenue',
    grain: 'month',
    period_start: '2026-09-01',
    period_end: '2026-09-30',
    labels: { country: ['Sweden'] },
    except: {},
    value: '620394.50',
    as_of: '2026-10-10T16:00:00.000Z',
    value_then: '604477.75',
    restated: true,
    delivery_visible: true,
    deliveries: [
      traced({
        artifact_id: third,
        received_at: '2026-10-20T12:31:00Z',
        value: '331600.75',
        rows: 551,
        covers: { from: '2026-09-14', to: '2026-09-30' },
        counts_now: '331600.75',
        counts_then: null,
        received_then: false,
        step: '15916.75',
        replaces: [second],
      }),
      traced({
        artifact_id: second,
        received_at: '2026-10-01T04:58:00Z',
        value: '315684.00',
        rows: 538,
        covers: { from: '2026-09-14', to: '2026-09-30' },
        counts_now: null,
        counts_then: '315684.00',
        superseded: true,
        superseded_by: [third],
      }),
      traced({}),
    ],
    next_cursor: null,
    ...given,
  }
}
