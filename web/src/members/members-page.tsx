import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/members.ts'
import { sv } from '../language/sv/members.ts'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { TabLink, Tabs } from '../ui/layout/tabs.tsx'
import { CompanyDeletion } from './company-deletion.tsx'
import { CompanyApps } from './company-apps.tsx'
import { FiscalYear } from './fiscal-year.tsx'
import { History } from './history.tsx'
import { MemberList } from './member-list.tsx'

addTexts('members', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/members')

/** The company's members, the apps that read it, its audit log, and its export and deletion (`/companies/{id}/members`). */
export function MembersPage() {
  const { t } = useTranslation('members')
  const { company_id, name } = useCompany()
  const { part } = route.useSearch()
  const [announcement, setAnnouncement] = useState<string>()
  const link = {
    to: '/companies/$companyId/members',
    params: { companyId: company_id },
    activeOptions: { exact: true },
  } as const
  return (
    <Page>
      <PageHead
        title={t('title')}
        line={t('intro', { company: isolate(name) })}
        actions={
          <ButtonLink
            to="/companies/$companyId/members"
            params={{ companyId: company_id }}
            search={{ ask: 'invite' }}
            replace
            variant="primary"
            icon="plus"
          >
            {t('invite.open')}
          </ButtonLink>
        }
      />
      <Tabs label={t('part.label')}>
        {/* An open dialog is in the query too. */}
        <TabLink {...link} search={{}} activeOptions={{ exact: true, includeSearch: part !== undefined }}>
          {t('part.members')}
        </TabLink>
        <TabLink {...link} search={{ part: 'apps' }}>
          {t('part.apps')}
        </TabLink>
        <TabLink {...link} search={{ part: 'history' }}>
          {t('part.history')}
        </TabLink>
        <TabLink {...link} search={{ part: 'company' }}>
          {t('part.company')}
        </TabLink>
      </Tabs>
      <LiveRegion>{announcement}</LiveRegion>
      {part === 'apps' ? (
        <CompanyApps />
      ) : part === 'history' ? (
        <History />
      ) : part === 'company' ? (
        <>
          <FiscalYear onDone={setAnnouncement} />
          <CompanyDeletion onDone={setAnnouncement} />
        </>
      ) : (
        <MemberList onDone={setAnnouncement} />
      )}
    </Page>
  )
}
