import { expect, test } from 'vitest'
import { axisLabels, barsPath, createChartModel, linePath, placeChart } from './chart-model.ts'

const frame = { width: 320, height: 240, left: 20, right: 0, top: 20, bottom: 20 }
const base = { yearBefore: null, today: null, adds: true }

test('Additive series are stacked, negative values downwards', () => {
  const { bars, tops } = createChartModel({
    ...base,
    series: [
      ['4', '-3'],
      ['2', '1'],
      [null, '-2'],
    ],
    periods: 2,
  })
  const tens = bars.map((segments) =>
    segments.map((ends) => ends?.map((end) => Math.round(end * 10)) ?? null),
  )
  expect(tens).toEqual([
    [
      [0, 4],
      [-3, 0],
    ],
    [
      [4, 6],
      [0, 1],
    ],
    [null, [-5, -3]],
  ])
  expect(tops.map((top) => Math.round(top * 10))).toEqual([6, 1])
})

test('Other series are lines from the same zero', () => {
  const model = createChartModel({ ...base, adds: false, series: [['4', null, '6']], periods: 3 })
  expect(model.bars).toEqual([])
  expect(model.lines).toEqual([[4, null, 6].map((value) => (value === null ? null : value / 10))])
})

test('A missing value is a gap, and zero is visible', () => {
  const model = createChartModel({ ...base, series: [['5', null, '0']], periods: 3 })
  const at = placeChart(frame, 3, model.scale)
  const path = barsPath(model.bars[0]!, at, () => true)
  expect(path.match(/M/g)).toHaveLength(2)
  expect(path).toMatch(/M[\d.]+ 218h[\d.]+v2h/)
})

test('A missing value interrupts the line', () => {
  const at = placeChart(frame, 4, { exponent: 0, low: 0, high: 1, ticks: [] })
  expect(linePath([0.5, 0.6, null, 0.7], at).match(/M/g)).toHaveLength(2)
})

test('All bars of a series are one path', () => {
  const values = Array.from({ length: 731 }, (_value, index) => String(index + 1))
  const model = createChartModel({ ...base, series: [values], periods: 731 })
  const path = barsPath(model.bars[0]!, placeChart({ ...frame, width: 900 }, 731, model.scale), () => true)
  expect(path.match(/M/g)).toHaveLength(731)
  expect(path.length).toBeLessThan(30_000)
})

/** The number of the month. */
function tick(start: string): string {
  return start.slice(5, 7)
}

test('Axis labels never overlap, and mark where a year begins', () => {
  const months = Array.from(
    { length: 12 },
    (_month, index) => `${index < 1 ? 2025 : 2026}-${String(((11 + index) % 12) + 1).padStart(2, '0')}-01`,
  )
  const wide = axisLabels(months, 'month', 70, 'en', tick)
  expect(wide.map(({ year }) => year).filter(Boolean)).toEqual(['2025', '2026'])
  expect(wide).toHaveLength(12)
  expect(axisLabels(months, 'month', 25, 'en', tick)).toHaveLength(6)
  const days = Array.from({ length: 731 }, (_day, index) =>
    new Date(Date.UTC(2024, 10, 20 + index)).toISOString().slice(0, 10),
  )
  const labels = axisLabels(days, 'day', 1.2, 'sv', tick)
  expect(labels[0]).toEqual({ period: 11, text: 'dec', year: '2024' })
  for (const [index, { period }] of labels.entries()) {
    if (index > 0) expect((period - labels[index - 1]!.period) * 1.2).toBeGreaterThan(34)
  }
})
