import { useTranslation } from 'react-i18next'
import type { Company, Role } from '../company/company.ts'
import { Owners } from '../company/owners.tsx'
import { isolate } from '../language/isolate.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'

/** An address that leads nowhere. */
export function UnknownPage() {
  const { t } = useTranslation()
  return (
    <Page width="form">
      <PageHead title={t('problem.unknownTitle')} />
      <p>{t('problem.unknownText')}</p>
      <Buttons>
        <ButtonLink to="/" variant="primary">
          {t('problem.start')}
        </ButtonLink>
      </Buttons>
    </Page>
  )
}

/** A company that the member does not belong to: whether it is here is not said. */
export function ForeignCompany() {
  const { t } = useTranslation()
  return (
    <Page width="form">
      <PageHead title={t('problem.foreignTitle')} />
      <p>{t('problem.foreignText')}</p>
      <Buttons>
        <ButtonLink to="/" variant="primary">
          {t('problem.start')}
        </ButtonLink>
      </Buttons>
    </Page>
  )
}

const asRole = {
  owner: 'problem.asOwner',
  developer: 'problem.asDeveloper',
  reader: 'problem.asReader',
} as const

/** A page that the member's role does not open: says which does, and who can give it. */
export function RoleNeeded({ company, needs }: { company: Company; needs: Role }) {
  const { t } = useTranslation()
  return (
    <Page width="form">
      <PageHead title={t('problem.roleTitle')} />
      <p>
        {t('problem.roleText', {
          company: isolate(company.name),
          role: t(asRole[company.role]),
          needed: t(needs === 'owner' ? 'problem.needsOwner' : 'problem.needsDeveloper'),
        })}
      </p>
      <p>{t('problem.roleWho')}</p>
      <Owners label={t('problem.owners')}>
        <Buttons>
          <ButtonLink
            to="/companies/$companyId/reports"
            params={{ companyId: company.company_id }}
            variant="primary"
          >
            {t('problem.toReports')}
          </ButtonLink>
        </Buttons>
      </Owners>
    </Page>
  )
}

/** What a page loads is named after its content: after a renewal of the service, old names are gone. */
function isOutdated(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|module script failed|Failed to fetch/i.test(error.message)
  )
}

/** A page that threw. */
export function BrokenPage({ error }: { error: unknown }) {
  const { t } = useTranslation()
  return (
    <Page width="form">
      <PageHead title={t('problem.brokenTitle')} />
      <p>{t(isOutdated(error) ? 'problem.outdatedText' : 'problem.brokenText')}</p>
      <Buttons>
        <Button variant="primary" onClick={() => location.reload()}>
          {t('problem.reload')}
        </Button>
      </Buttons>
    </Page>
  )
}
