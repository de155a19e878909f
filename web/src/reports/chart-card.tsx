import { useMemo, useState } from 'react'
import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { ChangeLine } from './change-line.tsx'
import { Chart, colourOf } from './chart.tsx'
import classes from './chart-card.module.css'
import { chartModel } from './chart-model.ts'
import { useNames } from './names.ts'
import type { Report } from './report-queries.ts'
import { isChangedSince, isStacked, periodReadOut, reachesTo, type ShownSeries } from './shown-series.ts'
import { useSeriesName } from './use-series-name.ts'

/** The chart with what is read out of it above: the period that is pointed at, else the one that was chosen. */
export function ChartCard({
  report,
  series,
  chosen,
  isNarrow,
  label,
  onChoose,
  onTrace,
}: {
  report: Report
  series: readonly ShownSeries[]
  /** The first day of a period. */
  chosen: string | undefined
  isNarrow: boolean
  label: string
  onChoose: (start: string) => void
  onTrace: (start: string) => void
}) {
  // By its first day: after another choice, other days stand in its place.
  const [pointed, setPointed] = useState<string>()
  const { periods } = report
  const place = [pointed, chosen]
    .map((start) => periods.findIndex((period) => period.start === start))
    .find((found) => found >= 0)
  const index = place ?? periodReadOut(report)
  const drawn = useDrawn(report, series)
  const valueText = useValueText(report, series, index)
  const legend = <Legend report={report} series={series} index={index} />
  return (
    <Card>
      <div className={classes.body}>
        <Readout report={report} index={index} />
        {!isNarrow && legend}
        <Chart
          {...drawn}
          periods={periods}
          grain={report.grain}
          unit={report.unit}
          isNarrow={isNarrow}
          chosen={index}
          label={label}
          valueText={valueText}
          onPoint={(period) => setPointed(period === undefined ? undefined : periods[period]!.start)}
          onChoose={(period) => {
            setPointed(undefined)
            onChoose(periods[period]!.start)
          }}
          onOpen={() => onTrace(periods[index]!.start)}
        />
        {isNarrow && legend}
      </div>
      <Signs report={report} />
    </Card>
  )
}

/** What the chart draws, as long as the report is the same. */
function useDrawn(report: Report, series: readonly ShownSeries[]) {
  const model = useMemo(
    () =>
      chartModel({
        series: series.map(({ values }) => values),
        yearBefore: report.year_before?.totals ?? null,
        // An outline only where there is more to see than the bar.
        today:
          report.vintage_today?.totals?.map((now, index) =>
            report.totals?.[index] == null || isChangedSince(report, index) ? now : null,
          ) ?? null,
        periods: report.periods.length,
        adds: isStacked(report),
      }),
    [report, series],
  )
  const colours = useMemo(() => series.map(({ colour }) => colour), [series])
  const restated = useMemo(
    () =>
      report.periods.flatMap((period, place) =>
        period.restated || isChangedSince(report, place) ? [place] : [],
      ),
    [report],
  )
  return { model, colours, restated }
}

function Readout({ report, index }: { report: Report; index: number }) {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const { periods, totals, grain, year_before, as_of, unit } = report
  const period = periods[index]
  if (period === undefined) return null
  const reach = reachesTo(report, index)
  const value = totals?.[index] ?? null
  const previous = periods[index - 1]
  const yearStart = year_before?.starts[index]
  return (
    <div className={classes.readout}>
      <p className={classes.period}>
        {format.period(period.start, grain)}
        {reach !== undefined && <span>{t('to', { day: format.dayRange(reach, reach) })}</span>}
        {(period.restated || isChangedSince(report, index)) && (
          <Badge tone="outline" icon="diamond">
            {t('restated')}
          </Badge>
        )}
        {as_of !== null && <span>{t('knownOn', { when: format.instant(as_of) })}</span>}
      </p>
      <p className={classes.value}>
        {totals === null ? (
          <span className={classes.none}>{t('noTotal')}</span>
        ) : value === null ? (
          <span className={classes.none}>{t(as_of === null ? 'noFigure' : 'notKnown')}</span>
        ) : (
          <>
            {format.number(value)} <span className={classes.unit}>{names.unit(unit)}</span>
          </>
        )}
      </p>
      <div className={classes.changes}>
        {!period.finished ? (
          <p className="small">{t('unfinished')}</p>
        ) : (
          value !== null && (
            <>
              {previous !== undefined && (
                <ChangeLine
                  value={value}
                  base={totals?.[index - 1] ?? null}
                  on={names.period(previous.start, grain)}
                />
              )}
              {yearStart != null && (
                <ChangeLine
                  value={value}
                  base={year_before?.totals?.[index] ?? null}
                  on={names.periodOfYear(yearStart, grain)}
                />
              )}
            </>
          )
        )}
      </div>
    </div>
  )
}

