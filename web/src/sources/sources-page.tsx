import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { type Source, sourcesQuery } from '../company/lists.ts'
import { type Format, useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/sources.en.ts'
import { sv } from '../language/sources.sv.ts'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { EmptyStart } from '../ui/empty-start.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Menu, MenuItem, MenuLink } from '../ui/popover.tsx'
import { Section } from '../ui/section.tsx'
import { type Column, RowLink, Second, Table } from '../ui/table.tsx'
import { useNow } from '../ui/use-now.ts'
import { ActionsHead } from './actions-head.tsx'
import { PauseDialog } from './pause-dialog.tsx'
import { SourceState } from './source-state.tsx'
import classes from './sources-page.module.css'
import { useSourceAction } from './use-source-change.ts'

addTexts('sources', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/sources')

/** The company's sources (`/companies/{id}/sources`). */
export function SourcesPage() {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const sources = useQuery({ ...sourcesQuery(company_id), staleTime: 5_000 })
  const isEmpty = sources.data?.length === 0
  return (
    <Page>
      <PageHead
        title={t('title')}
        line={t('intro')}
        actions={
          !isEmpty && (
            <ButtonLink
              to="/companies/$companyId/sources/new"
              params={{ companyId: company_id }}
              variant="primary"
              icon="plus"
            >
              {t('new')}
            </ButtonLink>
          )
        }
      />
      <Loaded query={sources}>
        {(list) =>
          list.length === 0 ? (
            <NoSources />
          ) : (
            <>
              <SourceTable sources={list} />
              <TestDataNote sources={list} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

function NoSources() {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  return (
    <div className={classes.start}>
      <EmptyStart
        title={t('none')}
        steps={[
          {
            title: t('start.source'),
            text: t('start.sourceText'),
            state: 'now',
            action: (
              <ButtonLink
                to="/companies/$companyId/sources/new"
                params={{ companyId: company_id }}
                variant="primary"
                icon="plus"
              >
                {t('new')}
              </ButtonLink>
            ),
          },
          { title: t('start.connection'), text: t('start.connectionText'), state: 'later' },
          { title: t('start.delivery'), text: t('start.deliveryText'), state: 'later' },
        ]}
      />
    </div>
  )
}

/** Where test data comes in, that it is shown under Deliveries alone. */
function TestDataNote({ sources }: { sources: Source[] }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const tested = sources.filter(({ activity }) => activity?.last_delivery?.sandbox === true)
  if (tested.length === 0) return null
  return (
    <Card>
      <Section>
        <div className={classes.note}>
          <Icon name="test" />
          <div>
            <p>
              <b>{t('testData.title')}</b>
            </p>
            <p className="quiet">
              {t('testData.text', { count: tested.length, source: isolate(tested[0]!.name) })}
            </p>
          </div>
          <ButtonLink
            to="/companies/$companyId/deliveries"
            params={{ companyId: company_id }}
            search={{ kind: 'test' }}
          >
            {t('testData.see')}
          </ButtonLink>
        </div>
      </Section>
    </Card>
  )
}

function SourceTable({ sources }: { sources: Source[] }) {
  const { sort } = route.useSearch()
  const { t } = useTranslation('sources')
  const navigate = useNavigate()
  const [pausing, setPausing] = useState<Source>()
  const [said, setSaid] = useState('')
  return (
    <>
      <LiveRegion>{said}</LiveRegion>
      <Card>
        <Table
          caption={t('title')}
          columns={useColumns(setPausing, setSaid)}
          rows={sources}
          rowKey={({ source_id }) => source_id}
          tall
          linked
          sort={sort}
          onSort={(sort) => void navigate({ to: '.', search: { sort }, replace: true })}
        />
      </Card>
      {pausing !== undefined && (
        <PauseDialog sourceId={pausing.source_id} name={pausing.name} onClose={() => setPausing(undefined)} />
      )}
    </>
  )
}

function useColumns(onPause: (source: Source) => void, onSaid: (said: string) => void): Column<Source>[] {
  const { t } = useTranslation('sources')
  return [
    ...useNameColumns(),
    ...useDeliveryColumns(),
    {
      key: 'state',
      head: t('state'),
      render: (source) => <SourceState source={source} activity={source.activity} />,
      compare: (a, b) => rankOf(a) - rankOf(b),
      wideOnly: true,
    },
    {
      key: 'actions',
      head: <ActionsHead />,
      render: (source) => <Actions source={source} onPause={onPause} onSaid={onSaid} />,
      end: true,
    },
  ]
}

/** What needs somebody comes first. */
function rankOf({ state, activity }: Source): number {
  if (activity?.freshness.late === true) return 0
  if (state === 'paused') return 1
  if (activity?.last_delivery == null) return 2
  return activity.last_delivery.sandbox ? 3 : 4
}

function useNameColumns(): Column<Source>[] {
  const { t, i18n } = useTranslation('sources')
  const { company_id } = useCompany()
  return [
    {
      key: 'name',
      head: t('source'),
      render: ({ source_id, name, system_kind, shape_version }) => (
        <>
          <RowLink
            to="/companies/$companyId/sources/$sourceId"
            params={{ companyId: company_id, sourceId: source_id }}
          >
            <bdi>{name}</bdi>
          </RowLink>
          <Second>
            <bdi>{system_kind}</bdi> · {t('version', { version: shape_version })}
          </Second>
        </>
      ),
      compare: (a, b) => a.name.localeCompare(b.name, i18n.language),
    },
    {
      key: 'channel',
      head: t('channel'),
      render: ({ delivery_way, document_form, delivers }) => (
        <>
          <span className={classes.rhythm}>
            {[t(delivery_way), document_form && t(`format.${document_form}`)].filter(Boolean).join(', ')}
          </span>
          <Second>{t(delivers)}</Second>
        </>
      ),
      wideOnly: true,
    },
  ]
}

const lastOf = ({ activity }: Source) => activity?.last_delivery

function useDeliveryColumns(): Column<Source>[] {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const now = useNow()
  return [
    {
      key: 'last',
      head: t('lastDelivery'),
      render: (source) => {
        const last = lastOf(source)
        return (
          <>
            {last == null ? (
              <span className="quiet">{t('noDelivery')}</span>
            ) : (
              format.near(last.received_at, now)
            )}
            <Second>
              <Rhythm source={source} format={format} now={now} />
            </Second>
            <span className={classes.phoneOnly}>
              <SourceState source={source} activity={source.activity} />
            </span>
          </>
        )
      },
      compare: (a, b) => (lastOf(a)?.received_at ?? '').localeCompare(lastOf(b)?.received_at ?? ''),
    },
    {
      key: 'refused',
      head: t('refused'),
      render: (source) => <RefusedRows source={source} />,
      end: true,
      wideOnly: true,
      compare: (a, b) => (lastOf(a)?.rows_refused ?? -1) - (lastOf(b)?.rows_refused ?? -1),
    },
  ]
}

/** How long ago and how often usually; why it is otherwise. */
function Rhythm({ source, format, now }: { source: Source; format: Format; now: number }): ReactNode {
  const { t } = useTranslation('sources')
  const { state, paused_by, pause_reason, paused_at, activity } = source
  if (state === 'paused') {
    const who = paused_by?.name == null ? '' : isolate(paused_by.name)
    if (pause_reason !== null) {
      return t(who === '' ? 'pausedReason' : 'pausedByReason', { who, reason: isolate(pause_reason) })
    }
    if (who !== '') return t('pausedBy', { who })
    return paused_at === null ? '' : t('pausedSince', { when: format.instant(paused_at) })
  }
  if (activity === null) return ''
  const { last_delivery: last, freshness } = activity
  if (last === null) return ''
  const ago = format.ago(last.received_at, now)
  const said = last.sandbox
    ? t('nothingInProduction')
    : freshness.usual_seconds === null
      ? ago
      : t('agoUsually', { ago, rhythm: format.rhythm(freshness.usual_seconds) })
  return <span className={`${classes.rhythm} ${freshness.late ? classes.late : ''}`}>{said}</span>
}

function RefusedRows({ source: { activity } }: { source: Source }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { company_id } = useCompany()
  const last = activity?.last_delivery
  if (last == null) return null
  if (last.state === 'unreadable') return <span className={classes.refused}>{t('unreadable')}</span>
  if (last.rows_refused === null) return <span className="quiet">{t('notRead')}</span>
  const rows = format.count(last.rows_refused + (last.rows_accepted ?? 0))
  const refused = format.count(last.rows_refused)
  return (
    <>
      {last.rows_refused === 0 ? (
        refused
      ) : (
        <Link
          to="/companies/$companyId/deliveries/$artifactId"
          params={{ companyId: company_id, artifactId: last.artifact_id }}
          className={classes.refused}
          aria-label={t('refusedLink', { refused, rows })}
        >
          {refused}
        </Link>
      )}{' '}
      <span className="quiet">{t('ofRows', { rows })}</span>
    </>
  )
}

function Actions({
  source,
  onPause,
  onSaid,
}: {
  source: Source
  onPause: (source: Source) => void
  onSaid: (said: string) => void
}) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const resume = useSourceAction(source.source_id)
  const params = { companyId: company_id, sourceId: source.source_id }
  return (
    <>
      <Menu label={t('actionsOf', { source: isolate(source.name) })}>
        <MenuLink to="/companies/$companyId/sources/$sourceId" params={params} icon="play">
          {t('tabs.start')}
        </MenuLink>
        <MenuLink to="/companies/$companyId/sources/$sourceId/change" params={params} icon="signature">
          {t('change')}
        </MenuLink>
        <MenuLink
          to="/companies/$companyId/deliveries"
          params={{ companyId: company_id }}
          search={{ source: source.source_id }}
          icon="delivery"
        >
          {t('tabs.deliveries')}
        </MenuLink>
        {source.state === 'active' ? (
          <MenuItem icon="pause" onClick={() => onPause(source)}>
            {t('pause.do')}
          </MenuItem>
        ) : (
          <MenuItem
            icon="play"
            onClick={() =>
              resume.mutate('resume', {
                onSuccess: () => onSaid(t('resumed', { source: isolate(source.name) })),
              })
            }
          >
            {t('resume')}
          </MenuItem>
        )}
      </Menu>
      {resume.error !== null && <Failure error={resume.error} />}
    </>
  )
}
