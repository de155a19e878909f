import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { type Source, sourcesQuery } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { useLinks } from '../company/use-links.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/sources.ts'
import { sv } from '../language/sv/sources.ts'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Card } from '../ui/layout/card.tsx'
import { EmptyStart } from '../ui/feedback/empty-start.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Icon } from '../ui/display/icon.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Page, Row } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Menu, MenuItem, MenuLink } from '../ui/overlays/popover.tsx'
import { Section } from '../ui/layout/section.tsx'
import { type Column, NarrowOnly, RowLink, Second, Table } from '../ui/display/table.tsx'
import { useNow } from '../ui/use-now.ts'
import { PauseDialog } from './pause-dialog.tsx'
import { useSourceAction } from './source-actions.ts'
import { SourceState } from './source-state.tsx'
import classes from './sources-page.module.css'

addTexts('sources', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/sources')

/** The company's sources (`/companies/{id}/sources`). */
export function SourcesPage() {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const links = useLinks()
  const sources = useQuery({ ...sourcesQuery(company_id), staleTime: 5_000 })
  const newSource = (
    <ButtonLink {...links.newSource} variant="primary" icon="plus">
      {t('new')}
    </ButtonLink>
  )
  const isEmpty = sources.data?.length === 0
  return (
    <Page>
      <PageHead title={t('title')} line={t('intro')} actions={!isEmpty && newSource} />
      <Loaded query={sources}>
        {(list) =>
          isEmpty ? (
            <div className={classes.start}>
              <EmptyStart
                title={t('none')}
                steps={[
                  { title: t('start.source'), text: t('start.sourceText'), state: 'now', action: newSource },
                  { title: t('start.connection'), text: t('start.connectionText'), state: 'later' },
                  { title: t('start.delivery'), text: t('start.deliveryText'), state: 'later' },
                ]}
              />
            </div>
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

/** Where sources receive test data, says that only the deliveries show it. */
function TestDataNote({ sources }: { sources: Source[] }) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  const tested = sources.filter(({ activity }) => activity?.last_delivery?.sandbox === true)
  const count = tested.length
  if (count === 0) return null
  return (
    <Card>
      <Section>
        <Row>
          <Icon name="test" />
          <div className={classes.note}>
            <p>
              <b>{t('testData.title')}</b>
            </p>
            <p className="quiet">{t('testData.text', { count, source: isolate(tested[0]!.name) })}</p>
          </div>
          <ButtonLink {...links.deliveries} search={{ kind: 'test' }}>
            {t('testData.see')}
          </ButtonLink>
        </Row>
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
  const columns: Column<Source>[] = [
    ...useNameColumns(),
    ...useDeliveryColumns(),
    {
      key: 'state',
      head: t('state'),
      render: (source) => <SourceState source={source} activity={source.activity} />,
      compare: (a, b) => getRank(a) - getRank(b),
      wideOnly: true,
    },
    {
      key: 'actions',
      head: <span className="unseen">{t('actions')}</span>,
      render: (source) => <Actions source={source} onPause={setPausing} onSaid={setSaid} />,
      end: true,
    },
  ]
  return (
    <>
      <LiveRegion>{said}</LiveRegion>
      <Card>
        <div className={classes.list}>
          <Table
            caption={t('title')}
            columns={columns}
            rows={sources}
            rowKey={({ source_id }) => source_id}
            tall
            linked
            sort={sort}
            onSort={(sort) => void navigate({ to: '.', search: { sort }, replace: true })}
          />
        </div>
      </Card>
      {pausing !== undefined && <PauseDialog source={pausing} onClose={() => setPausing(undefined)} />}
    </>
  )
}

/** States that need attention come first. */
function getRank({ state, activity }: Source): number {
  if (activity?.freshness.late === true) return 0
  if (state === 'paused') return 1
  if (activity?.last_delivery == null) return 2
  return activity.last_delivery.sandbox ? 3 : 4
}

function useNameColumns(): Column<Source>[] {
  const { t, i18n } = useTranslation('sources')
  const links = useLinks()
  return [
    {
      key: 'name',
      head: t('source'),
      render: ({ source_id, name, system_kind, shape_version: version }) => (
        <>
          <RowLink {...links.source(source_id)} title={name}>
            <bdi>{name}</bdi>
          </RowLink>
          <Second>
            <bdi title={system_kind}>{system_kind}</bdi> · {t('version', { version })}
          </Second>
        </>
      ),
      compare: (a, b) => a.name.localeCompare(b.name, i18n.language),
    },
    {
      key: 'channel',
      head: t('channel'),
      render: ({ channel, format, delivers }) => (
        <>
          {[t(channel), format && t(`format.${format}`)].filter(Boolean).join(', ')}
          <Second>{t(delivers)}</Second>
        </>
      ),
      wideOnly: true,
    },
  ]
}

function getLast({ activity }: Source) {
  return activity?.last_delivery
}

function useDeliveryColumns(): Column<Source>[] {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const now = useNow()
  return [
    {
      key: 'last',
      head: t('lastDelivery'),
      render: (source) => {
        const last = getLast(source)
        return (
          <>
            {last ? format.near(last.received_at, now) : <span className="quiet">{t('noDelivery')}</span>}
            <Second>
              <Rhythm source={source} now={now} />
            </Second>
            <NarrowOnly>
              <SourceState source={source} activity={source.activity} />
            </NarrowOnly>
          </>
        )
      },
      compare: (a, b) => (getLast(a)?.received_at ?? '').localeCompare(getLast(b)?.received_at ?? ''),
    },
    {
      key: 'refused',
      head: t('refused'),
      render: (source) => <RefusedRows source={source} />,
      end: true,
      wideOnly: true,
      compare: (a, b) => (getLast(a)?.rows_refused ?? -1) - (getLast(b)?.rows_refused ?? -1),
    },
  ]
}

/** How long ago the source last delivered and how often it usually does, or why it is paused. */
function Rhythm({ source, now }: { source: Source; now: number }) {
  const text = useRhythmText(source, now)
  const isLate = source.state !== 'paused' && source.activity?.freshness.late === true
  return (
    <span className={isLate ? classes.late : ''} title={text}>
      {text}
    </span>
  )
}

function useRhythmText(source: Source, now: number): string {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { state, paused_by, pause_reason, paused_at, activity } = source
  if (state === 'paused') {
    const who = isolate(paused_by?.name ?? '')
    const reason = isolate(pause_reason ?? '')
    if (pause_reason !== null) {
      return t(paused_by?.name == null ? 'pausedReason' : 'pausedByReason', { who, reason })
    }
    if (paused_by?.name != null) return t('pausedBy', { who })
    return paused_at === null ? '' : t('pausedSince', { when: format.instant(paused_at) })
  }
  const last = activity?.last_delivery
  if (activity === null || last == null) return ''
  if (last.sandbox) return t('nothingInProduction')
  const { usual_seconds } = activity.freshness
  const ago = format.ago(last.received_at, now)
  return usual_seconds === null ? ago : t('agoUsually', { ago, rhythm: format.rhythm(usual_seconds) })
}

function RefusedRows({ source: { activity } }: { source: Source }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const links = useLinks()
  const last = activity?.last_delivery
  if (last == null) return null
  if (last.state === 'unreadable') return <span className={classes.refused}>{t('unreadable')}</span>
  if (last.rows_refused === null) return <span className="quiet">{t('notRead')}</span>
  const rows = format.count(last.rows_refused + (last.rows_accepted ?? 0))
  const refused = format.count(last.rows_refused)
  const link = (
    <Link
      {...links.delivery(last.artifact_id)}
      className={classes.refused}
      aria-label={t('refusedLink', { refused, rows })}
    >
      {refused}
    </Link>
  )
  return (
    <>
      {last.rows_refused === 0 ? refused : link} <span className="quiet">{t('ofRows', { rows })}</span>
    </>
  )
}

interface ActionsProps {
  source: Source
  onPause: (source: Source) => void
  onSaid: (said: string) => void
}

function Actions({ source, onPause, onSaid }: ActionsProps) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  const { source_id, state } = source
  const { mutate, error } = useSourceAction(source_id)
  const name = { source: isolate(source.name) }
  const onSuccess = (): void => onSaid(t('resumed', name))
  return (
    <>
      <Menu label={t('actionsOf', name)}>
        <MenuLink {...links.sourceStart(source_id)} icon="play">
          {t('tabs.start')}
        </MenuLink>
        <MenuLink {...links.changeSource(source_id)} icon="signature">
          {t('change')}
        </MenuLink>
        <MenuLink {...links.deliveries} search={{ source: source_id }} icon="delivery">
          {t('tabs.deliveries')}
        </MenuLink>
        {state === 'active' ? (
          <MenuItem icon="pause" onClick={() => onPause(source)}>
            {t('pause.do')}
          </MenuItem>
        ) : (
          <MenuItem icon="play" onClick={() => mutate('resume', { onSuccess })}>
            {t('resume')}
          </MenuItem>
        )}
      </Menu>
      {error !== null && <Failure error={error} />}
    </>
  )
}
