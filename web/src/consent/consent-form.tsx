import { useTranslation } from 'react-i18next'
import { Card } from '../ui/card.tsx'
import { FieldSection } from '../ui/field-section.tsx'
import { Section } from '../ui/section.tsx'
import { AppHeading } from './app-heading.tsx'
import { type Choice, companyChoices, type ConsentRequest, newPermissions, newResources } from './choice.ts'
import { CompanyChoice } from './company-choice.tsx'
import { DecisionSection } from './decision-section.tsx'
import { PermissionChoice } from './permission-choice.tsx'
import { Resources } from './resources.tsx'
import type { Decision } from './use-decision.ts'

/**
 * Who asks, for what, and the buttons to decide. It is not a `<form>`: Enter on a tick would send it, and with nothing
 * ticked that is a refusal.
 */
export function ConsentForm({
  request,
  choice,
  onChoose,
  decision,
}: {
  request: ConsentRequest
  choice: Choice
  onChoose: (choice: Choice) => void
  decision: Decision
}) {
  const { t } = useTranslation()
  const permissions = newPermissions(request)
  const companies = companyChoices(request)
  const resources = newResources(request)
  return (
    <Card>
      <AppHeading app={request.app} adds={request.adds} />
      {permissions.length > 0 && (
        <FieldSection title={t('consent.sees')}>
          <PermissionChoice requested={permissions} choice={choice} onChoose={onChoose} />
        </FieldSection>
      )}
      {!request.adds && (
        <Section>
          <h2>{t('consent.changes')}</h2>
          <p className="quiet">{t('consent.noChanges')}</p>
        </Section>
      )}
      {(companies.length > 0 || !request.adds) && (
        <FieldSection title={t(request.adds ? 'consent.addedCompanies' : 'consent.companies')}>
          <CompanyChoice request={request} choice={choice} onChoose={onChoose} />
        </FieldSection>
      )}
      {resources.length > 0 && <Resources resources={resources} />}
      <DecisionSection request={request} choice={choice} decision={decision} />
    </Card>
  )
}
