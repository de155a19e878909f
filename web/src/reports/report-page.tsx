import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCompany } from '../company/company.ts'
import { type ReportCard, reportsQuery } from '../company/report-list.ts'
import { useFormat } from '../company/use-format.ts'
import { useLinks } from '../company/use-links.ts'
import { addTexts, useTexts } from '../language/language.ts'
import { en } from '../language/en/reports.ts'
import { sv } from '../language/sv/reports.ts'
import { SaveView } from '../saved-views/save-view.tsx'
import { Button } from '../ui/controls/button.tsx'
import { CopyButton } from '../ui/display/copy.tsx'
import { useMedia } from '../ui/overlays/drawer.tsx'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead, Path } from '../ui/layout/page-head.tsx'
import { stringifySearch } from '../ui/search-params.ts'
import { useNow } from '../ui/use-now.ts'
import { ChartCard } from './chart/chart-card.tsx'
import { ReportControls } from './controls/report-controls.tsx'
import { useNames } from './names.ts'
import { AnnotatedReport } from './notes/annotated-report.tsx'
import { annotationsQuery } from './notes/annotations.ts'
import { NotesCard } from './notes/notes-card.tsx'
import { LookLine } from './look-line.tsx'
import { FindingLine, ReportNotes } from './report-notes.tsx'
import { PrintedReport } from './printed-report.tsx'
import classes from './report-page.module.css'
import { type Report, type ReportId, reportQuery } from './report-queries.ts'
import type { ReportSearch } from './report-search.ts'
import { toShownSeries } from './shown-series.ts'
import { useAwaitsNames } from './value-names.ts'
import { FiguresCard } from './table/figures-card.tsx'
import { TraceDrawer } from './table/trace-drawer.tsx'

addTexts('reports', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/reports/$sourceId/$metric')

/** The trace without a comparison of its deliveries. */
const noChanges = { changed: undefined, against: undefined, key: undefined }

/** Up to this width, controls and table are those of a phone. */
const narrow = '(max-width: 40em)'

/** One metric of one source (`/companies/{id}/reports/{source}/{metric}`). */
export function ReportPage() {
  const { sourceId, metric } = route.useParams()
  return <OneReport key={`${sourceId} ${metric}`} source_id={sourceId} metric={metric} />
}

/** The report's card in the list, if that is loaded, to name the report at first. */
function useKnownCard({ company_id, source_id, metric }: ReportId): ReportCard | undefined {
  return useQueryClient()
    .getQueryData(reportsQuery(company_id).queryKey)
    ?.pages.flatMap(({ answer }) => answer.reports)
    .find((card) => card.source_id === source_id && card.metric === metric)
}

function OneReport({ source_id, metric }: Omit<ReportId, 'company_id'>) {
  const t = useTexts('reports')
  const { company_id, fiscal_year_month } = useCompany()
  const links = useLinks()
  const id = { company_id, source_id, metric }
  const names = useNames()
  const search = route.useSearch()
  const navigate = useNavigate()
  const today = useFormat().today(useNow())
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...reportQuery(id, search, today, fiscal_year_month),
    placeholderData: keepPreviousData,
  })
  const annotations = useQuery({
    ...annotationsQuery(id, search, today, fiscal_year_month),
    placeholderData: keepPreviousData,
  })
  const isWhole = !useAwaitsNames() && !annotations.isPending
  const card = useKnownCard(id)
  const known = data?.answer ?? card
  const name = names.metric(metric, known?.name ?? metric)
  return (
    <Page width="wide">
      <PageHead
        tab={name}
        title={<bdi>{name}</bdi>}
        line={known === undefined ? '\u00A0' : <ReportLine of={known} />}
        path={
          <Path>
            <Link {...links.reports}>{t('title')}</Link>
            <span>
              <bdi>{name}</bdi>
              {known !== undefined && ', '}
              <bdi>{known?.source_name}</bdi>
            </span>
          </Path>
        }
        actions={
          <>
            <SaveReport id={id} search={search} name={name} />
            <CopyLink />
          </>
        }
      />
      <Loaded
        query={{ data: isWhole ? data?.answer : undefined, error, refetch }}
        skeleton={<ReportSkeleton />}
      >
        {(report) => (
          <AnnotatedReport id={id} report={report} annotations={annotations.data?.answer}>
            <Content
              id={id}
              report={report}
              search={search}
              today={today}
              isStale={isPlaceholderData}
              notesError={annotations.error}
            />
          </AnnotatedReport>
        )}
      </Loaded>
      {/* The address may name something that no longer exists, such as a label. */}
      {error !== null && Object.keys(search).length > 0 && (
        <div>
          <Button onClick={() => void navigate({ to: '.', search: {} })}>{t('reset')}</Button>
        </div>
      )}
    </Page>
  )
}

