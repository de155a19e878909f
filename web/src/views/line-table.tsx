import { useTexts } from '../language/language.ts'
import { useNames } from '../reports/names.ts'
import {
  type CombinedFigure,
  type CombinedLine,
  type CombinedReport,
  toLineUnit,
} from '../saved-views/saved-views.ts'
import { type Column, Second, Table } from '../ui/display/table.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Section } from '../ui/layout/section.tsx'
import { useFigureNotes, useFigureText } from './figure-notes.tsx'
import { useLineName } from './use-line-name.ts'
import classes from './view.module.css'

function useColumns({ periods, grain, lines, year_before_starts }: CombinedReport): Column<number>[] {
  const t = useTexts('views')
  const reports = useTexts('reports')
  const names = useNames()
  const nameLine = useLineName()
  const figureText = useFigureText()
  const notes = useFigureNotes()
  const cell = (line: CombinedLine, figure: CombinedFigure | null | undefined) => (
    <>
      {figureText(line, figure)}
      {notes(line, figure).map((note) => (
        <Second key={note}>{note}</Second>
      ))}
    </>
  )
  const hasTotals = lines.some(({ total }) => total !== null)
  return [
    {
      key: 'period',
      head: reports(`grain.${grain}`),
      render: (index) => (
        <>
          {names.periodInTable(periods[index]!.start, grain)}
          {!periods[index]!.finished && <Second>{reports('unfinishedSmall')}</Second>}
        </>
      ),
      ...(hasTotals && { sum: t('together_of') }),
    },
    ...lines.flatMap((line): Column<number>[] => [
      {
        key: line.line,
        head: <span className={classes.head}>{nameLine(line)}</span>,
        end: true,
        strong: true,
        render: (index) => cell(line, line.values[index]),
        ...(hasTotals && {
          sum: line.total !== null && (
            <>
              {cell(line, line.total)}
              <Second>{t('total', { count: line.total.periods })}</Second>
            </>
          ),
        }),
      },
      ...(year_before_starts === null
        ? []
        : [
            {
              key: `${line.line} year`,
              head: reports('yearBefore'),
              end: true,
              wideOnly: true,
              render: (index: number) => cell(line, line.year_before?.[index]),
              ...(hasTotals && { sum: '' }),
            },
          ]),
    ]),
  ]
}

/** The exact figures of all lines, the latest period first. */
export function LineTable({ report }: { report: CombinedReport }) {
  const t = useTexts('views')
  const reports = useTexts('reports')
  const names = useNames()
  const columns = useColumns(report)
  const { periods, lines } = report
  const indexes = [...periods.keys()].toReversed()
  const units = [...new Set(lines.map((line) => names.unit(toLineUnit(line))))].filter(Boolean)
  const isRounded = lines.some(({ denominator }) => denominator !== null)
  return (
    <Card>
      <Section
        title={reports('figures')}
        line={[`${units.join(', ')}.`, isRounded && t('rounded')].filter(Boolean).join(' ')}
      />
      <Table
        caption={reports('figures')}
        columns={columns}
        rows={indexes}
        rowKey={(index) => periods[index]!.start}
        sticky
      />
      {!report.complete && (
        <Section>
          <p className="small">{t('incomplete')}</p>
        </Section>
      )}
    </Card>
  )
}
