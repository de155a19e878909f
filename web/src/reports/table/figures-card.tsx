import { useMemo } from 'react'
import { fileAddress } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { useFormat } from '../../company/use-format.ts'
import { useLanguage, useTexts } from '../../language/language.ts'
import { Button, ButtonAnchor, Buttons } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { useCopy } from '../../ui/display/copy.tsx'
import { LiveRegion } from '../../ui/feedback/live.tsx'
import { Menu, MenuItem } from '../../ui/overlays/popover.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useNames, useSeriesName } from '../names.ts'
import { useAnnotated } from '../notes/annotations.ts'
import { withTargets } from '../notes/target-columns.ts'
import classes from '../report-page.module.css'
import { type Report, type ReportId, toReportRequest } from '../report-queries.ts'
import type { ReportSearch } from '../report-search.ts'
import type { ShownSeries } from '../shown-series.ts'
import { ColumnChoice } from './column-choice.tsx'
import { createFigureColumns, type FigureColumn, sortPeriods, toSpreadsheet } from './figures.ts'
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
        actions={<Actions {...props} columns={columns} />}
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

function Actions({
  id,
  report,
  search,
  today,
  isNarrow,
  columns,
  onChange,
}: FiguresCardProps & { columns: FigureColumn[] }) {
  const t = useTexts('reports')
  const language = useLanguage() === 'sv' ? 'sv' : 'en'
  // Of two years by day the text is long: it is created when it is copied.
  const {
    icon,
    result,
    onClick: copy,
  } = useCopy(() => {
    const indexes = sortPeriods(report.periods, columns, search.sort)
    return toSpreadsheet(report, columns, indexes, language === 'sv' ? ',' : '.', t(`grain.${report.grain}`))
  })
  const { path, query } = toReportRequest(id, search, today, useCompany().fiscal_year_month)
  const file = fileAddress(
    'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/file.csv',
    { path, query: { ...query, language } },
  )
  return (
    <div className={`${classes.notPrinted} ${classes.actions}`}>
      <ColumnChoice report={report} search={search} onChange={onChange} />
      <LiveRegion>{result}</LiveRegion>
      {isNarrow ? (
        <Menu label={t('withFigures')}>
          <MenuItem icon="copy" onClick={copy}>
            {t('copy')}
          </MenuItem>
          <MenuItem icon="delivery" onClick={() => location.assign(file)}>
            {t('file')}
          </MenuItem>
          <MenuItem icon="print" onClick={() => print()}>
            {t('print')}
          </MenuItem>
        </Menu>
      ) : (
        <Buttons>
          <Button small variant="quiet" icon={icon} onClick={copy}>
            {result ?? t('copy')}
          </Button>
          <ButtonAnchor small variant="quiet" icon="delivery" href={file} download>
            {t('file')}
          </ButtonAnchor>
          <Button small variant="quiet" icon="print" onClick={() => print()}>
            {t('print')}
          </Button>
        </Buttons>
      )}
    </div>
  )
}
