import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useCompany } from '../company/company.ts'
import { type ReportCard, reportsQuery } from '../company/report-list.ts'
import { useFormat } from '../company/use-format.ts'
import { addTexts, useTexts } from '../language/language.ts'
import { en } from '../language/reports.en.ts'
import { sv } from '../language/reports.sv.ts'
import { Button } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { useMedia } from '../ui/drawer.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead, Path } from '../ui/page-head.tsx'
import { useNow } from '../ui/use-now.ts'
import { ChartCard } from './chart-card.tsx'
import { FiguresCard } from './figures-card.tsx'
import { useNames } from './names.ts'
import { ReportControls } from './report-controls.tsx'
import { FindingLine, ReportNotes } from './report-notes.tsx'
import classes from './report-page.module.css'
import { type Report, type ReportId, reportQuery } from './report-queries.ts'
import { type ReportSearch } from './report-search.ts'
import { shownSeries } from './shown-series.ts'
import { TraceDrawer } from './trace-drawer.tsx'

addTexts('reports', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/reports/$sourceId/$metric')

/** Below it, controls and table are those of a phone. */
const narrow = '(max-width: 40em)'

/** One metric of one source (`/companies/{id}/reports/{source}/{metric}`). */
export function ReportPage() {
  const { sourceId, metric } = route.useParams()
  return <OneReport key={`${sourceId} ${metric}`} sourceId={sourceId} metric={metric} />
}

/** What the list knows of it, to name it before it is loaded. */
function useKnownCard({ company_id, source_id, metric }: ReportId): ReportCard | undefined {
  return useQueryClient()
    .getQueryData(reportsQuery(company_id).queryKey)
    ?.pages.flatMap(({ answer }) => answer.reports)
    .find((card) => card.source_id === source_id && card.metric === metric)
}

function OneReport({ sourceId, metric }: { sourceId: string; metric: string }) {
  const t = useTexts('reports')
  const { company_id } = useCompany()
  const id = { company_id, source_id: sourceId, metric }
  const names = useNames()
  const search = route.useSearch()
  const today = useFormat().today(useNow())
  const query = useQuery({ ...reportQuery(id, search, today), placeholderData: keepPreviousData })
  const card = useKnownCard(id)
  const known = query.data?.answer ?? card
  const name = names.metric(metric, known?.name ?? metric)
  return (
    <Page width="wide">
      <PageHead
        tab={name}
        title={<bdi>{name}</bdi>}
        line={known === undefined ? '\u00A0' : <ReportLine of={known} />}
        path={
          <Path>
            <Link to="/companies/$companyId/reports" params={{ companyId: company_id }}>
              {t('title')}
            </Link>
            <span>
              <bdi>{name}</bdi>
              {known !== undefined && (
                <>
                  , <bdi>{known.source_name}</bdi>
                </>
              )}
            </span>
          </Path>
        }
        actions={<CopyLink />}
      />
      <Loaded
        query={{ data: query.data?.answer, error: query.error, refetch: query.refetch }}
        skeleton={<ReportSkeleton />}
      >
        {(report) => (
          <Content id={id} report={report} search={search} today={today} isStale={query.isPlaceholderData} />
        )}
      </Loaded>
      {query.error !== null && Object.keys(search).length > 0 && <StartAnew />}
    </Page>
  )
}

/** Copied when it is pressed: by then the address may be another one. */
function CopyLink() {
  const t = useTexts('reports')
  // Each part of the address that is shown renders this anew.
  route.useSearch()
  return (
    <span className={`${classes.notPrinted} ${classes.wideOnly}`}>
      <CopyButton text={location.href} label={t('copyLink')} />
    </span>
  )
}

/** Where the address asks for what there is not, such as a label that is gone. */
function StartAnew() {
  const t = useTexts('reports')
  const navigate = useNavigate()
  return (
    <div>
      <Button onClick={() => void navigate({ to: '.', search: {} })}>{t('startAnew')}</Button>
    </div>
  )
}

function ReportLine({ of }: { of: Report | ReportCard }) {
  const t = useTexts('reports')
  const names = useNames()
  const { period, grain, combines, source_name, unit } = of
  const isLonger = period !== grain
  return (
    <>
      <bdi>{source_name}</bdi> · {names.unit(unit)} · {t(`counted.${period}`)}
      {isLonger && `, ${t(`put.${combines ?? 'sum'}.${grain}`)}`}
    </>
  )
}

interface ContentProps {
  id: ReportId
  report: Report
  search: ReportSearch
  today: string
  /** What is shown is of another address, until that of this one is here. */
  isStale: boolean
}

function Content({ id, report, search, today, isStale }: ContentProps) {
  const t = useTexts('reports')
  const navigate = useNavigate()
  const names = useNames()
  const isNarrow = useMedia(narrow)
  const series = useMemo(() => shownSeries(report), [report])
  const go = (next: ReportSearch, replace = false): void =>
    void navigate({ to: '.', search: next, replace, resetScroll: false })
  const openTrace = (trace: string, of?: string): void => go({ ...search, trace, of })
  const label = t('chartOf', {
    name: names.metric(report.metric, report.name),
    grain: t(`by.${report.grain}`),
  })
  const isEmpty = report.periods.every(({ known }) => !known)
  return (
    <>
      <div className={classes.notPrinted}>
        <ReportControls report={report} search={search} today={today} isNarrow={isNarrow} onChange={go} />
      </div>
      <div className={classes.report} {...(isStale && { 'aria-busy': true })}>
        {!isNarrow && <FindingLine report={report} series={series} />}
        <ReportNotes report={report} search={search} onChange={go} />
        {report.choose.length > 0 ? null : isEmpty ? (
          <Empty title={t('nothingHere')}>{t('nothingHereText')}</Empty>
        ) : (
          <>
            <ChartCard
              report={report}
              series={series}
              chosen={search.period}
              isNarrow={isNarrow}
              label={label}
              onChoose={(period) => go({ ...search, period }, true)}
              onTrace={(start) => report.totals !== null && openTrace(start)}
            />
            <FiguresCard
              id={id}
              report={report}
              series={series}
              search={search}
              today={today}
              isNarrow={isNarrow}
              onSort={(sort) => go({ ...search, sort }, true)}
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
          onClose={() => go({ ...search, trace: undefined, of: undefined })}
        />
      )}
    </>
  )
}

/** Controls, chart and table, of the size that they will have. */
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
