import { useMemo, useState } from 'react'
import { fileAddress } from '../../api/call-api.ts'
import { may, useCompany } from '../../company/company.ts'
import { useFormat } from '../../company/use-format.ts'
import { useLanguage, useTexts } from '../../language/language.ts'
import { Button, ButtonAnchor, Buttons } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { useCopy } from '../../ui/display/copy.tsx'
import { LiveRegion } from '../../ui/feedback/live.tsx'
import { Menu, MenuItem } from '../../ui/overlays/popover.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useNames, useSeriesName } from '../names.ts'
import classes from '../report-page.module.css'
import { type Report, type ReportId, toReportRequest } from '../report-queries.ts'
import type { ReportSearch } from '../report-search.ts'
import type { ShownSeries } from '../shown-series.ts'
import { createFigureColumns, type FigureColumn, sortPeriods, toSpreadsheet } from './figures.ts'
import { SheetDialog } from './sheet-dialog.tsx'
import { FiguresTable } from './figures-table.tsx'

interface FiguresCardProps {
  id: ReportId
  report: Report
  series: readonly ShownSeries[]
  search: ReportSearch
  today: string
  isNarrow: boolean
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
        traced={traced}
        caption={t('figures')}
        onSort={onSort}
        onTrace={onTrace}
      />
    </Card>
  )
}

function useColumns({ report, series }: FiguresCardProps) {
  const t = useTexts('reports')
  const nameSeries = useSeriesName(report)
  return useMemo(() => {
    const [all, yearBefore, today] = [t('all'), t('yearBefore'), t('knownToday')]
    return createFigureColumns(report, series, { series: nameSeries, all, yearBefore, today })
  }, [report, series, nameSeries, t])
}

function Actions({
  id,
  report,
  search,
  today,
  isNarrow,
  columns,
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
    return toSpreadsheet(report, columns, indexes, language === 'sv' ? ',' : '.', {
      period: t(`grain.${report.grain}`),
      unfinished: t('unfinishedColumn'),
      yes: t('yes'),
    })
  })
  const { path, query } = toReportRequest(id, search, today)
  const operation = 'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}'
  const request = { path, query: { ...query, language } } as const
  const file = fileAddress(`${operation}/file.csv`, request)
  const workbook = fileAddress(`${operation}/file.xlsx`, request)
  const [isLinking, setIsLinking] = useState(false)
  const mayLink = may(useCompany().role, 'developer') && search.as_of === undefined
  return (
    <div className={classes.notPrinted}>
      <LiveRegion>{result}</LiveRegion>
      {isNarrow ? (
        <Menu label={t('withFigures')}>
          <MenuItem icon="copy" onClick={copy}>
            {t('copy')}
          </MenuItem>
          <MenuItem icon="delivery" onClick={() => location.assign(file)}>
            {t('file')}
          </MenuItem>
          <MenuItem icon="file" onClick={() => location.assign(workbook)}>
            {t('workbook')}
          </MenuItem>
          {mayLink && (
            <MenuItem icon="link" onClick={() => setIsLinking(true)}>
              {t('liveSheet')}
            </MenuItem>
          )}
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
          <ButtonAnchor small variant="quiet" icon="file" href={workbook} download>
            {t('workbook')}
          </ButtonAnchor>
          {mayLink && (
            <Button small variant="quiet" icon="link" onClick={() => setIsLinking(true)}>
              {t('liveSheet')}
            </Button>
          )}
          <Button small variant="quiet" icon="print" onClick={() => print()}>
            {t('print')}
          </Button>
        </Buttons>
      )}
      {isLinking && (
        <SheetDialog
          id={id}
          report={report}
          search={search}
          today={today}
          onClose={() => setIsLinking(false)}
        />
      )}
    </div>
  )
}
