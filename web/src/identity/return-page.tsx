import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { en } from '../language/identity.en.ts'
import { sv } from '../language/identity.sv.ts'
import { addTexts } from '../language/language.ts'
import { ButtonAnchor } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/failure.tsx'
import { Waiting } from '../ui/live.tsx'
import { NarrowFrame } from '../ui/narrow-frame.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import { returnQuery } from './return-from-app.ts'

addTexts('identity', { en, sv })

/**
 * What BankID's app opens on its device (`/bankid/return`). The service is handed the proof that it was opened with, and only then
 * does it leave for the page that began.
 */
export function ReturnPage() {
  const { t } = useTranslation(['identity', 'translation'])
  const { data, error, refetch } = useQuery(returnQuery)
  useEffect(() => {
    if (data !== undefined) location.replace(data.return_to)
  }, [data])
  const isOfOther = error instanceof ApiError && error.status === 404
  const title = t(isOfOther ? 'return.other' : 'return.title')
  return (
    <NarrowFrame>
      <Card>
        <Section>
          <PageTitle key={title} tab={title}>
            {title}
          </PageTitle>
          {isOfOther ? (
            <OtherBrowser />
          ) : error === null ? (
            <Waiting title={t('translation:ui.loading')} />
          ) : (
            <Failure error={error} onRetry={() => void refetch()} />
          )}
        </Section>
      </Card>
    </NarrowFrame>
  )
}

/** The app opened the page in a browser that did not begin: perhaps another one of the person's, perhaps an attacker's order. */
function OtherBrowser() {
  const { t } = useTranslation('identity')
  return (
    <>
      <p>{t('return.goBack')}</p>
      <p>{t('return.warning')}</p>
      <ButtonAnchor variant="secondary" wide href="/">
        {t('return.start')}
      </ButtonAnchor>
    </>
  )
}
