import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Below } from '../ui/below.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyableId } from '../ui/copy.tsx'
import { useMedia } from '../ui/drawer.tsx'
import { Loaded } from '../ui/loaded.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import type { DeliveryInFull, DeliveryRows } from './delivery-queries.ts'
import classes from './kept-rows.module.css'
import { phone } from './phone.ts'
import { type ShownRow, useRefusal } from './use-refusal.ts'

const route = getRouteApi('/frame/companies/$companyId/deliveries/$artifactId')

/** Rows of the first page, and cells of each further one, of which there are at most as many rows as the service gives. */
const firstRows = 20
const cellsOfPage = 4_000
const pageRowsMax = 200

/** Names of masked fields that are said one by one. */
const namedFieldsMax = 5

function rowsOfPage(fields: number): number {
  return Math.max(firstRows, Math.min(pageRowsMax, Math.floor(cellsOfPage / Math.max(1, fields))))
}

/** The rows of a delivery as they are kept. What is read anew when it has been parsed: refusals are known from then on. */
function useRows({ artifact_id, parsed_at }: DeliveryInFull, which: 'all' | 'refused') {
  const { company_id } = useCompany()
  return useInfiniteQuery({
    queryKey: companyKey(company_id, 'deliveries', artifact_id, 'rows', which, parsed_at),
    queryFn: ({ pageParam: { cursor, limit } }) =>
      callApi('GET /console/companies/{company_id}/deliveries/{artifact_id}/rows', {
        path: { company_id, artifact_id },
        query: {
          limit: String(limit),
          ...(cursor !== '' && { cursor }),
          ...(which === 'refused' && { refused: 'true' }),
        },
      }),
    initialPageParam: { cursor: '', limit: firstRows },
    getNextPageParam: ({ next_cursor, fields }: DeliveryRows) =>
      next_cursor === null ? null : { cursor: next_cursor, limit: rowsOfPage(fields.length) },
    // What is kept of a delivery never changes.
    staleTime: Infinity,
    // Parsed meanwhile, the rows stay where they are until their refusals are known.
    placeholderData: (before, query) => (query?.queryKey.at(-2) === which ? before : undefined),
  })
}

/**
 * The card with the rows: all of them, or those that were refused.
 *
 * @param children what stands below it
 */
export function KeptRows({ delivery, children }: { delivery: DeliveryInFull; children: ReactNode }) {
  const { t } = useTranslation('deliveries')
  const isPhone = useMedia(phone)
  const search = route.useSearch()
  const hasRefused = (delivery.rows_refused ?? 0) > 0
  const which = search.rows ?? (isPhone && hasRefused ? 'refused' : 'all')
  const rows = useRows(delivery, which)
  const choose = useChooseRows()
  const fields = rows.data?.pages[0]?.fields ?? []
  const total = totalOf(delivery)
  return (
    <>
      <Card>
        <Section
          title={t(which === 'refused' ? 'rows.refusedTitle' : 'rows.title')}
          line={<MaskedFields fields={fields} />}
          actions={hasRefused && <WhichRows delivery={delivery} which={which} onChoose={choose} />}
        />
        <Loaded query={rows} skeleton={<SkeletonRows rows={8} />}>
          {({ pages }) => {
            const shown = pages.flatMap((page) => page.rows)
            const first = pages[0]!
            return (
              <>
                {isPhone && which === 'refused' ? (
                  <RefusedBlocks fields={first.fields} rows={shown} />
                ) : (
                  <RowTable fields={first.fields} rows={shown} which={which} />
                )}
                <Unshown delivery={delivery} last={pages.at(-1)!} />
                {rows.hasNextPage && (
                  <div className={classes.foot}>
                    <Button
                      variant="quiet"
                      busy={rows.isFetchingNextPage}
                      onClick={() => void rows.fetchNextPage()}
                    >
                      <MoreRows
                        total={which === 'all' ? total : null}
                        shown={shown.length}
                        further={rowsOfPage(first.fields.length)}
                      />
                    </Button>
                  </div>
                )}
                {isPhone && which === 'refused' && total !== null && (
                  <div className={classes.foot}>
                    <Button variant="quiet" onClick={() => choose('all')}>
                      <ShowAll total={total} />
                    </Button>
                  </div>
                )}
              </>
            )
          }}
        </Loaded>
      </Card>
      <Below isReady={!rows.isPending}>{children}</Below>
    </>
  )
}