/** The colours in the order of the stack, with the figures of the period that is read out. */
function Legend({
  report,
  series,
  index,
}: {
  report: Report
  series: readonly ShownSeries[]
  index: number
}) {
  const t = useTexts('reports')
  const format = useFormat()
  const nameOf = useSeriesName(report)
  const { year_before } = report
  const figure = (value: string | null | undefined): string =>
    value == null ? t(report.as_of === null ? 'noFigure' : 'notKnown') : format.number(value)
  const isSingle = series.length === 1 && series[0]!.kind === 'all'
  if (isSingle && year_before === null) return null
  return (
    <dl className={classes.legend}>
      {!isSingle &&
        series.map((each) => (
          <div key={each.id ?? each.kind} className={classes.entry}>
            <dt>
              <span
                className={each.colour === 0 ? classes.otherMark : classes.mark}
                style={each.colour === 0 ? undefined : { background: colourOf(each.colour) }}
              />
              <bdi>{nameOf(each)}</bdi>
            </dt>
            <dd>{figure(each.values[index])}</dd>
          </div>
        ))}
      {year_before?.totals != null && (
        <div className={classes.entry}>
          <dt>
            <span className={classes.lineMark} />
            {t('allYearBefore')}
          </dt>
          <dd>{figure(year_before.totals[index])}</dd>
        </div>
      )}
    </dl>
  )
}

/** What the chart's signs mean, those that it shows. */
function Signs({ report }: { report: Report }) {
  const t = useTexts('reports')
  const format = useFormat()
  const { periods, totals, series, vintage_today } = report
  const going = isStacked(report)
    ? periods.findIndex(({ finished, known_to }) => !finished && known_to !== null)
    : -1
  const reach = reachesTo(report, going)
  const hasRestated = periods.some(({ restated }, index) => restated || isChangedSince(report, index))
  // What was not known yet says so itself.
  const lacks =
    vintage_today === null &&
    periods.some((_period, index) =>
      totals === null ? series.every(({ values }) => values[index] == null) : totals[index] == null,
    )
  // Their room is there without them, so that the table stays where it is.
  if (going < 0 && !hasRestated && !lacks && vintage_today === null)
    return <div className={classes.noSigns} />
  return (
    <ul className={classes.signs}>
      {going >= 0 && (
        <li>
          <span className={classes.hatched} />
          {reach === undefined
            ? t('unfinished')
            : t('signUnfinished', { day: format.dayRange(reach, reach) })}
        </li>
      )}
      {vintage_today !== null && (
        <li>
          <span className={classes.todayMark} />
          {t('signToday')}
        </li>
      )}
      {hasRestated && (
        <li>
          <Icon name="diamond" size={12} />
          {t('signRestated')}
        </li>
      )}
      {lacks && (
        <li>
          <span className={classes.nothingMark} />
          {t('signNothing')}
        </li>
      )}
    </ul>
  )
}

/** What a screen reader says of the period that is read out. */
function useValueText(report: Report, series: readonly ShownSeries[], index: number): string {
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const nameOf = useSeriesName(report)
  const { periods, totals, grain, unit } = report
  const period = periods[index]
  if (period === undefined) return ''
  const figure = (value: string | null | undefined): string =>
    value == null
      ? t(report.as_of === null ? 'noFigure' : 'notKnown')
      : `${format.number(value)} ${names.unit(unit)}`
  const parts = series
    .filter(({ kind }) => kind !== 'all')
    .map((each) => `${nameOf(each)} ${figure(each.values[index])}`)
  const signs = [!period.finished && t('unfinished'), period.restated && t('restated')].filter(Boolean)
  const total = totals === null ? [] : [figure(totals[index])]
  return [`${format.period(period.start, grain)}: ${total.join('')}`, ...parts, ...signs].join(', ')
}
