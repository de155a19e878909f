import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Card } from '../ui/layout/card.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { Section } from '../ui/layout/section.tsx'

/** Returns to the app. This page does not stay in the history. */
export function Redirecting({ location: to }: { location: string }) {
  const { t } = useTranslation('consent')
  const { host, protocol } = new URL(to)
  // The service sends registered addresses only, none of which runs as a script. This makes sure.
  const isWeb = protocol === 'https:' || protocol === 'http:'
  useEffect(() => {
    if (isWeb) location.replace(to)
  }, [isWeb, to])
  const title = t('leaving', { host: isolate(host) })
  return (
    <Card>
      <Section>
        <PageTitle tab={title}>{title}</PageTitle>
        {isWeb && (
          <p>
            <a href={to}>{t('leavingLink')}</a>
          </p>
        )}
      </Section>
    </Card>
  )
}
