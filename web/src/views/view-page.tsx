import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Navigate, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ApiError } from '../api/api-error.ts'
import { useCompany } from '../company/company.ts'
import { useReports } from '../company/report-list.ts'
import { useFormat } from '../company/use-format.ts'
import { useLinks } from '../company/use-links.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts, useTexts } from '../language/language.ts'
import { en as reportsEn } from '../language/en/reports.ts'
import { sv as reportsSv } from '../language/sv/reports.ts'
import { parseReportSearch } from '../reports/report-search.ts'
import {
  combinedQuery,
  type CombinedReport,
  mayChange,
  type SavedView,
  useSavedViews,
} from '../saved-views/saved-views.ts'
import { SaveView } from '../saved-views/save-view.tsx'
import { useChangeView, ViewMenu } from '../saved-views/view-menu.tsx'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead, Path } from '../ui/layout/page-head.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { useMedia } from '../ui/overlays/drawer.tsx'
import { parseSearch } from '../ui/search-params.ts'
import { useNow } from '../ui/use-now.ts'
import { CopyLink } from './copy-link.tsx'
import { LineBuilder } from './line-builder.tsx'
import { LineCharts } from './line-charts.tsx'
import { LineTable } from './line-table.tsx'
import { ViewControls } from './view-controls.tsx'
import { parseViewSearch, toCombinedQuery, toSaved, type ViewSearch } from './view-search.ts'
import classes from './view.module.css'

addTexts('reports', { en: reportsEn, sv: reportsSv })

const newRoute = getRouteApi('/frame/companies/$companyId/views/new')
const savedRoute = getRouteApi('/frame/companies/$companyId/views/$viewId')

/** A combined report that is not saved (`/companies/{id}/views/new`). */
export function NewViewPage() {
  return <OneView search={newRoute.useSearch()} view={undefined} />
}

/** A saved view, or what its reader has made of it (`/companies/{id}/views/{view_id}`). */
export function ViewPage() {
  const t = useTexts('views')
  const { company_id } = useCompany()
  const links = useLinks()
  const { viewId } = savedRoute.useParams()
  const search = savedRoute.useSearch()
  const views = useSavedViews(company_id)
  const view = views.data?.find(({ view_id }) => view_id === viewId)
  if (view?.source_id != null) {
    const report = links.report(view.source_id, view.metric!)
    return <Navigate {...report} search={parseReportSearch(parseSearch(view.search))} replace />
  }
  if (view !== undefined) {
    const saved = parseViewSearch(parseSearch(view.search))
    return (
      <OneView
        key={viewId}
        view={view}
        search={search.line === undefined ? { ...saved, period: search.period } : search}
      />
    )
  }
  return (
    <Page>
      <PageHead title={t('title')} />
      <Loaded query={views}>{() => <Empty title={t('gone')}>{t('goneText')}</Empty>}</Loaded>
    </Page>
  )
}

function OneView({ view, search }: { view: SavedView | undefined; search: ViewSearch }) {
  const t = useTexts('views')
  const reports = useTexts('reports')
  const company = useCompany()
  const links = useLinks()
  const navigate = useNavigate()
  const today = useFormat().today(useNow())
  const hasLines = search.line !== undefined
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...combinedQuery(company.company_id, toCombinedQuery(search, today, company.fiscal_year_month)),
    enabled: hasLines,
    placeholderData: keepPreviousData,
  })
  const report = data?.answer
  const change = (next: ViewSearch, replace = false): void =>
    void navigate({ to: '.', search: { ...next }, replace, resetScroll: false })
  const name = view?.name ?? t('newTitle')
  return (
    <Page width={hasLines ? 'wide' : 'normal'}>
      <PageHead
        tab={name}
        title={<bdi>{name}</bdi>}
        line={t(view === undefined ? 'newLine' : view.for === 'company' ? 'ofCompany' : 'ofMember')}
        path={
          <Path>
            <Link {...links.reports}>{reports('title')}</Link>
            <bdi>{name}</bdi>
          </Path>
        }
        actions={
          hasLines && (
            <div className={classes.notPrinted}>
              <Actions view={view} search={search} today={today} />
            </div>
          )
        }
      />
      {!hasLines && (
        <Card>
          <Section title={t('lines')}>
            <Builder search={search} onShow={change} />
          </Section>
        </Card>
      )}
      {hasLines && (
        <Loaded query={{ data: report, error, refetch }}>
          {(found) => (
            <Content report={found} search={search} isStale={isPlaceholderData} onChange={change}>
              <ChangeLines search={search} onChange={change} />
            </Content>
          )}
        </Loaded>
      )}
      {hasLines && error instanceof ApiError && error.field === 'line' && (
        <div>
          <ChangeLines search={search} onChange={change} />
        </div>
      )}
    </Page>
  )
}

