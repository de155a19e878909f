import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { may, useCompany } from '../company/company.ts'
import { type ReportCard as Card, useReports } from '../company/report-list.ts'
import { useLinks } from '../company/use-links.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts, useTexts } from '../language/language.ts'
import { en } from '../language/en/reports.ts'
import { sv } from '../language/sv/reports.ts'
import { useSavedViews } from '../saved-views/saved-views.ts'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Select } from '../ui/controls/select.tsx'
import { ReportCard } from './cards/report-card.tsx'
import classes from './cards/report-card.module.css'
import { SparklineHatch } from './cards/sparkline.tsx'

// Loaded where they are shown.
const NothingYet = lazy(() => import('./nothing-yet.tsx').then(({ NothingYet }) => ({ default: NothingYet })))
const PinnedViews = lazy(() =>
  import('./pinned/pinned-views.tsx').then(({ PinnedViews }) => ({ default: PinnedViews })),
)

addTexts('reports', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/reports')

/** The company's reports at a glance (`/companies/{id}/reports`). */
export function ReportsPage() {
  const t = useTexts('reports')
  const company = useCompany()
  const { cards, error, refetch } = useReports(company.company_id)
  const { source } = route.useSearch()
  const links = useLinks()
  const { data: saved = [], isPending } = useSavedViews(company.company_id)
  const isEmpty = cards?.length === 0
  const summary = cards === undefined ? '\u00A0' : <Summary cards={cards} />
  return (
    <Page width={isEmpty ? 'form' : 'normal'}>
      <PageHead
        title={t('title')}
        line={isEmpty ? t('none', { company: isolate(company.name) }) : summary}
        actions={
          cards !== undefined &&
          !isEmpty && (
            <>
              <SourceChoice cards={cards} chosen={source} />
              <ButtonLink {...links.newView} icon="plus">
                {t('newView')}
              </ButtonLink>
            </>
          )
        }
      />
      <Loaded query={{ data: isPending ? undefined : cards, error, refetch }} skeleton={<CardsSkeleton />}>
        {(cards) => {
          const shown = cards.filter(({ source_id }) => source === undefined || source_id === source)
          return (
            <Suspense fallback={<CardsSkeleton />}>
              {isEmpty ? (
                <NothingYet />
              ) : (
                <>
                  {source === undefined && saved.length > 0 && <PinnedViews cards={cards} />}
                  <SparklineHatch />
                  <ul className={classes.cards}>
                    {shown.map((card) => (
                      <ReportCard key={`${card.source_id} ${card.metric}`} card={card} />
                    ))}
                  </ul>
                  {shown.length === 0 && <Empty title={t('noneOfSource')}>{t('noneOfSourceText')}</Empty>}
                  <p className="small">{t('explained')}</p>
                </>
              )}
            </Suspense>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** One card of each source. */
function getSources(cards: readonly Card[]): Card[] {
  return [...new Map(cards.map((card) => [card.source_id, card])).values()]
}

/** How many reports from how many sources, and which of these are late or paused. */
function Summary({ cards }: { cards: readonly Card[] }) {
  const t = useTexts('reports')
  const { role } = useCompany()
  const links = useLinks()
  const format = useFormat()
  const sources = getSources(cards)
  const late = sources.filter(({ freshness }) => freshness.late)
  const paused = sources.filter(({ source_state }) => source_state === 'paused')
  const counted = (of: readonly Card[]) => ({
    count: of.length,
    number: format.count(of.length),
    source: isolate(of[0]?.source_name ?? ''),
  })
  const lateText = t('lateSources', counted(late))
  return (
    <>
      {t('summary', {
        reports: t('reports', { count: cards.length, number: format.count(cards.length) }),
        sources: t('sources', { count: sources.length, number: format.count(sources.length) }),
      })}{' '}
      {late.length > 0 && (may(role, 'developer') ? <Link {...links.sources}>{lateText}</Link> : lateText)}
      {late.length > 0 && paused.length > 0 && ` ${t('and')} `}
      {paused.length > 0 && t('pausedSources', counted(paused))}
      {late.length + paused.length > 0 && '.'}
    </>
  )
}

function SourceChoice({ cards, chosen = '' }: { cards: readonly Card[]; chosen: string | undefined }) {
  const t = useTexts('reports')
  const navigate = useNavigate()
  const sources = getSources(cards).map(({ source_id, source_name }) => ({
    value: source_id,
    label: source_name,
  }))
  if (sources.length < 2) return null
  return (
    <Select
      label={t('ofSource')}
      icon="source"
      value={chosen}
      options={[{ value: '', label: t('allSources') }, ...sources]}
      onChange={(source) => void navigate({ to: '.', search: { source } })}
    />
  )
}

/** As many as a screen shows. */
const skeletonCards = 6

function CardsSkeleton() {
  const t = useTexts('translation')
  return (
    <div className={classes.cards}>
      <span role="status" className="unseen">
        {t('ui.loading')}
      </span>
      {Array.from({ length: skeletonCards }, (_card, index) => (
        <div key={index} className={classes.skeleton} />
      ))}
    </div>
  )
}
