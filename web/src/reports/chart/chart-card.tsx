import { type ReactNode, useMemo, useState } from 'react'
import { useFormat } from '../../company/use-format.ts'
import { useTexts } from '../../language/language.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Icon } from '../../ui/display/icon.tsx'
import { ChangeLine } from '../change-line.tsx'
import { useMissingText, useNames } from '../names.ts'
import { useAnnotated } from '../notes/annotations.ts'
import { TargetLine, useAnnotationSigns, useAnnotationText } from '../notes/note-marks.tsx'
import type { Report } from '../report-queries.ts'
import {
  getReach,
  getReadOut,
  hasFigure,
  isAhead,
  isChangedSince,
  isMarkedRestated,
  isPartOfYear,
  isStacked,
  type ShownSeries,
} from '../shown-series.ts'
import { useSeriesName } from '../value-names.ts'
import { Chart, toColour } from './chart.tsx'
import classes from './chart-card.module.css'
import { createChartModel } from './chart-model.ts'

interface ReadProps {
  report: Report
  series: readonly ShownSeries[]
  /** Of the period that is read out. */
  index: number
}

/** The chart, and above it the period that is pointed at, else the chosen one. */
export function ChartCard({
  chosen,
  isNarrow,
  label,
  onChoose,
  onTrace,
  ...shown
}: Omit<ReadProps, 'index'> & {
  /** The first day of a period. */
  chosen: string | undefined
  isNarrow: boolean
  label: string
  onChoose: (start: string) => void
  onTrace: (start: string) => void
}) {
  // A first day, since another range has other days at its index.
  const [pointed, setPointed] = useState<string>()
  const { periods, grain, unit } = shown.report
  const place = [pointed, chosen]
    .map((start) => periods.findIndex((period) => period.start === start))
    .find((found) => found >= 0)
  const index = place ?? getReadOut(shown.report)
  const read = { ...shown, index }
  const legend = <Legend {...read} />
  return (
    <Card>
      <div className={classes.body}>
        <ReadOut report={shown.report} index={index} />
        {!isNarrow && legend}
        <Chart
          {...useDrawn(shown.report, shown.series)}
          periods={periods}
          grain={grain}
          unit={unit}
          isNarrow={isNarrow}
          chosen={index}
          label={label}
          valueText={useValueText(read)}
          onPoint={(period) => setPointed(period === undefined ? undefined : periods[period]!.start)}
          onChoose={(period) => {
            setPointed(undefined)
            onChoose(periods[period]!.start)
          }}
          onOpen={() => onTrace(periods[index]!.start)}
        />
        {isNarrow && legend}
      </div>
      <Signs report={shown.report} />
    </Card>
  )
}

/** What the chart draws, the same objects while the report is the same. */
function useDrawn(report: Report, series: readonly ShownSeries[]) {
  const { targets } = useAnnotated()
  return useMemo(() => {
    const { totals, vintage_today, year_before, periods } = report
    const model = createChartModel({
      series: series.map(({ values }) => values),
      yearBefore: year_before?.totals ?? null,
      // Only where it differs from the bar.
      today:
        vintage_today?.totals?.map((now, index) =>
          totals?.[index] == null || isChangedSince(report, index) ? now : null,
        ) ?? null,
      targets,
      periods: periods.length,
      adds: isStacked(report),
    })
    const colours = series.map(({ colour }) => colour)
    const restated = [...periods.keys()].filter(
      (index) => isMarkedRestated({ report, index, showsGrown: false }) || isChangedSince(report, index),
    )
    return { model, colours, restated }
  }, [report, series, targets])
}

function ReadOut({ report, index }: Pick<ReadProps, 'report' | 'index'>) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const missing = useMissingText(report)
  const { periods, totals, grain, year_before, as_of, unit } = report
  const period = periods[index]
  if (period === undefined) return null
  const reach = getReach(report, index)
  const value = totals?.[index] ?? null
  const previous = periods[index - 1]
  const yearName = year_before === null ? undefined : names.yearBefore(year_before, index, grain)
  return (
    <div className={classes.readout}>
      <p className={`small ${classes.period}`}>
        {format.period(period.start, grain)}
        {reach !== undefined && <span>{t('to', { day: format.dayRange(reach, reach) })}</span>}
        {(period.restated === 'corrected' || isChangedSince(report, index)) && (
          <Badge tone="outline" icon="diamond">
            {t('restated')}
          </Badge>
        )}
        {as_of !== null && <span>{t('knownOn', { when: format.instant(as_of) })}</span>}
      </p>
      <p className={classes.value}>
        {value === null ? (
          <span className={classes.none}>
            {totals === null ? t('noTotal') : isAhead(report, index) ? '\u00A0' : missing}
          </span>
        ) : (
          <>
            {format.figure(value, unit)} <span className={classes.unit}>{names.unit(unit)}</span>
          </>
        )}
      </p>
      <div className={classes.changes}>
        {!period.finished && <p className="small">{t('unfinished')}</p>}
        {period.finished && value !== null && previous !== undefined && (
          <ChangeLine
            value={value}
            base={totals?.[index - 1] ?? null}
            unit={unit}
            on={names.period(previous.start, grain)}
          />
        )}
        {value !== null && yearName !== undefined && (
          <ChangeLine value={value} base={year_before?.totals?.[index] ?? null} unit={unit} on={yearName} />
        )}
        <TargetLine index={index} value={value} />
      </div>
    </div>
  )
}

