import { useEffect, useMemo, useState } from 'react'
import { fileAddress } from '../api/call-api.ts'
import { useFormat } from '../company/use-format.ts'
import { useLanguage, useTexts } from '../language/language.ts'
import { Button, ButtonAnchor, Buttons } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { Menu, MenuItem } from '../ui/popover.tsx'
import { Section } from '../ui/section.tsx'
import classes from './report-page.module.css'
import { figureColumns, figuresText, sortedPeriods } from './figures.ts'
import { FiguresTable } from './figures-table.tsx'
import { useNames } from './names.ts'
import { type Report, type ReportId, reportRequest } from './report-queries.ts'
import type { ReportSearch } from './report-search.ts'
import type { ShownSeries } from './shown-series.ts'
import { useSeriesName } from './use-series-name.ts'

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

/** What the chart shows, as a table: exact, to be copied, downloaded and printed. */
export function FiguresCard(props: FiguresCardProps) {
  const { report, search, isNarrow, onSort, onTrace } = props
  const t = useTexts('reports')
  const format = useFormat()
  const names = useNames()
  const columns = useColumns(props)
  const traced = useMemo(
    () => (search.trace === undefined ? undefined : { start: search.trace, of: search.of }),
    [search.trace, search.of],
  )
  const unit = names.unit(report.unit)
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
  const nameOf = useSeriesName(report)
  return useMemo(
    () =>
      figureColumns(report, series, {
        series: nameOf,
        all: t('all'),
        yearBefore: t('yearBefore'),
        today: t('knownToday'),
      }),
    [report, series, nameOf, t],
  )
}

/** How long a button says what came of it. */
const saidMs = 2_000

/** Copies a text that is made when it is asked for, since of two years by day it is long; says for a moment whether it could. */
function useCopy(textOf: () => string) {
  const [said, setSaid] = useState<'copied' | 'notCopied'>()
  useEffect(() => {
    if (said === undefined) return undefined
    const timer = setTimeout(() => setSaid(undefined), saidMs)
    return () => clearTimeout(timer)
  }, [said])
  const copy = async (): Promise<void> => {
    // A browser has no clipboard where the page came over plain HTTP from elsewhere.
    try {
      await navigator.clipboard.writeText(textOf())
      setSaid('copied')
    } catch {
      setSaid('notCopied')
    }
  }
  return [said, () => void copy()] as const
}

function Actions({
  id,
  report,
  search,
  today,
  isNarrow,
  columns,
}: FiguresCardProps & { columns: ReturnType<typeof figureColumns> }) {
  const t = useTexts('reports')
  const language = useLanguage()
  const isSwedish = language === 'sv'
  const [said, copy] = useCopy(() => {
    const places = sortedPeriods(report.periods, columns, search.sort)
    return figuresText(report, columns, places, isSwedish ? ',' : '.', t(`grain.${report.grain}`))
  })
  const request = reportRequest(id, search, today)
  const file = fileAddress(
    'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/file.csv',
    { ...request, query: { ...request.query, language: isSwedish ? 'sv' : 'en' } },
  )
  const copyText = t(said === undefined ? 'copy' : said)
  return (
    <div className={classes.notPrinted}>
      <LiveRegion>{said !== undefined && t(said)}</LiveRegion>
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
          <Button
            small
            variant="quiet"
            icon={said === 'copied' ? 'check' : said === 'notCopied' ? 'warning' : 'copy'}
            onClick={copy}
          >
            {copyText}
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
