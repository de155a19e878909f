import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi, fileAddress } from '../api/call-api.ts'
import { usePages } from '../api/use-pages.ts'
import { type Role, useCompany } from '../company/company.ts'
import { defined } from '../company/defined.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { addDays, monthName } from '../language/format-day.ts'
import { isolate } from '../language/isolate.ts'
import { useLanguage } from '../language/language.ts'
import { en } from '../language/en/members.ts'
import { ButtonAnchor } from '../ui/controls/button.tsx'
import { TextField } from '../ui/controls/field.tsx'
import { SelectField } from '../ui/controls/select.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { Loaded, More } from '../ui/feedback/loaded.tsx'
import { Row } from '../ui/layout/page.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Second, Table } from '../ui/display/table.tsx'
import { useMembers } from './members-query.ts'
import { historyKinds } from './members-search.ts'
import { asRole } from './open-invitations.tsx'

type Event = ApiResponse<'GET /console/companies/{company_id}/audit'>['events'][number]

const route = getRouteApi('/frame/companies/$companyId/members')

/** The service's query, which excludes its last day. */
function useFilter() {
  const { kind, by, from, to } = route.useSearch()
  const [first, last] = from !== undefined && to !== undefined ? [from, to].toSorted() : [from, to]
  return defined({ kind, member: by, from: first, to: last && addDays(last, 1) })
}

/** The company's audit log, newest first. */
export function History() {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const filter = useFilter()
  const list = usePages(companyKey(company_id, 'audit', filter), (query) =>
    callApi('GET /console/companies/{company_id}/audit', {
      path: { company_id },
      query: { ...query, ...filter },
    }),
  )
  const isFiltered = Object.keys(filter).length > 0
  return (
    <>
      <Filters />
      <Loaded query={list}>
        {({ pages }) => {
          const events = pages.flatMap(({ events }) => events)
          if (events.length === 0 && isFiltered)
            return <Empty title={t('history.nonePass')}>{t('history.nonePassText')}</Empty>
          if (events.length === 0) return <Empty title={t('history.none')}>{t('history.noneText')}</Empty>
          return (
            <Card>
              <Section title={t('history.title')} line={t('history.line')} actions={<File />} />
              <Table
                caption={t('history.title')}
                columns={[
                  { key: 'what', head: t('history.what'), render: (event) => <What event={event} /> },
                  { key: 'who', head: t('history.who'), render: (event) => <Who event={event} /> },
                  { key: 'when', head: t('history.when'), render: (event) => <When event={event} /> },
                ]}
                rows={events}
                rowKey={({ event_id }) => event_id}
                tall
              />
            </Card>
          )
        }}
      </Loaded>
      <More list={list} />
    </>
  )
}

/** What it is about, who did it, and the days, held by the address. */
function Filters() {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const { kind, by, from, to } = route.useSearch()
  const navigate = useNavigate()
  const members = useMembers(company_id).data?.pages.flatMap(({ members }) => members) ?? []
  const choose = (
    changed: Partial<Record<'by' | 'from' | 'to', string | undefined>> & { kind?: typeof kind | undefined },
  ): void => {
    const search = { part: 'history' as const, kind, by, from, to, ...changed }
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }
  return (
    <Row>
      <SelectField
        label={t('history.filter.kind')}
        value={kind ?? ''}
        options={[
          { value: '', label: t('history.filter.everything') },
          ...historyKinds.map((value) => ({ value, label: t(`history.filter.kinds.${value}`) })),
        ]}
        onChange={(chosen) => choose({ kind: historyKinds.find((each) => each === chosen) })}
      />
      <SelectField
        label={t('history.who')}
        value={by ?? ''}
        options={[
          { value: '', label: t('history.filter.everyone') },
          ...members.map(({ member_id, name }) => ({
            value: member_id,
            label: name ?? t('history.unnamed'),
          })),
        ]}
        onChange={(chosen) => choose({ by: chosen || undefined })}
      />
      <TextField
        type="date"
        label={t('history.filter.from')}
        value={from ?? ''}
        onChange={(day) => choose({ from: day || undefined })}
      />
      <TextField
        type="date"
        label={t('history.filter.to')}
        value={to ?? ''}
        onChange={(day) => choose({ to: day || undefined })}
      />
    </Row>
  )
}

