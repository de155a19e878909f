import { useTranslation } from 'react-i18next'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Section } from '../ui/layout/section.tsx'
import { AppHeading } from './app-heading.tsx'
import type { ConsentRequest } from './choice.ts'
import { Redirecting } from './redirecting.tsx'
import { useDecision } from './use-decision.ts'

/** Where this deployment has no signatures, nothing can be allowed: says so, and leads back to the app. */
export function OnlyDeny({
  request,
  query,
  csrfToken,
}: {
  request: ConsentRequest
  query: string
  csrfToken: string
}) {
  const { t } = useTranslation('consent')
  const { deny, redirect } = useDecision(query, csrfToken)
  if (redirect !== undefined) return <Redirecting location={redirect} />
  return (
    <Card>
      <AppHeading request={request} />
      <Section>
        <Note tone="amber" icon="signature" title={t('cannotSign.title')}>
          {t('cannotSign.why')}
        </Note>
        {deny.error && <Failure error={deny.error} />}
        <Button wide busy={deny.isPending} onClick={() => deny.mutate()}>
          {t('cannotSign.deny')}
        </Button>
      </Section>
    </Card>
  )
}
