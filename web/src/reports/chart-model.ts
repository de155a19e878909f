import { line, stack, stackOffsetDiverging } from 'd3-shape'
import { monthName, type Grain } from '../language/format-day.ts'
import { exponentOf, fractions, type Scale, scaleOf } from './scale.ts'

/** What is drawn, before its size is known: places are fractions of the scale. */
export interface ChartModel {
  scale: Scale
  /** Of each series, the lower and the upper end of each period's segment; null where nothing was said. */
  bars: readonly (readonly (readonly [number, number] | null)[])[]
  /** Values that are never added stand beside each other, as lines: of each series its places. */
  lines: readonly (readonly (number | null)[])[]
  yearBefore: readonly (number | null)[] | null
  /** What is known today, where the bars are what was known. */
  today: readonly (number | null)[] | null
  /** The top of each period's bar. */
  tops: readonly number[]
}

export type Values = readonly (string | null)[]

/** @param adds whether the series' values add, and are stacked */
export function chartModel({
  series,
  yearBefore,
  today,
  periods,
  adds,
}: {
  series: readonly Values[]
  yearBefore: Values | null
  today: Values | null
  periods: number
  adds: boolean
}): ChartModel {
  const all = [...series, yearBefore ?? [], today ?? []]
  const exponent = exponentOf(all.flat())
  const places = series.map((values) => fractions(values, exponent))
  const year = yearBefore && fractions(yearBefore, exponent)
  const now = today && fractions(today, exponent)
  const bars = adds ? stacked(places, periods) : []
  const ends = bars.flatMap((segments) => segments.flatMap((segment) => segment ?? []))
  const tops = Array.from({ length: periods }, (_period, index) =>
    Math.max(0, now?.[index] ?? 0, ...bars.map((segments) => segments[index]?.[1] ?? 0)),
  )
  return {
    scale: scaleOf([...ends, ...(adds ? [] : places.flat()), ...(year ?? []), ...(now ?? [])], exponent),
    bars,
    lines: adds ? [] : places,
    yearBefore: year,
    today: now,
    tops,
  }
}

/** What is below zero is stacked downwards. */
function stacked(places: readonly (number | null)[][], periods: number): ChartModel['bars'] {
  const layers = stack<number, number>()
    .keys(places.keys())
    .value((period, series) => places[series]![period] ?? 0)
    .offset(stackOffsetDiverging)(Array.from({ length: periods }, (_period, index) => index))
  return layers.map((layer, series) =>
    layer.map(([from, to], period) => (places[series]![period] == null ? null : [from, to])),
  )
}

/** The room of a chart, in px. */
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
  /** Of one period with the gap to the next. */
  band: number
  /** Of a bar. */
  bar: number
  /** The left edge of a period's band. */
  x: (period: number) => number
  y: (fraction: number) => number
}

/** From here on bars have a gap between them. */
const gapFromPx = 4
const barShare = 0.56
const barPxMax = 56

export function placed(frame: Frame, periods: number, { low, high }: Scale): Placed {
  const band = (frame.width - frame.left - frame.right) / Math.max(1, periods)
  const room = frame.height - frame.top - frame.bottom
  return {
    frame,
    band,
    bar: band < gapFromPx ? band : Math.min(barPxMax, Math.max(2, band * barShare)),
    x: (period) => frame.left + period * band,
    y: (fraction) => frame.top + ((high - fraction) / (high - low)) * room,
  }
}

/** One decimal: finer is not seen, and makes long paths. */
function px(length: number): number {
  return Math.round(length * 10) / 10
}

/** A line of the card between two segments, where they are high enough to lose it. */
const gapPx = 1
const gapFromHeight = 3
/** A zero is seen too: it is not the same as nothing said. */
const zeroPx = 2

/** One path of all bars of a series that `shows` names. */
export function barsPath(
  segments: ChartModel['bars'][number],
  { x, y, band, bar }: Placed,
  shows: (period: number) => boolean,
): string {
  let path = ''
  segments.forEach((segment, period) => {
    if (segment === null || !shows(period)) return
    const [top, bottom] = [y(segment[1]), y(segment[0])]
    const height = bottom - top
    const isZero = segment[0] === 0 && segment[1] === 0
    const drawn = isZero ? zeroPx : height > gapFromHeight ? height - gapPx : height
    const from = isZero ? bottom - zeroPx : segment[1] > 0 ? bottom - drawn : top
    const left = px(x(period) + (band - bar) / 2)
    path += `M${left} ${px(from)}h${px(bar)}v${px(drawn)}h${-px(bar)}z`
  })
  return path
}

/** Outlines of whole bars, from zero. */
export function outlinesPath(places: readonly (number | null)[], { x, y, band, bar }: Placed): string {
  let path = ''
  places.forEach((at, period) => {
    if (at === null) return
    const left = px(x(period) + (band - bar) / 2)
    path += `M${left} ${px(y(0))}V${px(y(at))}h${px(bar)}V${px(y(0))}`
  })
  return path
}

/** A line through the middles of periods, broken where nothing was said. */
export function linePath(places: readonly (number | null)[], { x, y, band }: Placed): string {
  return (
    line<number | null>()
      .defined((at) => at !== null)
      .x((_at, period) => px(x(period) + band / 2))
      .y((at) => px(y(at!)))
      .digits(1)(places) ?? ''
  )
}

/** A point on each period of a line: what is drawn with round ends has no length. */
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

/** A hairline where nothing was said. */
export function nothingPath(periods: readonly number[], { x, y, band, bar }: Placed): string {
  return periods.map((period) => `M${px(x(period) + (band - bar) / 2)} ${px(y(0)) - 3}h${px(bar)}`).join('')
}

/** What a line of text under the axis takes, in px. */
const labelPx = { day: 52, week: 36, month: 40 }

export interface AxisLabel {
  period: number
  text: string
  /** Where another year begins. */
  year: string | undefined
}

/** Of more days, or weeks, the months are named. */
const daysNamed = 62
const weeksNamed = 27

/** Under so many periods that not each has room, months are named where they begin, and then every so many of them. */
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
  const roomOfEach = band * (starts.length / Math.max(1, named.length))
  const step = Math.max(1, Math.ceil((isDense ? labelPx.month : labelPx[grain]) / roomOfEach))
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
