import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/members.en.ts'
import { sv } from '../language/members.sv.ts'
import { ButtonLink } from '../ui/button-link.tsx'
import { LiveRegion } from '../ui/live.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { TabLink, Tabs } from '../ui/tabs.tsx'
import { CompanyApps } from './company-apps.tsx'
import { History } from './history.tsx'
import { MemberList } from './member-list.tsx'

addTexts('members', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/members')

/** Who belongs to the company, which apps read it, and what was done (`/companies/{id}/members`). */
export function MembersPage() {
  const { t } = useTranslation('members')
  const { company_id, name } = useCompany()
  const { part } = route.useSearch()
  const [said, setSaid] = useState<string>()
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
        {/* A dialog over the members is in the address too. */}
        <TabLink {...link} search={{}} activeOptions={{ exact: true, includeSearch: part !== undefined }}>
          {t('part.members')}
        </TabLink>
        <TabLink {...link} search={{ part: 'apps' }}>
          {t('part.apps')}
        </TabLink>
        <TabLink {...link} search={{ part: 'history' }}>
          {t('part.history')}
        </TabLink>
      </Tabs>
      <LiveRegion>{said}</LiveRegion>
      {part === 'apps' ? <CompanyApps /> : part === 'history' ? <History /> : <MemberList onSaid={setSaid} />}
    </Page>
  )
}
