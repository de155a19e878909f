import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { CreateLink } from '../company/create-link.tsx'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { Button } from '../ui/controls/button.tsx'
import { Second, Table } from '../ui/display/table.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Section } from '../ui/layout/section.tsx'
import { ConfirmDialog } from '../ui/overlays/confirm-dialog.tsx'

const listLinks = 'GET /console/companies/{company_id}/links'

type ReadOnlyLink = ApiResponse<typeof listLinks>['links'][number]

function linksQuery(company_id: string) {
  return queryOptions({
    queryKey: companyKey(company_id, 'links'),
    queryFn: () => callApi(listLinks, { path: { company_id } }).then(({ links }) => links),
  })
}

/** The company's feeds and live spreadsheets, for developers. */
export function LinkList({ onDone }: { onDone: (announcement: string) => void }) {
  const { t } = useTranslation('links')
  const { company_id } = useCompany()
  const format = useFormat()
  const { data, error, refetch } = useQuery(linksQuery(company_id))
  const [isMaking, setIsMaking] = useState(false)
  const [ending, setEnding] = useState<ReadOnlyLink>()
  if (error !== null && data === undefined) return <Failure error={error} onRetry={() => void refetch()} />
  return (
    <Card>
      <Section
        title={t('list.title')}
        line={t('list.line')}
        actions={
          <Button small icon="plus" onClick={() => setIsMaking(true)}>
            {t('list.newFeed')}
          </Button>
        }
      />
      <Table
        caption={t('list.title')}
        columns={[
          {
            key: 'name',
            head: t('list.name'),
            render: ({ name, kind, created_by }) => (
              <>
                <bdi>{name}</bdi>
                <Second>
                  {t(`list.kind.${kind}`)}
                  {created_by.name !== null && `, ${t('list.by', { name: isolate(created_by.name) })}`}
                </Second>
              </>
            ),
            strong: true,
          },
          {
            key: 'used',
            head: t('list.used'),
            render: ({ used_on }) => (used_on === null ? t('list.never') : format.day(used_on)),
            wideOnly: true,
          },
          { key: 'ends', head: t('list.ends'), render: ({ expires_at }) => format.instantDay(expires_at) },
          {
            key: 'end',
            head: <span className="unseen">{t('list.end')}</span>,
            render: (link) => (
              <Button
                small
                aria-label={t('list.endWhat', { name: isolate(link.name) })}
                onClick={() => setEnding(link)}
              >
                {t('list.end')}
              </Button>
            ),
            end: true,
          },
        ]}
        rows={data ?? []}
        rowKey={({ link_id }) => link_id}
        empty={t('list.none')}
        tall
      />
      {isMaking && <CreateLink report={null} suggestedName="" onClose={() => setIsMaking(false)} />}
      {ending !== undefined && <EndLink link={ending} onClose={() => setEnding(undefined)} onDone={onDone} />}
    </Card>
  )
}

function EndLink({
  link: { link_id, name },
  onClose,
  onDone,
}: {
  link: ReadOnlyLink
  onClose: () => void
  onDone: (announcement: string) => void
}) {
  const { t } = useTranslation('links')
  const { company_id } = useCompany()
  const client = useQueryClient()
  const end = useWrite('DELETE /console/companies/{company_id}/links/{link_id}', {
    onSuccess: () => {
      onDone(t('list.ended'))
      onClose()
      void client.invalidateQueries({ queryKey: linksQuery(company_id).queryKey })
    },
  })
  return (
    <ConfirmDialog
      title={t('list.endTitle', { name: isolate(name) })}
      confirm={t('list.end')}
      action={end}
      failed={t('list.endFailed')}
      onConfirm={() => end.mutate({ path: { company_id, link_id } })}
      onClose={onClose}
    >
      <p>{t('list.endText')}</p>
    </ConfirmDialog>
  )
}
