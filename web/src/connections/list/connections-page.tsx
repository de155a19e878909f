import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { connectionsQuery } from '../../company/lists.ts'
import { en } from '../../language/en/connections.ts'
import { sv } from '../../language/sv/connections.ts'
import { addTexts } from '../../language/language.ts'
import { Buttons, ButtonAnchor } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Empty } from '../../ui/feedback/empty-start.tsx'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { CannotSign } from '../signing/cannot-sign.tsx'
import { ConnectionList } from './connection-list.tsx'

addTexts('connections', { en, sv })

/** The company's connections (`/companies/{id}/connections`). */
export function ConnectionsPage() {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const connections = useQuery(connectionsQuery(company_id))
  return (
    <Page>
      <PageHead
        title={t('title')}
        line={t('intro')}
        actions={
          <Buttons>
            <ButtonAnchor href="/docs/api" variant="quiet">
              {t('reference.open')}
            </ButtonAnchor>
            <ButtonLink
              to="/companies/$companyId/connections/new"
              params={{ companyId: company_id }}
              variant="primary"
              icon="plus"
            >
              {t('action.new')}
            </ButtonLink>
          </Buttons>
        }
      />
      <CannotSign />
      <Loaded query={connections}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={t('none')}>{t('noneText')}</Empty>
          ) : (
            <ConnectionList connections={list} />
          )
        }
      </Loaded>
    </Page>
  )
}
