import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Card, Section } from '../page/card.tsx'
import { PageTitle } from '../page/page-title.tsx'

/** Sends the browser back to the app; this page is not left in its history. */
export const Leaving = ({ location: to }: { location: string }) => {
  const { t } = useTranslation()
  const { host, protocol } = new URL(to)
  // The service names registered addresses only. One that would run as a script is none of them.
  const isWeb = protocol === 'https:' || protocol === 'http:'
  useEffect(() => {
    if (isWeb) window.location.replace(to)
  }, [isWeb, to])
  const title = t('consent.leaving', { host: isolate(host) })
  return (
    <Card>
      <Section>
        <PageTitle tab={title}>{title}</PageTitle>
        {isWeb && (
          <p>
            <a href={to}>{t('consent.leavingLink')}</a>
          </p>
        )}
      </Section>
    </Card>
  )
}