function totalOf({ rows_accepted, rows_refused }: DeliveryInFull): number | null {
  return rows_accepted === null ? null : rows_accepted + (rows_refused ?? 0)
}

function useChooseRows(): (rows: 'all' | 'refused') => void {
  const navigate = useNavigate()
  const { company_id } = useCompany()
  const { artifactId } = route.useParams()
  return (rows) =>
    void navigate({
      to: '/companies/$companyId/deliveries/$artifactId',
      params: { companyId: company_id, artifactId },
      search: (before) => ({ ...before, rows }),
      replace: true,
      resetScroll: false,
    })
}

function WhichRows({
  delivery,
  which,
  onChoose,
}: {
  delivery: DeliveryInFull
  which: 'all' | 'refused'
  onChoose: (rows: 'all' | 'refused') => void
}) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  return (
    <Segmented
      label={t('rows.which')}
      value={which}
      options={[
        { value: 'all', label: t('rows.allCount', { rows: format.count(totalOf(delivery) ?? 0) }) },
        {
          value: 'refused',
          label: t('rows.refusedCount', { rows: format.count(delivery.rows_refused ?? 0) }),
        },
      ]}
      onChange={onChoose}
    />
  )
}

function MoreRows({ total, shown, further }: { total: number | null; shown: number; further: number }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  if (total === null) return t('rows.showMore')
  return t('rows.showRows', {
    first: format.count(shown + 1),
    last: format.count(Math.min(total, shown + further)),
  })
}

function ShowAll({ total }: { total: number }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  return t('rows.showAll', { rows: format.count(total) })
}

function MaskedFields({ fields }: { fields: DeliveryRows['fields'] }) {
  const { t } = useTranslation('deliveries')
  const masked = fields.filter(({ personal }) => personal).map(({ name }) => isolate(name))
  if (masked.length === 0) return null
  if (masked.length > namedFieldsMax) return t('rows.maskedMany', { count: masked.length })
  const names = [masked.slice(0, -1).join(', '), masked.at(-1)!].filter(Boolean).join(t('rows.and'))
  return t('rows.masked', { count: masked.length, fields: names })
}

/** What of the content cannot be shown, below what can. */
function Unshown({ delivery, last }: { delivery: DeliveryInFull; last: DeliveryRows }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { broken, refusals_known_to } = last
  if (broken === null && refusals_known_to === null) return null
  return (
    <div className={classes.notes}>
      {broken !== null && (
        <Note tone="red" title={t('rows.broken', { row: format.count(broken.row) })}>
          <span lang="en">{broken.reason}</span>
        </Note>
      )}
      {refusals_known_to !== null && (
        <Note tone="neutral">
          {t('rows.knownTo', {
            count: delivery.refusals.length,
            row: format.count(refusals_known_to),
          })}
        </Note>
      )}
    </div>
  )
}

