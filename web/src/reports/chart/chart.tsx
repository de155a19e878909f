import { memo, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import type { Grain } from '../../language/format-day.ts'
import type { ReportPeriod } from '../report-queries.ts'
import { ChartAnnotations } from '../notes/note-marks.tsx'
import classes from './chart.module.css'
import {
  axisLabels,
  barsPath,
  type ChartModel,
  diamondsPath,
  linePath,
  nothingPath,
  outlinesPath,
  placeChart,
  type Placed,
  pointsPath,
} from './chart-model.ts'
import { useAxisTexts } from './use-axis-texts.ts'

/** What a chart draws. */
interface ChartProps {
  model: ChartModel
  periods: readonly Pick<ReportPeriod, 'start' | 'finished'>[]
  grain: Grain
  /** The colour of each series, from 1 to 8; 0: all others together. */
  colours: readonly number[]
  /** Indexes of the periods with a diamond. */
  restated: readonly number[]
  unit: string
  isNarrow: boolean
}

/** In px: a chart across a large screen is taller, or its lines would be flat. */
const heights = { narrow: 232, wide: 264, broad: 344 }
const broadPx = 1300
/** The unit above the axis, and two lines under it. */
const margins = { top: 28, bottom: 40, right: 0 }
/** The width of a digit of an axis, in px. */
const digitPx = 7

/**
 * Stacked bars, or lines where values do not add, by period. Pointing at a period reads it out, and a press or the arrow keys
 * choose it.
 *
 * @param valueText what a screen reader says of the chosen period
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
  const at = place(drawn, width, left)
  const size = { width, height: at.frame.height, viewBox: `0 0 ${width} ${at.frame.height}` }
  const clamp = (period: number): number => Math.max(0, Math.min(periods.length - 1, period))
  const findPeriod = ({ clientX, currentTarget }: MouseEvent): number =>
    clamp(Math.floor((clientX - currentTarget.getBoundingClientRect().left - left) / at.band))
  return (
    <div ref={ref} className={classes.chart} style={{ height: at.frame.height }}>
      {width > 0 && (
        <svg className={classes.svg} {...size} aria-hidden="true" focusable="false">
          <rect
            className={classes.chosen}
            x={at.x(chosen) + at.band * 0.02}
            y={margins.top - 8}
            width={Math.max(2, at.band * 0.96)}
            height={at.frame.height - margins.top - margins.bottom + 8}
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
        onPointerMove={(event) => onPoint(findPeriod(event))}
        onPointerLeave={() => onPoint(undefined)}
        onClick={(event) => onChoose(findPeriod(event))}
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey) return
          if (event.key === 'Enter') onOpen()
          const step = steps[event.key]
          if (step === undefined) return
          event.preventDefault()
          onChoose(clamp(chosen + step))
        }}
      />
    </div>
  )
}

function place({ model, periods, isNarrow }: ChartProps, width: number, left: number): Placed {
  const height = heights[isNarrow ? 'narrow' : width < broadPx ? 'wide' : 'broad']
  const frame = { ...margins, width, height, left }
  return placeChart(frame, periods.length, model.scale)
}

/** How many periods a key moves. */
const steps: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
}

/** The width of an element, measured before its first paint. */
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
  axisTexts: ReturnType<typeof useAxisTexts>
}

/** All that does not change while periods are pointed at. */
const Picture = memo(function Picture({ width, left, axisTexts, ...drawn }: PictureProps) {
  const { unit, texts } = axisTexts
  const at = place(drawn, width, left)
  const base = at.y(0)
  const unitPlace = toWidth(unit) <= left ? ({ x: left - 8, textAnchor: 'end' } as const) : { x: 0 }
  return (
    <>
      <text className={classes.axis} y={12} {...unitPlace}>
        {unit}
      </text>
      {drawn.model.scale.ticks.map(({ at: fraction, value }, index) => (
        <g key={value}>
          <line className={classes.grid} x1={left} x2={width} y1={at.y(fraction)} y2={at.y(fraction)} />
          <text className={classes.axis} x={left - 8} y={at.y(fraction) + 4} textAnchor="end">
            {texts[index]}
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
  const { bars, today, lines } = model
  const hasGaps = today === null && lines.length === 0
  const missing = [...periods.keys()].filter(
    (period) => hasGaps && bars.every((segments) => segments[period] == null),
  )
  return (
    <>
      <defs>
        {colours.map((colour, series) => (
          <Hatch key={colour} id={`${hatch}${series}`} stroke={toColour(colour)} />
        ))}
      </defs>
      {bars.map((segments, series) => {
        const colour = colours[series]!
        const other = at.bar < at.band ? classes.other : classes.otherDense
        return (
          <g key={colour}>
            <path
              d={barsPath(segments, at, (period) => periods[period]!.finished)}
              {...(colour === 0 ? { className: other } : { fill: toColour(colour) })}
            />
            <path
              d={barsPath(segments, at, (period) => !periods[period]!.finished)}
              fill={`url(#${hatch}${series})`}
              stroke={toColour(colour)}
              strokeWidth="0.75"
            />
          </g>
        )
      })}
      <path className={classes.nothing} d={nothingPath(missing, at)} />
    </>
  )
}

/** The fill of unfinished periods. */
function Hatch({ id, stroke }: { id: string; stroke: string }) {
  return (
    <pattern id={id} width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line y2="4" strokeWidth="3" stroke={stroke} />
    </pattern>
  )
}

/** The most periods of a line with points. */
const pointsMax = 62

function Lines({ model, periods, colours, restated, at }: ChartProps & { at: Placed }) {
  const hasPoints = periods.length <= pointsMax
  return (
    <>
      <ChartAnnotations at={at} targets={model.targets} />
      {model.today !== null && <path className={classes.today} d={outlinesPath(model.today, at)} />}
      {model.lines.map((places, series) => (
        <g key={colours[series]} stroke={toColour(colours[series]!)}>
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

interface AxisLabelsProps extends Pick<ChartProps, 'periods' | 'grain'> {
  at: Placed
  chosen: number
}

/** The periods' names under the axis, the chosen one in bold instead of those that it would cover. */
function AxisLabels({ periods, grain, at, chosen }: AxisLabelsProps) {
  const { i18n } = useTranslation()
  const format = useFormat()
  const { frame, band, x } = at
  const starts = periods.map(({ start }) => start)
  const start = starts[chosen]
  const bold = start === undefined ? '' : format.tick(start, grain)
  const half = toWidth(bold) / 2
  const middle = Math.max(frame.left + half - 8, Math.min(frame.width - half, x(chosen) + band / 2))
  const y = frame.height - frame.bottom + 16
  return (
    <>
      {axisLabels(starts, grain, band, i18n.language, format.tick).map(({ period, text, year }) => {
        const center = x(period) + band / 2
        const isCovered = bold !== '' && Math.abs(center - middle) < half + toWidth(text) / 2
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
      <text className={classes.axisChosen} textAnchor="middle" x={middle} y={y}>
        {bold}
      </text>
    </>
  )
}

/** The approximate width of a label with some space around it, in px. */
function toWidth(label: string): number {
  return label.length * digitPx + 4
}

/** The colour of a series; 0: all others together. */
export function toColour(colour: number): string {
  return colour === 0 ? 'var(--series-other)' : `var(--series-${colour})`
}
