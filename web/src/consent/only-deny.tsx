import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { AppHeading } from './app-heading.tsx'
import type { ConsentRequest } from './choice.ts'
import { Redirecting } from './redirecting.tsx'
import { useDecision } from './use-decision.ts'

/** Where nobody can sign, nothing can be allowed: the member is told why before they choose anything, and goes back to the app. */
export function OnlyDeny({
  request: { app, adds },
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
      <AppHeading app={app} adds={adds} />
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
