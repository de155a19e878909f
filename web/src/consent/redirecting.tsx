import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Card } from '../ui/card.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'

/** Sends the browser back to the app; this page does not stay in its history. */
export function Redirecting({ location: to }: { location: string }) {
  const { t } = useTranslation('consent')
  const { host, protocol } = new URL(to)
  // The service sends registered addresses only, and none of those runs as a script; this makes sure.
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