function RowTable({
  fields,
  rows,
  which,
}: {
  fields: DeliveryRows['fields']
  rows: readonly ShownRow[]
  which: 'all' | 'refused'
}) {
  const { t } = useTranslation('deliveries')
  if (rows.length === 0) {
    return <p className={classes.empty}>{t(which === 'refused' ? 'rows.noneRefused' : 'rows.none')}</p>
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys
    <section className={classes.scroll} tabIndex={0} aria-label={t('rows.caption')}>
      <table className={classes.table}>
        <caption className="unseen">{t('rows.caption')}</caption>
        <thead>
          <tr>
            <th scope="col" className={classes.number}>
              {t('rows.row')}
            </th>
            {fields.map(({ name }) => (
              <th key={name} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Fragment key={row.row}>
              <KeptRow row={row} fields={fields} />
              {row.refusal !== null && (
                <tr className={`${classes.refused} ${classes.reason}`}>
                  <td colSpan={Math.max(1, fields.length) + 1}>
                    <div className={classes.why}>
                      <Why row={row} fields={fields} />
                    </div>
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function KeptRow({ row, fields }: { row: ShownRow; fields: DeliveryRows['fields'] }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const { refusal, values } = row
  return (
    <tr className={refusal === null ? '' : classes.refused}>
      <th
        scope="row"
        className={classes.number}
        {...(row.line !== null && { title: t('rows.line', { line: format.count(row.line) }) })}
      >
        {format.count(row.row)}
      </th>
      {values === null ? (
        <td colSpan={Math.max(1, fields.length)} className="quiet">
          {t('rows.cells', { count: row.cells ?? 0 })}
        </td>
      ) : (
        fields.map(({ name }, at) => (
          <td key={name} className={refusal?.field === name ? classes.wrong : ''}>
            <Value value={values[at] ?? null} isWrong={refusal?.field === name} />
          </td>
        ))
      )}
    </tr>
  )
}

function Value({
  value,
  isWrong = false,
}: {
  value: NonNullable<ShownRow['values']>[number]
  isWrong?: boolean
}) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  if (value === null) {
    return isWrong ? <>{t('rows.missing')}</> : <span className="unseen">{t('rows.missing')}</span>
  }
  if (value.masked === true) {
    return (
      <>
        <span aria-hidden="true" className={classes.masked}>
          ••••••
        </span>
        <span className="unseen">{t('rows.maskedValue')}</span>
      </>
    )
  }
  return (
    <>
      <bdi className={classes.value} {...(value.broken === true && { title: t('rows.brokenBytes') })}>
        {value.text}
      </bdi>
      {value.characters !== undefined && (
        <span className="small"> {t('rows.cut', { characters: format.count(value.characters) })}</span>
      )}
      {value.broken === true && <span className="small"> {t('rows.brokenBytes')}</span>}
    </>
  )
}

function valueOf({ values, refusal }: ShownRow, fields: DeliveryRows['fields']) {
  const at = fields.findIndex(({ name }) => name === refusal?.field)
  return at < 0 ? undefined : values?.[at]
}

/** Why the row does not count, then what to send. */
function Why({ row, fields }: { row: ShownRow; fields: DeliveryRows['fields'] }) {
  const { t } = useTranslation('deliveries')
  const refusalOf = useRefusal()
  const { cause, mend, meant, orDate } = refusalOf(row.refusal!, valueOf(row, fields))
  return (
    <>
      <b>{cause}</b> {mend}
      {meant !== undefined && (
        <>
          {' '}
          <code>{meant}</code>
          {orDate && t('rows.orDate')}
        </>
      )}
    </>
  )
}

/** Fields of a refused row that are shown beside the one that is wrong. */
const othersMax = 6

/** Refused rows under each other, where a table has no room. */
function RefusedBlocks({ fields, rows }: { fields: DeliveryRows['fields']; rows: readonly ShownRow[] }) {
  const { t } = useTranslation('deliveries')
  const refused = rows.filter(({ refusal }) => refusal !== null)
  if (refused.length === 0) return <p className={classes.empty}>{t('rows.noneRefused')}</p>
  return (
    <ul className={classes.blocks} aria-label={t('rows.refusedTitle')}>
      {refused.map((row) => (
        <li key={row.row} className={classes.block}>
          <RefusedBlock row={row} fields={fields} />
        </li>
      ))}
    </ul>
  )
}

function RefusedBlock({ row, fields }: { row: ShownRow; fields: DeliveryRows['fields'] }) {
  const { t } = useTranslation('deliveries')
  const format = useFormat()
  const refusalOf = useRefusal()
  const { field } = row.refusal!
  const value = valueOf(row, fields)
  const { cause, mend, meant } = refusalOf(row.refusal!, value)
  const others = fields.map(({ name }, at) => ({ name, value: row.values?.[at] ?? null }))
  const known = others.filter((other) => other.name !== field && other.value !== null).slice(0, othersMax)
  const number = format.count(row.row)
  return (
    <>
      <div className={classes.blockHead}>
        <h3>
          {field === null
            ? t('rows.rowWhole', { row: number })
            : t('rows.rowField', { row: number, field: isolate(field) })}
        </h3>
        {value != null && (
          <code className={classes.chip}>
            <Value value={value} isWrong />
          </code>
        )}
      </div>
      <p>
        {cause} {mend}
      </p>
      {meant !== undefined && (
        <div>
          <CopyableId id={meant} label={meant} whole />
        </div>
      )}
      {row.values === null && <p className="quiet">{t('rows.cells', { count: row.cells ?? 0 })}</p>}
      {known.length > 0 && (
        <dl className={classes.others}>
          {known.map(({ name, value: other }) => (
            <div key={name}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd>
                <Value value={other} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  )
}
