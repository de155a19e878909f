import { useMemo, useState } from 'react'
import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { ChangeLine } from '../reports/change-line.tsx'
import { Chart, toColour } from '../reports/chart/chart.tsx'
import card from '../reports/chart/chart-card.module.css'
import { createChartModel } from '../reports/chart/chart-model.ts'
import { useNames } from '../reports/names.ts'
import {
  type CombinedFigure,
  type CombinedLine,
  type CombinedReport,
  toLineUnit,
} from '../saved-views/saved-views.ts'
import { Card } from '../ui/layout/card.tsx'
import { useFigureNotes, useFigureText } from './figure-notes.tsx'
import { useLineName } from './use-line-name.ts'
import classes from './view.module.css'

interface ChartsProps {
  report: CombinedReport
  isNarrow: boolean
  /** The first day of the chosen period. */
  chosen: string | undefined
  onChoose: (start: string) => void
}

/** The period that is read out where none is chosen: the last finished one with a figure. */
function getReadOut({ periods, lines }: CombinedReport): number {
  const has = (index: number): boolean => lines.some(({ values }) => values[index]!.value !== null)
  const finished = periods.findLastIndex((period, index) => period.finished && has(index))
  return finished >= 0 ? finished : periods.length - 1
}

/** A chart for the lines of each unit, one above another; all read out the same period. */
export function LineCharts({ chosen, onChoose, ...shown }: ChartsProps) {
  const { periods, lines } = shown.report
  const [pointed, setPointed] = useState<string>()
  const place = [pointed, chosen]
    .map((start) => periods.findIndex((period) => period.start === start))
    .find((found) => found >= 0)
  // A sum and a ratio of the same unit differ in size.
  const groups = Map.groupBy(
    [...lines.entries()],
    ([, line]) => `${toLineUnit(line)} ${line.denominator !== null}`,
  )
  return [...groups].map(([key, group]) => (
    <OneChart
      key={key}
      {...shown}
      group={group}
      index={place ?? getReadOut(shown.report)}
      onPoint={(index) => setPointed(index === undefined ? undefined : periods[index]!.start)}
      onChoose={(index) => {
        setPointed(undefined)
        onChoose(periods[index]!.start)
      }}
    />
  ))
}

function toValues(figures: readonly CombinedFigure[] | null): (string | null)[] | null {
  return figures && figures.map(({ value }) => value)
}

function OneChart({
  report,
  isNarrow,
  group,
  index,
  onPoint,
  onChoose,
}: Omit<ChartsProps, 'chosen' | 'onChoose'> & {
  /** Lines with their places. */
  group: readonly [place: number, line: CombinedLine][]
  index: number
  onPoint: (index: number | undefined) => void
  onChoose: (index: number) => void
}) {
  const t = useTexts('views')
  const reports = useTexts('reports')
  const format = useFormat()
  const nameLine = useLineName()
  const figureText = useFigureText()
  const { periods, grain } = report
  const drawn = useMemo(() => {
    const [first] = group
    const isAlone = group.length === 1
    const model = createChartModel({
      series: group.map(([, { values }]) => toValues(values)!),
      yearBefore: isAlone ? toValues(first![1].year_before) : null,
      today: null,
      periods: periods.length,
      adds: isAlone && first![1].denominator === null,
    })
    return { model, colours: group.map(([place]) => place + 1), restated: [] }
  }, [group, periods])
  const period = periods[index]!
  const read = group.map(([, line]) => `${nameLine(line)} ${figureText(line, line.values[index])}`)
  return (
    <Card>
      <div className={card.body}>
        <div className={card.readout}>
          <p className={`small ${card.period}`}>
            {format.period(period.start, grain)}
            {!period.finished && <span>{reports('unfinished')}</span>}
          </p>
          <div className={classes.readouts}>
            {group.map(([place, line]) => (
              <LineReadOut key={line.line} line={line} place={place} report={report} index={index} />
            ))}
          </div>
        </div>
        <Chart
          {...drawn}
          periods={periods}
          grain={grain}
          unit={toLineUnit(group[0]![1])}
          isNarrow={isNarrow}
          chosen={index}
          label={t('chartOf', {
            line: group.map(([, line]) => nameLine(line)).join(', '),
            grain: reports(`by.${grain}`),
          })}
          valueText={`${format.period(period.start, grain)}: ${read.join(', ')}`}
          onPoint={onPoint}
          onChoose={onChoose}
          onOpen={() => {}}
        />
      </div>
    </Card>
  )
}

/** A line's name and its figure of the period that is read out, with how it changed. */
function LineReadOut({
  line,
  place,
  report,
  index,
}: {
  line: CombinedLine
  place: number
  report: CombinedReport
  index: number
}) {
  const names = useNames()
  const nameLine = useLineName()
  const figureText = useFigureText()
  const notes = useFigureNotes()
  const { periods, grain, year_before_starts } = report
  const figure = line.values[index]!
  const [period, previous] = [periods[index]!, periods[index - 1]]
  const yearStart = year_before_starts?.[index]
  const { value } = figure
  return (
    <div>
      <p className={`small ${classes.lineName}`}>
        <span className={card.mark} style={{ background: toColour(place + 1) }} />
        <span>{nameLine(line)}</span>
      </p>
      <p className={card.value}>
        {value === null ? (
          <span className={card.none}>{figureText(line, figure)}</span>
        ) : (
          <>
            {figureText(line, figure)} <span className={card.unit}>{names.unit(toLineUnit(line))}</span>
          </>
        )}
      </p>
      <p className={`small ${classes.notes}`}>{notes(line, figure).join(' · ')}</p>
      <div className={card.changes}>
        {period.finished && value !== null && previous !== undefined && (
          <ChangeLine
            value={value}
            base={line.values[index - 1]!.value}
            unit={toLineUnit(line)}
            on={names.period(previous.start, grain)}
          />
        )}
        {period.finished && value !== null && yearStart != null && (
          <ChangeLine
            value={value}
            base={line.year_before?.[index]?.value ?? null}
            unit={toLineUnit(line)}
            on={names.periodOfYear(yearStart, grain)}
          />
        )}
      </div>
    </div>
  )
}
