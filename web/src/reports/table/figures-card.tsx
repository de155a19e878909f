import { useMemo } from 'react'
import { useFormat } from '../../company/use-format.ts'
import { useTexts } from '../../language/language.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useNames } from '../names.ts'
import { useSeriesName } from '../value-names.ts'
import { useAnnotated } from '../notes/annotations.ts'
import { withTargets } from '../notes/target-columns.ts'
import type { Report, ReportId } from '../report-queries.ts'
import type { ReportSearch } from '../report-search.ts'
import type { ShownSeries } from '../shown-series.ts'
import { createFigureColumns } from './figures.ts'
import { FiguresActions } from './figures-actions.tsx'
import { FiguresTable } from './figures-table.tsx'

interface FiguresCardProps {
  id: ReportId
  report: Report
  series: readonly ShownSeries[]
  search: ReportSearch
  today: string
  isNarrow: boolean
  onChange: (search: ReportSearch) => void
  onSort: (sort: string) => void
  onTrace: (start: string, of: string | undefined) => void
}

/** The figures of the chart as a table: exact, to be copied, downloaded and printed. */
export function FiguresCard(props: FiguresCardProps) {
  const { report, search, isNarrow, onSort, onTrace } = props
  const t = useTexts('reports')
  const format = useFormat()
  const columns = useColumns(props)
  const traced = useMemo(
    () => (search.trace === undefined ? undefined : { start: search.trace, of: search.of }),
    [search.trace, search.of],
  )
  const unit = useNames().unit(report.unit)
  return (
    <Card>
      <Section
        title={t('figures')}
        line={
          report.as_of === null
            ? t('figuresLine', { unit })
            : t('figuresLineThen', { unit, when: format.instant(report.as_of) })
        }
        actions={<FiguresActions {...props} columns={columns} />}
      />
      <FiguresTable
        report={report}
        columns={columns}
        sort={search.sort}
        isNarrow={isNarrow}
        showsGrown={search.grew !== undefined}
        traced={traced}
        caption={t('figures')}
        onSort={onSort}
        onTrace={onTrace}
      />
    </Card>
  )
}

function useColumns({ report, series, search: { columns } }: FiguresCardProps) {
  const t = useTexts('reports')
  const ofTargets = useTexts('notes')
  const { targets } = useAnnotated()
  const nameSeries = useSeriesName(report)
  return useMemo(() => {
    const [all, yearBefore, today] = [t('all'), t('yearBefore'), t('knownToday')]
    const names: Parameters<typeof createFigureColumns>[2] = {
      series: nameSeries,
      all,
      yearBefore,
      today,
      part: (part, name) =>
        name === undefined ? t(`column.${part}`) : t('columnOf', { name, column: t(`columnIn.${part}`) }),
    }
    const shown = createFigureColumns(report, series, names, columns)
    const [target, ofTarget] = [ofTargets('target'), ofTargets('ofTarget')]
    return withTargets(shown, targets, { target, ofTarget })
  }, [report, series, columns, targets, nameSeries, t, ofTargets])
}