function ChangeLines({ search, onChange }: { search: ViewSearch; onChange: (search: ViewSearch) => void }) {
  const t = useTexts('views')
  const [isOpen, setIsOpen] = useState(false)
  const close = (): void => setIsOpen(false)
  function show(next: ViewSearch): void {
    close()
    onChange(next)
  }
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('changeLines')}</Button>
      {isOpen && (
        <Dialog title={t('lines')} onClose={close}>
          <Builder search={search} onShow={show} onCancel={close} />
        </Dialog>
      )}
    </>
  )
}

function Builder({
  search,
  onShow,
  onCancel,
}: {
  search: ViewSearch
  onShow: (search: ViewSearch) => void
  onCancel?: () => void
}) {
  const { cards, ...list } = useReports(useCompany().company_id)
  return (
    <Loaded query={{ data: cards, ...list }}>
      {(known) => (
        <LineBuilder
          lines={search.line ?? []}
          cards={known}
          // Other metrics may have other periods.
          onShow={(line) => onShow({ ...search, line, grain: undefined, period: undefined })}
          {...(onCancel !== undefined && { onCancel })}
        />
      )}
    </Loaded>
  )
}

/** @param props.children further controls */
function Content({
  report,
  search,
  isStale,
  onChange,
  children,
}: {
  report: CombinedReport
  search: ViewSearch
  isStale: boolean
  onChange: (search: ViewSearch, replace?: boolean) => void
  children: ReactNode
}) {
  const isNarrow = useMedia('(max-width: 40em)')
  return (
    <>
      <div className={classes.notPrinted}>
        <ViewControls report={report} search={search} today={report.today} onChange={onChange}>
          {children}
        </ViewControls>
      </div>
      <div className={classes.content} {...(isStale && { 'aria-busy': true })}>
        <LineCharts
          report={report}
          isNarrow={isNarrow}
          chosen={search.period}
          onChoose={(period) => onChange({ ...search, period }, true)}
        />
        <LineTable report={report} />
      </div>
    </>
  )
}

/** Copying the link, saving, and what else can be done with a saved view. */
function Actions({
  view,
  search,
  today,
}: {
  view: SavedView | undefined
  search: ViewSearch
  today: string
}) {
  const t = useTexts('views')
  const company = useCompany()
  const navigate = useNavigate()
  const links = useLinks()
  const saving = useChangeView()
  const text = toSaved(search)
  const isChanged = view !== undefined && text !== toSaved(parseViewSearch(parseSearch(view.search)))
  const canChange = view !== undefined && mayChange(company, view)
  const isConflict = saving.error instanceof ApiError && saving.error.code === 'conflict'
  return (
    <>
      <Buttons>
        {isChanged && canChange && (
          <Button
            variant="primary"
            busy={saving.isPending}
            onClick={() => saving.change(view, { search: text })}
          >
            {t('saveChanges')}
          </Button>
        )}
        {(view === undefined || isChanged) && (
          <SaveView
            search={text}
            name={view?.name ?? ''}
            {...(view !== undefined && { label: t('saveAs') })}
            onSaved={({ view_id }) => void navigate(links.view(view_id))}
          />
        )}
        <CopyLink search={search} today={today} viewId={view?.for === 'company' ? view.view_id : undefined} />
        {canChange && <ViewMenu view={view} onDeleted={() => void navigate(links.reports)} />}
      </Buttons>
      {isConflict && isChanged && view !== undefined && (
        <Note
          tone="amber"
          role="alert"
          title={t('changedMeanwhile', { who: isolate(view.changed_by?.name ?? t('someone')) })}
          action={
            <Button small onClick={() => void navigate({ ...links.view(view.view_id), search: {} })}>
              {t('showTheirs')}
            </Button>
          }
        >
          {t('changedText')}
        </Note>
      )}
      {saving.error !== null && !isConflict && <Failure error={saving.error} title={t('changeFailed')} />}
    </>
  )
}
