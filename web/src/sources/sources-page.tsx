import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { lastDeliveriesQuery, type Source, sourcesQuery } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/sources.en.ts'
import { sv } from '../language/sources.sv.ts'
import { Badge, PlainState } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { type Column, RowLink, Second, Table } from '../ui/table.tsx'
import { useNow } from '../ui/use-now.ts'

addTexts('sources', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/sources')

/** The company's sources (`/companies/{id}/sources`). */
export function SourcesPage() {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const sources = useQuery(sourcesQuery(company_id))
  return (
    <Page>
      <PageHead title={t('title')} line={t('intro')} />
      <Loaded query={sources}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('none')}>{t('noneText')}</Empty>
          ) : (
            <SourceTable sources={list} />
          )
        }
      </Loaded>
    </Page>
  )
}

function SourceTable({ sources }: { sources: Source[] }) {
  const { t } = useTranslation('sources')
  const { sort } = route.useSearch()
  const navigate = useNavigate()
  return (
    <Card>
      <Table
        caption={t('title')}
        columns={useColumns()}
        rows={sources}
        rowKey={({ source_id }) => source_id}
        tall
        linked
        sort={sort}
        onSort={(sort) => void navigate({ to: '.', search: { sort }, replace: true })}
      />
    </Card>
  )
}

function useColumns(): Column<Source>[] {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const now = useNow()
  const { company_id } = useCompany()
  const deliveries = useQuery(lastDeliveriesQuery(company_id)).data ?? []
  const lastOf = ({ source_id }: Source) => deliveries.find((delivery) => delivery.source_id === source_id)
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
      compare: (a, b) => a.name.localeCompare(b.name),
    },
    {
      key: 'channel',
      head: t('channel'),
      render: ({ delivery_way, document_form, delivers }) => (
        <>
          {[t(delivery_way), document_form && t(`form.${document_form}`)].filter(Boolean).join(', ')}
          <Second>{t(delivers)}</Second>
        </>
      ),
      wideOnly: true,
    },
    {
      key: 'last',
      head: t('lastDelivery'),
      render: (source) => {
        const last = lastOf(source)
        return last === undefined ? (
          <span className="quiet">{t('noDelivery')}</span>
        ) : (
          format.near(last.received_at, now)
        )
      },
      compare: (a, b) => (lastOf(a)?.received_at ?? '').localeCompare(lastOf(b)?.received_at ?? ''),
    },
    {
      key: 'refused',
      head: t('refused'),
      render: (source) => {
        const last = lastOf(source)
        if (last === undefined) return ''
        if (last.rows_refused === null) return <span className="quiet">{t('notRead')}</span>
        const rows = last.rows_refused + (last.rows_accepted ?? 0)
        return t('refusedOf', { refused: format.count(last.rows_refused), rows: format.count(rows) })
      },
      end: true,
      wideOnly: true,
    },
    useStateColumn(),
  ]
}

function useStateColumn(): Column<Source> {
  const { t } = useTranslation('sources')
  const format = useFormat()
  return {
    key: 'state',
    head: t('state'),
    render: ({ state, paused_at }) =>
      state === 'active' ? (
        <PlainState>{t('active')}</PlainState>
      ) : (
        <>
          <Badge icon="pause">{t('paused')}</Badge>
          {paused_at !== null && <Second>{t('pausedSince', { when: format.instant(paused_at) })}</Second>}
        </>
      ),
    compare: (a, b) => a.state.localeCompare(b.state),
  }
}
