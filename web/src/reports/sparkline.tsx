import { exponentOf, fractions } from './scale.ts'
import type { ReportCard } from '../company/report-list.ts'
import classes from './sparkline.module.css'

const [width, height, gap] = [280, 48, 4]

/** The lines of what is not finished, for every sparkline of a page. */
export function SparklineHatch() {
  return (
    <svg width="0" height="0" className={classes.defs} aria-hidden="true" focusable="false">
      <defs>
        <pattern
          id="sparkline-hatch"
          width="4"
          height="4"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <line y2="4" strokeWidth="3" className={classes.hatch} />
        </pattern>
      </defs>
    </svg>
  )
}

/** The last periods of a report, the last finished one in the accent. What it shows stands in words beside it. */
export function Sparkline({ card: { sparkline, latest } }: { card: ReportCard }) {
  const values = sparkline.map(({ value }) => value)
  const exponent = exponentOf(values)
  const places = fractions(values, exponent)
  const shown = places.filter((at) => at !== null)
  const low = Math.min(0, ...shown)
  const high = Math.max(0, ...shown)
  // All zero or nothing: any scale will do.
  const room = height / (high - low || 1)
  const zero = high === 0 && low < 0 ? 0 : height + low * room
  const band = (width + gap) / sparkline.length
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {sparkline.map(({ period_start, finished }, index) => {
        const at = places[index]
        const left = index * band
        if (at == null) {
          const y = Math.min(height - 0.5, zero)
          return <path key={period_start} d={`M${left} ${y}h${band - gap}`} className={classes.nothing} />
        }
        const size = Math.max(1.5, Math.abs(at) * room)
        return (
          <rect
            key={period_start}
            x={left}
            y={at < 0 ? zero : zero - size}
            width={band - gap}
            height={size}
            className={
              !finished
                ? classes.unfinished
                : period_start === latest?.period_start
                  ? classes.latest
                  : classes.bar
            }
          />
        )
      })}
    </svg>
  )
}
