import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/members.en.ts'
import { sv } from '../language/members.sv.ts'
import { useMember } from '../session/member.ts'
import { Card } from '../ui/card.tsx'
import { Loaded, More } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Table } from '../ui/table.tsx'

addTexts('members', { en, sv })

/** Who belongs to the company (`/companies/{id}/members`). */
export function MembersPage() {
  const { t } = useTranslation(['members', 'translation'])
  const { company_id, name } = useCompany()
  const { member_id: own } = useMember()
  const format = useFormat()
  const list = useInfiniteQuery({
    queryKey: companyKey(company_id, 'members'),
    queryFn: ({ pageParam: cursor }) =>
      callApi('GET /console/companies/{company_id}/members', {
        path: { company_id },
        query: cursor === '' ? {} : { cursor },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  return (
    <Page>
      <PageHead title={t('title')} line={t('intro', { company: isolate(name) })} />
      <Loaded query={list}>
        {({ pages }) => (
          <Card>
            <Table
              caption={t('title')}
              columns={[
                {
                  key: 'name',
                  head: t('name'),
                  render: ({ member_id, name }) => (
                    <>
                      {name === null ? (
                        <span className="quiet">{t('notYet')}</span>
                      ) : (
                        <bdi>
                          <b>{name}</b>
                        </bdi>
                      )}
                      {member_id === own && <span className="quiet"> {t('you')}</span>}
                    </>
                  ),
                },
                { key: 'role', head: t('role'), render: ({ role }) => t(`translation:role.${role}`) },
                { key: 'since', head: t('since'), render: ({ added_at }) => format.instantDay(added_at) },
              ]}
              rows={pages.flatMap(({ members }) => members)}
              rowKey={({ member_id }) => member_id}
            />
          </Card>
        )}
      </Loaded>
      <More list={list} />
    </Page>
  )
}
