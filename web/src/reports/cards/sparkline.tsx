import type { ReportCard } from '../../company/report-list.ts'
import { getExponent, toFractions } from '../scale.ts'
import classes from './sparkline.module.css'

const [width, height, gap] = [280, 48, 4]

/** The fill of unfinished periods, for every sparkline of a page. */
export function SparklineHatch() {
  const pattern = { width: '4', height: '4', patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' }
  return (
    <svg width="0" height="0" className={classes.defs} aria-hidden="true" focusable="false">
      <pattern id="sparkline-hatch" {...pattern}>
        <line y2="4" strokeWidth="3" className={classes.hatch} />
      </pattern>
    </svg>
  )
}

/** The last periods of a report, the latest finished one accented. Its figures are given in words elsewhere. */
export function Sparkline({ card: { sparkline, latest } }: { card: ReportCard }) {
  const values = sparkline.map(({ value }) => value)
  const places = toFractions(values, getExponent(values))
  const shown = places.filter((at) => at !== null)
  const low = Math.min(0, ...shown)
  const high = Math.max(0, ...shown)
  // Any scale will do where all are zero.
  const scale = height / (high - low || 1)
  const zero = high === 0 && low < 0 ? 0 : height + low * scale
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
        const size = Math.max(1.5, Math.abs(at) * scale)
        const bar = period_start === latest?.period_start ? classes.latest : classes.bar
        return (
          <rect
            key={period_start}
            x={left}
            y={at < 0 ? zero : zero - size}
            width={band - gap}
            height={size}
            className={finished ? bar : classes.unfinished}
          />
        )
      })}
    </svg>
  )
}
