import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { companyKey } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { useLinks } from '../../company/use-links.ts'
import { isolate } from '../../language/isolate.ts'
import { Below } from '../../ui/layout/below.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { countRows, type DeliveryInFull, type DeliveryRows as RowsPage } from '../delivery-queries.ts'
import classes from './delivery-rows.module.css'
import { RefusedBlocks } from './refused-blocks.tsx'
import { RowTable } from './row-table.tsx'
import type { RowsField } from './use-refusal.ts'

const route = getRouteApi('/frame/companies/$companyId/deliveries/$artifactId')

/** Rows of the first page; cells of each further page, which has at most as many rows as the service gives. */
const firstRows = 20
const pageCells = 4_000
const pageRowsMax = 200

/** Masked fields that are named; of more only their number is given. */
const namedFieldsMax = 5

function getPageRows(fields: number): number {
  return Math.max(firstRows, Math.min(pageRowsMax, Math.floor(pageCells / Math.max(1, fields))))
}

type Which = 'all' | 'refused'

/** A delivery's rows as stored. They are read again once it is parsed, when its refusals are known. */
function useRows({ artifact_id, parsed_at }: DeliveryInFull, enabled: boolean) {
  const { company_id } = useCompany()
  return useInfiniteQuery({
    queryKey: companyKey(company_id, 'deliveries', artifact_id, 'rows', parsed_at),
    queryFn: ({ pageParam: { cursor, limit } }) =>
      callApi('GET /console/companies/{company_id}/deliveries/{artifact_id}/rows', {
        path: { company_id, artifact_id },
        query: { limit: String(limit), ...(cursor !== '' && { cursor }) },
      }),
    initialPageParam: { cursor: '', limit: firstRows },
    getNextPageParam: ({ next_cursor, fields }: RowsPage) =>
      next_cursor === null ? null : { cursor: next_cursor, limit: getPageRows(fields.length) },
    // A stored delivery never changes.
    staleTime: Infinity,
    // Once it is parsed, the rows stay in place until their refusals are loaded.
    placeholderData: keepPreviousData,
    enabled,
  })
}

/** Why rows of a delivery were refused. */
function useRefusals({ artifact_id, parsed_at }: DeliveryInFull, enabled: boolean) {
  const { company_id } = useCompany()
  return useQuery({
    queryKey: companyKey(company_id, 'deliveries', artifact_id, 'refusals', parsed_at),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/deliveries/{artifact_id}/refusals', {
        path: { company_id, artifact_id },
      }),
    staleTime: Infinity,
    enabled,
  })
}

/**
 * The card with a delivery's rows: all of them, or those refused.
 *
 * @param children what follows the card
 */
export function DeliveryRows({ delivery, children }: { delivery: DeliveryInFull; children: ReactNode }) {
  const { t } = useTranslation('deliveries')
  const navigate = useNavigate()
  const links = useLinks()
  const search = route.useSearch()
  const hasRefused = (delivery.rows_refused ?? 0) > 0
  const which = hasRefused ? (search.rows ?? 'refused') : 'all'
  const rows = useRows(delivery, which === 'all')
  const refusals = useRefusals(delivery, which === 'refused')
  const choose = (rows: Which): void => {
    const to = links.delivery(delivery.artifact_id)
    void navigate({ ...to, search: { ...search, rows }, replace: true, resetScroll: false })
  }
  const shown = which === 'all' ? rows : refusals
  const fields = which === 'all' ? rows.data?.pages[0]?.fields : refusals.data?.fields
  return (
    <>
      <Card>
        <Section
          title={t(which === 'refused' ? 'rows.refusedTitle' : 'rows.title')}
          line={<MaskedFields fields={fields ?? []} />}
          actions={hasRefused && <WhichRows delivery={delivery} which={which} onChoose={choose} />}
        />
        {which === 'all' ? (
          <Loaded query={rows} skeleton={<SkeletonRows rows={8} />}>
            {() => <AllRows delivery={delivery} list={rows} />}
          </Loaded>
        ) : (
          <Loaded query={refusals} skeleton={<SkeletonRows rows={3} />}>
            {(refusals) => (
              <>
                <RefusedBlocks refusals={refusals} />
                <ShowAll total={countRows(delivery)} onShow={() => choose('all')} />
              </>
            )}
          </Loaded>
        )}
      </Card>
      <Below isReady={!shown.isPending}>{children}</Below>
    </>
  )
}

function AllRows({ delivery, list }: { delivery: DeliveryInFull; list: ReturnType<typeof useRows> }) {
  const pages = list.data?.pages ?? []
  const rows = pages.flatMap((page) => page.rows)
  const fields = pages[0]?.fields ?? []
  return (
    <>
      <RowTable fields={fields} rows={rows} />
      <Unshown delivery={delivery} last={pages.at(-1)!} />
      <MoreRows
        list={list}
        total={countRows(delivery)}
        shown={rows.length}
        further={getPageRows(fields.length)}
      />
    </>
  )
}

function WhichRows({
  delivery,
  which,
  onChoose,
}: {
  delivery: DeliveryInFull
  which: Which
  onChoose: (rows: Which) => void
}) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const [all, refused] = [countRows(delivery), delivery.rows_refused].map((rows) => format.count(rows ?? 0))
  return (
    <Segmented
      label={t('rows.which')}
      value={which}
      options={[
        { value: 'all', label: t('rows.allCount', { rows: all }) },
        { value: 'refused', label: t('rows.refusedCount', { rows: refused }) },
      ]}
      onChange={onChoose}
    />
  )
}

function MoreRows({
  list,
  total,
  shown,
  further,
}: {
  list: ReturnType<typeof useRows>
  /** Null where it is unknown. */
  total: number | null
  shown: number
  further: number
}) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  if (!list.hasNextPage) return null
  const [first, last] = [shown + 1, Math.min(total ?? 0, shown + further)].map(format.count)
  return (
    <div className={classes.foot}>
      <Button variant="quiet" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {total === null ? t('rows.showMore') : t('rows.showRows', { first, last })}
      </Button>
    </div>
  )
}

function ShowAll({ total, onShow }: { total: number | null; onShow: () => void }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  if (total === null) return null
  return (
    <div className={classes.foot}>
      <Button variant="quiet" onClick={onShow}>
        {t('rows.showAll', { rows: format.count(total) })}
      </Button>
    </div>
  )
}

function MaskedFields({ fields }: { fields: readonly RowsField[] }) {
  const { t } = useTranslation('deliveries')
  const masked = fields.filter(({ personal }) => personal).map(({ name }) => isolate(name))
  if (masked.length === 0) return null
  if (masked.length > namedFieldsMax) return t('rows.maskedMany', { count: masked.length })
  const names = [masked.slice(0, -1).join(', '), masked.at(-1)!].filter(Boolean).join(t('rows.and'))
  return t('rows.masked', { count: masked.length, fields: names })
}

/** Which part of the content cannot be shown. */
function Unshown({ delivery, last }: { delivery: DeliveryInFull; last: RowsPage }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { broken, refusals_known_to } = last
  if (broken === null && refusals_known_to === null) return null
  const known = { count: delivery.refusals.length, row: format.count(refusals_known_to ?? 0) }
  return (
    <div className={classes.notes}>
      {broken !== null && (
        <Note tone="red" title={t('rows.broken', { row: format.count(broken.row) })}>
          <span lang="en">{broken.reason}</span>
        </Note>
      )}
      {refusals_known_to !== null && <Note tone="neutral">{t('rows.knownTo', known)}</Note>}
    </div>
  )
}
