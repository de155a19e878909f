import { line, stack, stackOffsetDiverging } from 'd3-shape'
import { monthName, type Grain } from '../../language/format-day.ts'
import { getExponent, toFractions, type Scale, createScale } from '../scale.ts'

/** A chart without its size: places are fractions of the scale. */
export interface ChartModel {
  scale: Scale
  /** Of each series, the lower and upper end of each period's segment; null without a figure. */
  bars: readonly (readonly (readonly [number, number] | null)[])[]
  /** Of each series, its places where values do not add: drawn as lines. */
  lines: readonly (readonly (number | null)[])[]
  yearBefore: readonly (number | null)[] | null
  /** Today's totals, where the bars show those known at an instant. */
  today: readonly (number | null)[] | null
  targets: readonly (number | null)[] | null
  /** The top of each period's bar. */
  tops: readonly number[]
}

export type Values = readonly (string | null)[]

/** @param adds whether the series' values add, so that they are stacked */
export function createChartModel({
  series,
  yearBefore,
  today,
  targets = null,
  periods,
  adds,
}: {
  series: readonly Values[]
  yearBefore: Values | null
  today: Values | null
  targets?: Values | null
  periods: number
  adds: boolean
}): ChartModel {
  const all = [...series, yearBefore ?? [], today ?? [], targets ?? []]
  const exponent = getExponent(all.flat())
  const places = series.map((values) => toFractions(values, exponent))
  const year = yearBefore && toFractions(yearBefore, exponent)
  const now = today && toFractions(today, exponent)
  const aims = targets && toFractions(targets, exponent)
  const bars = adds ? stacked(places, periods) : []
  const ends = bars.flatMap((segments) => segments.flatMap((segment) => segment ?? []))
  const tops = Array.from({ length: periods }, (_period, index) =>
    Math.max(0, now?.[index] ?? 0, ...bars.map((segments) => segments[index]?.[1] ?? 0)),
  )
  return {
    scale: createScale(
      [...ends, ...(adds ? [] : places.flat()), ...(year ?? []), ...(now ?? []), ...(aims ?? [])],
      exponent,
    ),
    bars,
    lines: adds ? [] : places,
    yearBefore: year,
    today: now,
    targets: aims,
    tops,
  }
}

/** Negative values are stacked downwards. */
function stacked(places: readonly (number | null)[][], periods: number): ChartModel['bars'] {
  const layers = stack<number, number>()
    .keys(places.keys())
    .value((period, series) => places[series]![period] ?? 0)
    .offset(stackOffsetDiverging)(Array.from({ length: periods }, (_period, index) => index))
  return layers.map((layer, series) =>
    layer.map(([from, to], period) => (places[series]![period] == null ? null : [from, to])),
  )
}

/** The space of a chart, in px. */
export interface Frame {
  width: number
  height: number
  left: number
  right: number
  top: number
  bottom: number
}

export interface Placed {
  frame: Frame
  /** The width of a period with the gap to the next. */
  band: number
  /** The width of a bar. */
  bar: number
  /** The left edge of a period's band. */
  x: (period: number) => number
  y: (fraction: number) => number
}

/** Narrower bands have no gap between their bars. */
const gapFromPx = 4
const barShare = 0.56
const barPxMax = 56

export function placeChart(frame: Frame, periods: number, { low, high }: Scale): Placed {
  const band = (frame.width - frame.left - frame.right) / Math.max(1, periods)
  const height = frame.height - frame.top - frame.bottom
  return {
    frame,
    band,
    bar: band < gapFromPx ? band : Math.min(barPxMax, Math.max(2, band * barShare)),
    x: (period) => frame.left + period * band,
    y: (fraction) => frame.top + ((high - fraction) / (high - low)) * height,
  }
}

/** One decimal: finer is invisible, and makes paths long. */
function px(length: number): number {
  return Math.round(length * 10) / 10
}

/** The gap between two segments, where they are high enough for one. */
const gapPx = 1
const gapFromHeight = 3
/** The height of a zero, which differs from no figure. */
const zeroPx = 2