/** What is shown in a file, for tools and for keeping longer. */
function File() {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const query = useFilter()
  const isAll = Object.keys(query).length === 0
  const file = fileAddress('GET /console/companies/{company_id}/audit.ndjson', {
    path: { company_id },
    query,
  })
  return (
    <ButtonAnchor small variant="quiet" icon="delivery" href={file} download>
      {t(isAll ? 'history.file' : 'history.fileFiltered')}
    </ButtonAnchor>
  )
}

function isRole(value: unknown): value is Role {
  return value === 'reader' || value === 'developer' || value === 'owner'
}

function isKey<Key extends string>(value: unknown, of: Readonly<Record<Key, string>>): value is Key {
  return typeof value === 'string' && value in of
}

const hourMs = 3_600_000

function What({ event: { action, subject, details } }: { event: Event }) {
  const { t } = useTranslation('members')
  const format = useFormat()
  const role = (value: unknown): string => (isRole(value) ? t(asRole[value]) : '')
  const name = subject.name === null ? t('history.unnamed') : isolate(subject.name)
  const overlap = details['overlap_hours']
  const deletesAfter = details['deletes_after']
  const periodStart = details['period_start']
  const month = details['fiscal_year_month']
  const language = useLanguage()
  const lines = [
    details['rebuilds'] === true && t('history.rebuilds'),
    typeof overlap === 'number' &&
      overlap > 0 &&
      t('history.oldWorks', { time: format.length(overlap * hourMs) }),
    isRole(details['previous_role']) && t('history.was', { role: role(details['previous_role']) }),
    isKey(details['provider'], en.history.provider) && t(`history.provider.${details['provider']}`),
    isKey(details['by'], en.history.by) && t(`history.by.${details['by']}`),
    ...(action === 'limits_changed'
      ? Object.entries(details).map(([limit, value]) => `${limit}: ${value ?? t('history.defaultLimit')}`)
      : []),
  ].filter((line) => line !== false)
  return (
    <>
      {/* A newer service may have more actions. */}
      {action in en.history.action
        ? t(`history.action.${action}`, {
            name,
            role: role(details['role']),
            version: String(details['shape_version'] ?? ''),
            metric: String(details['metric'] ?? ''),
            period: typeof periodStart === 'string' ? format.day(periodStart) : '',
            month: typeof month === 'number' ? monthName(language, month, 'long') : '',
            view: isolate(String(details['view'] ?? '')),
            label: isolate(String(details['label'] ?? '')),
            app: isolate(String(details['app'] ?? '')),
            operation: String(details['operation'] ?? ''),
            day: typeof deletesAfter === 'string' ? format.day(deletesAfter) : '',
          })
        : t('history.other', { action, name })}
      {lines.length > 0 && <Second>{lines.join(', ')}</Second>}
    </>
  )
}

function Who({ event: { member } }: { event: Event }) {
  const { t } = useTranslation('members')
  if (member === null) return t('history.operator')
  return (
    <>
      {member.name === null ? t('history.unnamed') : <bdi>{member.name}</bdi>}
      {!member.is_member && <Second>{t('history.goneMember')}</Second>}
    </>
  )
}

/** The last time; for repeated events, also how often and since when. */
function When({ event: { at, count, last_at } }: { event: Event }) {
  const { t } = useTranslation('members')
  const format = useFormat()
  return (
    <>
      {format.instant(last_at)}
      {count > 1 && <Second>{t('history.repeated', { times: count, first: format.instant(at) })}</Second>}
    </>
  )
}
