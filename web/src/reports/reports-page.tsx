import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { may, useCompany } from '../company/company.ts'
import { sourcesQuery } from '../company/lists.ts'
import { Owners } from '../company/owners.tsx'
import { type ReportCard as Card, useReports } from '../company/report-list.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts, useTexts } from '../language/language.ts'
import { en } from '../language/reports.en.ts'
import { sv } from '../language/reports.sv.ts'
import { ButtonLink } from '../ui/button-link.tsx'
import { Empty, EmptyStart } from '../ui/empty-start.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Select } from '../ui/select.tsx'
import { capital } from './capital.ts'
import { useNames } from './names.ts'
import { ReportCard } from './report-card.tsx'
import classes from './report-card.module.css'
import { SparklineHatch } from './sparkline.tsx'

addTexts('reports', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/reports')

/** The company's reports at a glance (`/companies/{id}/reports`). */
export function ReportsPage() {
  const t = useTexts('reports')
  const company = useCompany()
  const { cards, error, refetch } = useReports(company.company_id)
  const { source } = route.useSearch()
  const shown = cards?.filter(({ source_id }) => source === undefined || source_id === source)
  return (
    <Page width={cards?.length === 0 ? 'form' : 'normal'}>
      <PageHead
        title={t('title')}
        line={
          cards === undefined ? (
            '\u00A0'
          ) : cards.length === 0 ? (
            t('none', { company: isolate(company.name) })
          ) : (
            <Summary cards={cards} />
          )
        }
        actions={cards !== undefined && <SourceChoice cards={cards} chosen={source} />}
      />
      <Loaded query={{ data: cards, error, refetch }} skeleton={<CardsSkeleton />}>
        {() =>
          cards!.length === 0 ? (
            <NothingYet />
          ) : (
            <>
              <SparklineHatch />
              <ul className={classes.cards}>
                {shown!.map((card) => (
                  <ReportCard key={`${card.source_id} ${card.metric}`} card={card} />
                ))}
              </ul>
              {shown!.length === 0 && <Empty title={t('noneOfSource')}>{t('noneOfSourceText')}</Empty>}
              <p className="small">{t('explained')}</p>
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function sourcesOf(cards: readonly Card[]): Card[] {
  return [...new Map(cards.map((card) => [card.source_id, card])).values()]
}

/** How many reports from how many sources, and which of these are late or paused. */
function Summary({ cards }: { cards: readonly Card[] }) {
  const t = useTexts('reports')
  const { company_id, role } = useCompany()
  const names = useNames()
  const sources = sourcesOf(cards)
  const late = sources.filter(({ freshness }) => freshness.late)
  const paused = sources.filter(({ source_state }) => source_state === 'paused')
  const lateText =
    late.length === 1
      ? t('isLate', { source: isolate(late[0]!.source_name) })
      : t('areLate', { count: late.length, sources: capital(names.inWords(late.length)) })
  const pausedText =
    paused.length === 1
      ? t('isPaused', { source: isolate(paused[0]!.source_name) })
      : t('arePaused', {
          sources: late.length > 0 ? names.inWords(paused.length) : capital(names.inWords(paused.length)),
        })
  return (
    <>
      {capital(
        t('summary', {
          reports: t('reports', { count: cards.length, number: names.inWords(cards.length) }),
          sources: t('sources', { count: sources.length, number: names.inWords(sources.length) }),
        }),
      )}{' '}
      {late.length > 0 &&
        (may(role, 'developer') ? (
          <Link to="/companies/$companyId/sources" params={{ companyId: company_id }}>
            {lateText}
          </Link>
        ) : (
          lateText
        ))}
      {late.length > 0 && paused.length > 0 && ` ${t('and')} `}
      {paused.length > 0 && pausedText}
      {late.length + paused.length > 0 && '.'}
    </>
  )
}

function SourceChoice({ cards, chosen }: { cards: readonly Card[]; chosen: string | undefined }) {
  const t = useTexts('reports')
  const navigate = useNavigate()
  const sources = sourcesOf(cards)
  if (sources.length < 2) return null
  return (
    <Select
      label={t('ofSource')}
      icon="source"
      value={chosen ?? ''}
      options={[
        { value: '', label: t('allSources') },
        ...sources.map(({ source_id, source_name }) => ({ value: source_id, label: source_name })),
      ]}
      onChange={(source) => void navigate({ to: '.', search: source === '' ? {} : { source } })}
    />
  )
}

/** As many as one screen shows. */
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

/** Who may connect a system is led there; who may not is told that nothing is theirs to do. */
function NothingYet() {
  const t = useTexts('reports')
  const { company_id, role } = useCompany()
  const isDeveloper = may(role, 'developer')
  const hasSource = (useQuery({ ...sourcesQuery(company_id), enabled: isDeveloper }).data ?? []).length > 0
  if (!isDeveloper) {
    return (
      <Empty title={t('byThemselves')} actions={<Owners label={t('whoConnects')} />}>
        {t('byThemselvesText')}
      </Empty>
    )
  }
  const newSource = (
    <ButtonLink
      to="/companies/$companyId/sources/$sourceId"
      params={{ companyId: company_id, sourceId: 'new' }}
      variant="primary"
      icon="plus"
    >
      {t('start.newSource')}
    </ButtonLink>
  )
  const toSources = (
    <ButtonLink to="/companies/$companyId/sources" params={{ companyId: company_id }} variant="primary">
      {t('start.toSources')}
    </ButtonLink>
  )
  return (
    <>
      <EmptyStart
        title={t('start.title')}
        steps={[
          {
            title: t('start.describe'),
            text: t('start.describeText'),
            ...(hasSource ? { state: 'done' } : { state: 'now', action: newSource }),
          },
          {
            title: t('start.sign'),
            text: t('start.signText'),
            ...(hasSource ? { state: 'now', action: toSources } : { state: 'later' }),
          },
          { title: t('start.send'), text: t('start.sendText'), state: 'later' },
        ]}
      />
      {may(role, 'owner') && (
        <div className={classes.invite}>
          <div>
            <h2>{t('invite')}</h2>
            <p className="quiet">{t('inviteText')}</p>
          </div>
          <ButtonLink to="/companies/$companyId/members" params={{ companyId: company_id }} icon="mail">
            {t('inviteDeveloper')}
          </ButtonLink>
        </div>
      )}
    </>
  )
}
