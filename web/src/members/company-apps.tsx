import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { usePages } from '../api/use-pages.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { Button } from '../ui/controls/button.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { Loaded, More } from '../ui/feedback/loaded.tsx'
import { Section } from '../ui/layout/section.tsx'
import { type Column, NarrowOnly, Second, Table } from '../ui/display/table.tsx'
import { useNow } from '../ui/use-now.ts'

type CompanyApp = ApiResponse<'GET /console/companies/{company_id}/apps'>['apps'][number]

/** The apps that read the company, and for which members. */
export function CompanyApps() {
  const { t } = useTranslation('members')
  const { company_id, name } = useCompany()
  const [ending, setEnding] = useState<CompanyApp>()
  const columns = useColumns(setEnding)
  const list = usePages(companyKey(company_id, 'apps'), (query) =>
    callApi('GET /console/companies/{company_id}/apps', { path: { company_id }, query }),
  )
  const title = t('apps.title', { company: isolate(name) })
  return (
    <>
      <Loaded query={list}>
        {({ pages }) => {
          const apps = pages.flatMap(({ apps }) => apps)
          if (apps.length === 0) return <Empty title={t('apps.none')}>{t('apps.noneText')}</Empty>
          return (
            <Card>
              <Section title={title} line={t('apps.line')} />
              <Table
                caption={title}
                columns={columns}
                rows={apps}
                rowKey={({ connection_id }) => connection_id}
                tall
              />
            </Card>
          )
        }}
      </Loaded>
      <More list={list} />
      {ending !== undefined && <EndAccess app={ending} onClose={() => setEnding(undefined)} />}
    </>
  )
}

/** Ends the access to this company. */
function EndAccess({ app, onClose }: { app: CompanyApp; onClose: () => void }) {
  const { t } = useTranslation('members')
  const { company_id, name } = useCompany()
  const client = useQueryClient()
  const { connection_id, client_name, member } = app
  const end = useWrite('POST /console/companies/{company_id}/apps/{connection_id}/end', {
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: companyKey(company_id, 'apps') })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('apps.endTitle', { app: isolate(client_name), company: isolate(name) })}
      confirm={t('apps.end')}
      action={end}
      failed={t('apps.endFailed')}
      onConfirm={() => end.mutate({ path: { company_id, connection_id }, body: {} })}
      onClose={onClose}
    >
      <p>{t('apps.endText', { member: isolate(member.name ?? t('history.unnamed')) })}</p>
    </ConfirmDialog>
  )
}

function AllowedBy({ app: { member, every_company } }: { app: CompanyApp }) {
  const { t } = useTranslation('members')
  return (
    <>
      <bdi>{member.name}</bdi>
      {every_company && <Second>{t('apps.every')}</Second>}
    </>
  )
}

function useColumns(onEnd: (app: CompanyApp) => void): Column<CompanyApp>[] {
  const { t } = useTranslation('members')
  const format = useFormat()
  const now = useNow()
  return [
    {
      key: 'app',
      head: t('apps.app'),
      render: (app) => (
        <>
          <b>
            <bdi>{app.client_name}</bdi>
          </b>
          <Second>
            <bdi>{app.redirect_host}</bdi>
          </Second>
          <NarrowOnly>
            <AllowedBy app={app} />
          </NarrowOnly>
        </>
      ),
      compare: (a, b) => a.client_name.localeCompare(b.client_name),
    },
    {
      key: 'member',
      head: t('apps.member'),
      render: (app) => <AllowedBy app={app} />,
      compare: (a, b) => (a.member.name ?? '').localeCompare(b.member.name ?? ''),
      wideOnly: true,
    },
    {
      key: 'sees',
      head: t('apps.sees'),
      render: ({ permissions }) => permissions.map((permission) => t(`permission.${permission}`)).join(', '),
      wideOnly: true,
    },
    {
      key: 'since',
      head: t('apps.since'),
      render: ({ consented_at }) => format.instantDay(consented_at),
      wideOnly: true,
    },
    {
      key: 'ends',
      head: t('apps.ends'),
      render: ({ expires_at }) => format.instantDay(expires_at),
      wideOnly: true,
    },
    {
      key: 'last',
      head: t('apps.lastCall'),
      render: ({ last_called_at: last }) =>
        last === null ? <span className="quiet">{t('apps.never')}</span> : format.near(last, now),
      wideOnly: true,
    },
    {
      key: 'end',
      head: <span className="unseen">{t('apps.end')}</span>,
      render: (app) => (
        <Button small variant="danger" onClick={() => onEnd(app)}>
          {t('apps.end')}
          <span className="unseen">{`: ${app.client_name}`}</span>
        </Button>
      ),
      end: true,
    },
  ]
}