/** The series in the order of the stack, with the figures of the period that is read out. */
function Legend({ report, series, index }: ReadProps) {
  const t = useTexts('reports')
  const format = useFormat()
  const nameSeries = useSeriesName(report)
  const missing = useMissingText(report)
  const names = useNames()
  const { year_before, unit, grain } = report
  const figure = (value: string | null | undefined): string =>
    value == null ? (isAhead(report, index) ? '' : missing) : format.figure(value, unit)
  const yearName = year_before === null ? undefined : names.yearBefore(year_before, index, grain)
  const isCut = yearName !== undefined && isPartOfYear(report, index)
  const isSingle = series.length === 1 && series[0]!.kind === 'all'
  if (isSingle && year_before === null) return null
  return (
    <dl className={classes.legend}>
      {!isSingle &&
        series.map((each) => (
          <div key={each.id ?? each.kind} className={classes.entry}>
            <dt className="small">
              <span
                className={each.colour === 0 ? classes.otherMark : classes.mark}
                style={each.colour === 0 ? undefined : { background: toColour(each.colour) }}
              />
              <bdi>{nameSeries(each)}</bdi>
            </dt>
            <dd>{figure(each.values[index])}</dd>
          </div>
        ))}
      {year_before?.totals != null && (
        <div className={classes.entry}>
          <dt className="small">
            <span className={classes.lineMark} />
            {isCut ? t('allOf', { period: yearName }) : t('allYearBefore')}
          </dt>
          <dd>{figure(year_before.totals[index])}</dd>
        </div>
      )}
    </dl>
  )
}

/** What the signs in the chart mean. */
function Signs({ report }: { report: Report }) {
  const t = useTexts('reports')
  const format = useFormat()
  const { periods, vintage_today } = report
  const indexes = [...periods.keys()]
  const unfinished = isStacked(report)
    ? periods.findIndex(({ finished, known_to }) => !finished && known_to !== null)
    : -1
  const reach = getReach(report, unfinished)
  const day = reach === undefined ? '' : format.dayRange(reach, reach)
  const signs: [mark: ReactNode, text: string, isShown: boolean][] = [
    [
      <span key="" className={classes.hatched} />,
      reach === undefined ? t('unfinished') : t('signUnfinished', { day }),
      unfinished >= 0,
    ],
    [<span key="" className={classes.todayMark} />, t('signToday'), vintage_today !== null],
    [
      <Icon key="" name="diamond" size={12} />,
      t('signRestated'),
      indexes.some((index) => periods[index]!.restated === 'corrected' || isChangedSince(report, index)),
    ],
    [
      <span key="" className={classes.nothingMark} />,
      t('signNothing'),
      // What was not known at an instant is said elsewhere.
      vintage_today === null && indexes.some((index) => !hasFigure(report, index) && !isAhead(report, index)),
    ],
    ...useAnnotationSigns(),
  ]
  const shown = signs.filter(([, , isShown]) => isShown)
  // Keeps its height, so that the table stays in place.
  if (shown.length === 0) return <div className={classes.noSigns} />
  return (
    <ul className={`small ${classes.signs}`}>
      {shown.map(([mark, text]) => (
        <li key={text}>
          {mark}
          {text}
        </li>
      ))}
    </ul>
  )
}

/** What a screen reader says of the period that is read out. */
function useValueText({ report, series, index }: ReadProps): string {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const nameSeries = useSeriesName(report)
  const missing = useMissingText(report)
  const { periods, totals, grain, unit } = report
  const annotations = useAnnotationText()
  const period = periods[index]
  if (period === undefined) return ''
  const figure = (value: string | null | undefined): string =>
    value == null ? missing : `${format.figure(value, unit)} ${names.unit(unit)}`
  const total = totals === null ? '' : figure(totals[index])
  const parts = series
    .filter(({ kind }) => kind !== 'all')
    .map((each) => `${nameSeries(each)} ${figure(each.values[index])}`)
  const signs = [
    !period.finished && t('unfinished'),
    period.restated === 'corrected' && t('restated'),
  ].filter(Boolean)
  return [
    `${format.period(period.start, grain)}: ${total}`,
    ...parts,
    ...signs,
    ...annotations(index, totals?.[index] ?? null),
  ].join(', ')
}
