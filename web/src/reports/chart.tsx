import { type KeyboardEvent, memo, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../company/use-format.ts'
import type { Grain } from '../language/format-day.ts'
import classes from './chart.module.css'
import {
  axisLabels,
  barsPath,
  type ChartModel,
  diamondsPath,
  linePath,
  nothingPath,
  outlinesPath,
  placed,
  type Placed,
  pointsPath,
} from './chart-model.ts'
import type { ReportPeriod } from './report-queries.ts'
import { useAxisTexts } from './use-axis-texts.ts'

/** What a chart draws. */
interface ChartProps {
  model: ChartModel
  periods: readonly ReportPeriod[]
  grain: Grain
  /** The colour of each series, from 1 to 8; 0: all others together. */
  colours: readonly number[]
  /** Places of the periods that bear a diamond. */
  restated: readonly number[]
  unit: string
  isNarrow: boolean
}

const height = { wide: 264, narrow: 232 }
/** Two lines under the axis, and the unit above it. */
const margins = { top: 28, bottom: 40, right: 0 }
/** A digit of an axis, in px. */
const digitPx = 7

/**
 * Stacked bars, or lines where values are never added, by period. Pointing at it or its arrow keys choose the period
 * that is read out above it, and a press keeps it.
 *
 * @param label what the chart is called
 * @param valueText what is read out of the chosen period
 * @param onPoint a period is pointed at; undefined: none any more
 */
export function Chart({
  chosen,
  label,
  valueText,
  onPoint,
  onChoose,
  onOpen,
  ...drawn
}: ChartProps & {
  chosen: number
  label: string
  valueText: string
  onPoint: (period: number | undefined) => void
  onChoose: (period: number) => void
  onOpen: () => void
}) {
  const [ref, width] = useWidth()
  const { model, periods, isNarrow } = drawn
  const axisTexts = useAxisTexts(model.scale, drawn.unit, isNarrow)
  const left = Math.max(...axisTexts.texts.map((text) => text.length)) * digitPx + 12
  const size = { ...margins, width, height: height[isNarrow ? 'narrow' : 'wide'], left }
  const at = placed(size, periods.length, model.scale)
  const periodAt = ({ clientX, currentTarget }: MouseEvent): number => {
    const x = clientX - currentTarget.getBoundingClientRect().left - left
    return Math.max(0, Math.min(periods.length - 1, Math.floor(x / at.band)))
  }
  return (
    <div ref={ref} className={classes.chart} style={{ height: size.height }}>
      {width > 0 && (
        <svg className={classes.svg} width={width} height={size.height} aria-hidden="true" focusable="false">
          <rect
            className={classes.chosen}
            x={at.x(chosen) + at.band * 0.02}
            y={margins.top - 8}
            width={Math.max(2, at.band * 0.96)}
            height={size.height - margins.top - margins.bottom + 8}
            rx={Math.min(4, at.band / 4)}
          />
          <Picture {...drawn} width={width} left={left} axisTexts={axisTexts} />
          <AxisLabels periods={periods} grain={drawn.grain} at={at} chosen={chosen} />
        </svg>
      )}
      <div
        className={classes.keys}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={periods.length}
        aria-valuenow={chosen + 1}
        aria-valuetext={valueText}
        onPointerMove={(event) => onPoint(periodAt(event))}
        onPointerLeave={() => onPoint(undefined)}
        onClick={(event) => onChoose(periodAt(event))}
        onKeyDown={(event) => walk(event, chosen, periods.length, onChoose, onOpen)}
      />
    </div>
  )
}

/** How far Page Up and Page Down go. */
const pagePeriods = 10

function walk(
  event: KeyboardEvent,
  chosen: number,
  periods: number,
  onChoose: (period: number) => void,
  onOpen: () => void,
): void {
  const to: Record<string, number> = {
    ArrowLeft: chosen - 1,
    ArrowDown: chosen - 1,
    ArrowRight: chosen + 1,
    ArrowUp: chosen + 1,
    PageDown: chosen - pagePeriods,
    PageUp: chosen + pagePeriods,
    Home: 0,
    End: periods - 1,
  }
  if (event.altKey || event.ctrlKey || event.metaKey) return
  if (event.key === 'Enter') onOpen()
  const period = to[event.key]
  if (period === undefined) return
  event.preventDefault()
  onChoose(Math.max(0, Math.min(periods - 1, period)))
}

/** How wide what it is given to is, before it is painted for the first time. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current!
    setWidth(element.clientWidth)
    const observer = new ResizeObserver(() => setWidth(element.clientWidth))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

interface PictureProps extends ChartProps {
  width: number
  left: number
  axisTexts: { unit: string; texts: readonly string[] }
}

/** All that does not change while periods are pointed at. */
const Picture = memo(function Picture({ width, left, axisTexts, ...drawn }: PictureProps) {
  const { model, periods, isNarrow } = drawn
  const size = { ...margins, width, height: height[isNarrow ? 'narrow' : 'wide'], left }
  const at = placed(size, periods.length, model.scale)
  const base = at.y(0)
  const hasRoom = widthOf(axisTexts.unit) <= left
  return (
    <>
      <text className={classes.axis} y={12} {...(hasRoom ? { x: left - 8, textAnchor: 'end' } : { x: 0 })}>
        {axisTexts.unit}
      </text>
      {model.scale.ticks.map(({ at: fraction, value }, index) => (
        <g key={value}>
          <line className={classes.grid} x1={left} x2={width} y1={at.y(fraction)} y2={at.y(fraction)} />
          <text className={classes.axis} x={left - 8} y={at.y(fraction) + 4} textAnchor="end">
            {axisTexts.texts[index]}
          </text>
        </g>
      ))}
      <Bars {...drawn} at={at} />
      <line className={classes.base} x1={left} x2={width} y1={base} y2={base} />
      <Lines {...drawn} at={at} />
    </>
  )
})

function Bars({ model, periods, colours, at }: ChartProps & { at: Placed }) {
  const hatch = useId()
  const paths = model.bars.map((segments) => ({
    finished: barsPath(segments, at, (period) => periods[period]!.finished),
    unfinished: barsPath(segments, at, (period) => !periods[period]!.finished),
  }))
  const missing = periods.flatMap((_period, index) =>
    model.today !== null || model.bars.some((segments) => segments[index] != null) || model.lines.length > 0
      ? []
      : [index],
  )
  return (
    <>
      <defs>
        {colours.map((colour, series) => (
          <pattern
            key={colour}
            id={`${hatch}${series}`}
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <line y2="4" strokeWidth="3" stroke={colourOf(colour)} />
          </pattern>
        ))}
      </defs>
      {paths.map(({ finished, unfinished }, series) => (
        <g key={colours[series]}>
          <path
            d={finished}
            {...(colours[series] === 0
              ? { className: at.bar < at.band ? classes.other : classes.otherDense }
              : { fill: colourOf(colours[series]!) })}
          />
          <path
            d={unfinished}
            fill={`url(#${hatch}${series})`}
            stroke={colourOf(colours[series]!)}
            strokeWidth="0.75"
          />
        </g>
      ))}
      <path className={classes.nothing} d={nothingPath(missing, at)} />
    </>
  )
}

/** More points than this are a line alone. */
const pointsMax = 62

function Lines({ model, periods, colours, restated, at }: ChartProps & { at: Placed }) {
  const hasPoints = periods.length <= pointsMax
  return (
    <>
      {model.today !== null && <path className={classes.today} d={outlinesPath(model.today, at)} />}
      {model.lines.map((places, series) => (
        <g key={colours[series]} stroke={colourOf(colours[series]!)}>
          <path className={classes.series} d={linePath(places, at)} />
          <path className={classes.dot} d={pointsPath(places, at)} />
        </g>
      ))}
      {model.yearBefore !== null && (
        <>
          <path className={classes.rim} d={linePath(model.yearBefore, at)} />
          <path className={classes.year} d={linePath(model.yearBefore, at)} />
          {hasPoints && <path className={classes.point} d={pointsPath(model.yearBefore, at)} />}
          {hasPoints && <path className={classes.hole} d={pointsPath(model.yearBefore, at)} />}
        </>
      )}
      <path className={classes.diamond} d={diamondsPath(restated, model.tops, at)} />
    </>
  )
}

/** The periods' names under the axis, that of the chosen one in bold; those that it would cover make room for it. */
function AxisLabels({
  periods,
  grain,
  at,
  chosen,
}: Pick<ChartProps, 'periods' | 'grain'> & { at: Placed; chosen: number }) {
  const { i18n } = useTranslation()
  const format = useFormat()
  const { frame, band, x } = at
  const starts = periods.map(({ start }) => start)
  const start = starts[chosen]
  const bold = start === undefined ? '' : format.tick(start, grain)
  const half = widthOf(bold) / 2
  const middle = x(chosen) + band / 2
  const held = Math.max(frame.left + half - 8, Math.min(frame.width - half, middle))
  const y = frame.height - frame.bottom + 16
  return (
    <>
      {axisLabels(starts, grain, band, i18n.language, format.tick).map(({ period, text, year }) => {
        const center = x(period) + band / 2
        const isCovered = bold !== '' && Math.abs(center - held) < half + widthOf(text) / 2
        return (
          <text key={period} className={classes.axis} textAnchor="middle" y={y}>
            {!isCovered && <tspan x={center}>{text}</tspan>}
            {year !== undefined && (
              <tspan x={center} y={y + 16}>
                {year}
              </tspan>
            )}
          </text>
        )
      })}
      <text className={classes.axisChosen} textAnchor="middle" x={held} y={y}>
        {bold}
      </text>
    </>
  )
}

/** About how wide a label is, with room beside it, in px. */
function widthOf(label: string): number {
  return label.length * digitPx + 4
}

/** The variable of a series' colour; 0: all others together. */
export function colourOf(colour: number): string {
  return colour === 0 ? 'var(--series-other)' : `var(--series-${colour})`
}
