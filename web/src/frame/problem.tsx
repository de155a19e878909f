import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Company, Role } from '../company/company.ts'
import { Owners } from '../company/owners.tsx'
import { isolate } from '../language/isolate.ts'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { ButtonLink } from '../ui/controls/button-link.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'

function Problem({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Page width="form">
      <PageHead title={title} />
      {children}
    </Page>
  )
}

function ToStart() {
  const { t } = useTranslation()
  return (
    <Buttons>
      <ButtonLink to="/" variant="primary">
        {t('problem.start')}
      </ButtonLink>
    </Buttons>
  )
}

/** An unknown address. */
export function UnknownPage() {
  const { t } = useTranslation()
  return (
    <Problem title={t('problem.unknownTitle')}>
      <p>{t('problem.unknownText')}</p>
      <ToStart />
    </Problem>
  )
}

/** A company that the member does not belong to. It does not say whether the company exists. */
export function ForeignCompany() {
  const { t } = useTranslation()
  return (
    <Problem title={t('problem.foreignTitle')}>
      <p>{t('problem.foreignText')}</p>
      <ToStart />
    </Problem>
  )
}

const asRole = {
  owner: 'problem.asOwner',
  developer: 'problem.asDeveloper',
  reader: 'problem.asReader',
} as const

/** A page that the member's role does not allow: which role does, and who can grant it. */
export function RoleNeeded({ company, needs }: { company: Company; needs: Role }) {
  const { t } = useTranslation()
  return (
    <Problem title={t('problem.roleTitle')}>
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
    </Problem>
  )
}

/** Scripts are named after their content: after an upgrade of the service, old names are gone. */
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
    <Problem title={t('problem.brokenTitle')}>
      <p>{t(isOutdated(error) ? 'problem.outdatedText' : 'problem.brokenText')}</p>
      <Buttons>
        <Button variant="primary" onClick={() => location.reload()}>
          {t('problem.reload')}
        </Button>
      </Buttons>
    </Problem>
  )
}
