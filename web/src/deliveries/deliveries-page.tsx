import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { lastDeliveriesQuery, sourcesQuery } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { en } from '../language/deliveries.en.ts'
import { sv } from '../language/deliveries.sv.ts'
import { addTexts } from '../language/language.ts'
import { Card } from '../ui/card.tsx'
import { Empty } from '../ui/empty-start.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { type Column, RowLink, Table } from '../ui/table.tsx'
import { useNow } from '../ui/use-now.ts'
import { type Delivery, DeliveryState } from './delivery-state.tsx'

addTexts('deliveries', { en, sv })

/** What came last from each source (`/companies/{id}/deliveries`). */
export function DeliveriesPage() {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const deliveries = useQuery(lastDeliveriesQuery(company_id))
  return (
    <Page width="wide">
      <PageHead title={t('title')} line={t('intro')} />
      <Loaded query={deliveries}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('none')}>{t('noneText')}</Empty>
          ) : (
            <Card>
              <DeliveryTable deliveries={list} />
            </Card>
          )
        }
      </Loaded>
    </Page>
  )
}

function DeliveryTable({ deliveries }: { deliveries: Delivery[] }) {
  const { t } = useTranslation('deliveries')
  const { company_id } = useCompany()
  const format = useFormat()
  const now = useNow()
  const sources = useQuery(sourcesQuery(company_id)).data ?? []
  const nameOf = (id: string): string => sources.find(({ source_id }) => source_id === id)?.name ?? '…'
  const counted = (
    key: 'rows_accepted' | 'rows_refused' | 'rows_date_alone',
    head: string,
  ): Column<Delivery> => ({
    key,
    head,
    render: (delivery) => {
      const count = delivery[key]
      return count === null ? '' : format.count(count)
    },
    end: true,
    wideOnly: key === 'rows_date_alone',
  })
  return (
    <Table
      caption={t('intro')}
      columns={[
        {
          key: 'source',
          head: t('source'),
          render: ({ artifact_id, source_id }) => (
            <RowLink
              to="/companies/$companyId/deliveries/$artifactId"
              params={{ companyId: company_id, artifactId: artifact_id }}
            >
              <bdi>{nameOf(source_id)}</bdi>
            </RowLink>
          ),
        },
        { key: 'received', head: t('received'), render: ({ received_at }) => format.near(received_at, now) },
        counted('rows_accepted', t('accepted')),
        counted('rows_refused', t('refused')),
        counted('rows_date_alone', t('dateAlone')),
        { key: 'state', head: t('state'), render: (delivery) => <DeliveryState delivery={delivery} /> },
      ]}
      rows={deliveries}
      rowKey={({ artifact_id }) => artifact_id}
      linked
    />
  )
}