/** Saves the address but for what is read out and traced. */
function SaveReport({ id, search, name }: { id: ReportId; search: ReportSearch; name: string }) {
  const { source_id, metric } = id
  const { period: _period, trace: _trace, of: _of, ...saved } = search
  return (
    <span className={classes.notPrinted}>
      <SaveView search={stringifySearch(saved).slice(1)} report={{ source_id, metric }} name={name} />
    </span>
  )
}

function CopyLink() {
  const t = useTexts('reports')
  return (
    <span className={`${classes.notPrinted} ${classes.wideOnly}`}>
      <CopyButton text={() => location.href} label={t('copyLink')} />
    </span>
  )
}

function ReportLine({ of: { period, grain, combines, source_name, unit } }: { of: Report | ReportCard }) {
  const t = useTexts('reports')
  const names = useNames()
  return (
    <>
      <bdi>{source_name}</bdi> · {names.unit(unit)} · {t(`counted.${period}`)}
      {period !== grain && `, ${t(`put.${combines ?? 'sum'}.${grain}`)}`}
    </>
  )
}

interface ContentProps {
  id: ReportId
  report: Report
  search: ReportSearch
  today: string
  /** The report is of the address before, until this one's is loaded. */
  isStale: boolean
  notesError: Error | null
}

function Content({ id, report, search, today, isStale, notesError }: ContentProps) {
  const t = useTexts('reports')
  const navigate = useNavigate()
  const names = useNames()
  const isNarrow = useMedia(narrow)
  const series = useMemo(() => toShownSeries(report), [report])
  const change = (next: ReportSearch, replace = false): void =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  const openTrace = (trace: string, of?: string): void => change({ ...search, trace, of })
  const name = names.metric(report.metric, report.name)
  const isEmpty = report.periods.every(({ known }) => !known)
  const shown = { report, series, isNarrow }
  const chosen = { report, search, today, onChange: change }
  return (
    <>
      <div className={classes.notPrinted}>
        <ReportControls {...chosen} isNarrow={isNarrow} />
      </div>
      <div className={classes.report} {...(isStale && { 'aria-busy': true })}>
        <PrintedReport report={report} />
        <div>
          {!isNarrow && <FindingLine report={report} series={series} />}
          <div className={classes.notPrinted}>
            <LookLine id={id} {...chosen} />
          </div>
        </div>
        <ReportNotes {...chosen} />
        {report.choose.length > 0 ? null : isEmpty ? (
          <Empty title={t('nothingHere')}>{t('nothingHereText')}</Empty>
        ) : (
          <>
            <ChartCard
              {...shown}
              chosen={search.period}
              label={t('chartOf', { name, grain: t(`by.${report.grain}`) })}
              onChoose={(period) => change({ ...search, period }, true)}
              onTrace={(start) => report.totals !== null && openTrace(start)}
            />
            <NotesCard report={report} chosen={search.period} error={notesError} />
            <FiguresCard
              {...shown}
              id={id}
              search={search}
              today={today}
              onChange={change}
              onSort={(sort) => change({ ...search, sort }, true)}
              onTrace={openTrace}
            />
          </>
        )}
      </div>
      {search.trace !== undefined && (
        <TraceDrawer
          key={`${search.trace} ${search.of}`}
          id={id}
          report={report}
          search={search}
          onClose={() => change({ ...search, trace: undefined, of: undefined, ...noChanges })}
          onChange={(changes) => change({ ...search, ...noChanges, ...changes })}
        />
      )}
    </>
  )
}

/** Controls, chart and table in their final sizes. */
function ReportSkeleton() {
  const t = useTexts('translation')
  return (
    <div className={classes.skeleton}>
      <span role="status" className="unseen">
        {t('ui.loading')}
      </span>
      <div className={classes.controls} />
      <div className={classes.line} />
      <div className={classes.chart} />
      <div className={classes.table} />
    </div>
  )
}
