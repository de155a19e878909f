import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../ui/layout/card.tsx'
import { Section } from '../ui/layout/section.tsx'
import { AppHeading } from './app-heading.tsx'
import {
  type Choice,
  companyChoices,
  type ConsentRequest,
  type Group,
  groupIds,
  missingIn,
  newPermissions,
  newResources,
} from './choice.ts'
import { ChoiceSection } from './choice-section.tsx'
import { CompanyChoice } from './company-choice.tsx'
import { CurrentAccess } from './current-access.tsx'
import { DecisionSection } from './decision-section.tsx'
import { PermissionChoice } from './permission-choice.tsx'
import { Resources } from './resources.tsx'
import type { Decision } from './use-decision.ts'

/**
 * What the app asks for, and the buttons to decide. Not a `<form>`: Enter on a check would send it. Missing choices are marked when
 * the member signs.
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
  const { t } = useTranslation('consent')
  const permissions = newPermissions(request)
  const companies = companyChoices(request)
  const resources = newResources(request)
  const [marked, setMarked] = useState<Group>()
  // Until something is chosen there.
  const missing = marked !== undefined && missingIn(request, choice) === marked ? marked : undefined

  function onMissing(group: Group): void {
    setMarked(group)
    document.getElementById(groupIds[group])?.focus()
  }

  return (
    <Card>
      <AppHeading request={request} />
      {permissions.length > 0 && (
        <ChoiceSection
          id={groupIds.permissions}
          title={t('sees')}
          fault={missing === 'permissions' && t('nothing')}
        >
          <PermissionChoice requested={permissions} choice={choice} onChoose={onChoose} />
        </ChoiceSection>
      )}
      {!request.adds && (
        <Section title={t('changes')}>
          <p className="quiet">{t('noChanges')}</p>
        </Section>
      )}
      {(companies.length > 0 || !request.adds) && (
        <ChoiceSection
          id={groupIds.companies}
          title={t(request.adds ? 'addedCompanies' : 'companies')}
          fault={missing === 'companies' && t(companies.length === 0 ? 'nothingToSign' : 'noCompanyYet')}
        >
          <CompanyChoice request={request} choice={choice} onChoose={onChoose} />
        </ChoiceSection>
      )}
      {resources.length > 0 && <Resources resources={resources} />}
      <CurrentAccess request={request} />
      <DecisionSection request={request} choice={choice} decision={decision} onMissing={onMissing} />
    </Card>
  )
}