/** One path of a series' bars in the periods that `shows` selects. */
export function barsPath(
  segments: ChartModel['bars'][number],
  { x, y, band, bar }: Placed,
  shows: (period: number) => boolean,
): string {
  const bars = segments.map((segment, period) => {
    if (segment === null || !shows(period)) return ''
    const [top, bottom] = [y(segment[1]), y(segment[0])]
    const height = bottom - top
    const isZero = segment[0] === 0 && segment[1] === 0
    const drawn = isZero ? zeroPx : height > gapFromHeight ? height - gapPx : height
    const from = isZero ? bottom - zeroPx : segment[1] > 0 ? bottom - drawn : top
    return `M${px(x(period) + (band - bar) / 2)} ${px(from)}h${px(bar)}v${px(drawn)}h${-px(bar)}z`
  })
  return bars.join('')
}

/** Outlines of whole bars, from zero. */
export function outlinesPath(places: readonly (number | null)[], { x, y, band, bar }: Placed): string {
  const outlines = places.map((at, period) =>
    at === null ? '' : `M${px(x(period) + (band - bar) / 2)} ${px(y(0))}V${px(y(at))}h${px(bar)}V${px(y(0))}`,
  )
  return outlines.join('')
}

/** A line through the middles of periods, broken where there is no figure. */
export function linePath(places: readonly (number | null)[], { x, y, band }: Placed): string {
  return (
    line<number | null>()
      .defined((at) => at !== null)
      .x((_at, period) => px(x(period) + band / 2))
      .y((at) => px(y(at!)))
      .digits(1)(places) ?? ''
  )
}

/** A point on each period of a line, drawn as a line without length with round ends. */
export function pointsPath(places: readonly (number | null)[], { x, y, band }: Placed): string {
  return places
    .map((at, period) => (at === null ? '' : `M${px(x(period) + band / 2)} ${px(y(at))}h0`))
    .join('')
}

const diamondPx = 5
const diamondAbovePx = 12

/** A diamond above each of some bars. */
export function diamondsPath(
  periods: readonly number[],
  tops: readonly number[],
  { x, y, band, frame }: Placed,
): string {
  return periods
    .map((period) => {
      const middle = px(x(period) + band / 2)
      const at = px(Math.max(frame.top - diamondAbovePx, y(tops[period] ?? 0) - diamondAbovePx))
      return `M${middle} ${at - diamondPx}l${diamondPx} ${diamondPx}l${-diamondPx} ${diamondPx}l${-diamondPx} ${-diamondPx}z`
    })
    .join('')
}

/** A hairline where there is no figure. */
export function nothingPath(periods: readonly number[], { x, y, band, bar }: Placed): string {
  return periods.map((period) => `M${px(x(period) + (band - bar) / 2)} ${px(y(0)) - 3}h${px(bar)}`).join('')
}

/** The width of a label under the axis, in px. */
const labelPx = { day: 52, week: 36, month: 40 }

export interface AxisLabel {
  period: number
  text: string
  /** The year, where it differs from the label before. */
  year: string | undefined
}

/** With more days, or weeks, the labels name months. */
const daysNamed = 62
const weeksNamed = 27

/** The labels under the axis: as many as fit, of many periods only those where a month begins. */
export function axisLabels(
  starts: readonly string[],
  grain: Grain,
  band: number,
  language: string,
  tick: (start: string, grain: Grain) => string,
): AxisLabel[] {
  const isDense = grain === 'day' ? starts.length > daysNamed : grain === 'week' && starts.length > weeksNamed
  const named = starts
    .map((start, period) => ({ start, period }))
    .filter(({ start }) => !isDense || Number(start.slice(8, 10)) <= (grain === 'day' ? 1 : 7))
  const widthPx = band * (starts.length / Math.max(1, named.length))
  const step = Math.max(1, Math.ceil((isDense ? labelPx.month : labelPx[grain]) / widthPx))
  let year: string | undefined
  return named
    .filter((_each, index) => index % step === 0)
    .map(({ start, period }) => {
      const isNew = start.slice(0, 4) !== year
      year = start.slice(0, 4)
      const text = isDense ? monthName(language, Number(start.slice(5, 7)), 'axis') : tick(start, grain)
      return { period, text, year: isNew ? year : undefined }
    })
}
