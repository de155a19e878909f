import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { en } from '../language/en/identity.ts'
import { sv } from '../language/sv/identity.ts'
import { addTexts } from '../language/language.ts'
import { ButtonAnchor } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Waiting } from '../ui/feedback/live.tsx'
import { NarrowFrame } from '../ui/layout/narrow-frame.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { Section } from '../ui/layout/section.tsx'
import { returnQuery } from './return-from-app.ts'

addTexts('identity', { en, sv })

/** Opened by BankID's app on its device (`/bankid/return`). Sends its nonce to the service, then opens the page that started the order. */
export function ReturnPage() {
  const { t } = useTranslation(['identity', 'translation'])
  const { data, error, refetch } = useQuery(returnQuery)
  useEffect(() => {
    if (data !== undefined) location.replace(data.return_to)
  }, [data])
  const isOther = error instanceof ApiError && error.status === 404
  const title = t(isOther ? 'return.other' : 'return.title')
  return (
    <NarrowFrame>
      <Card>
        <Section>
          <PageTitle key={title} tab={title}>
            {title}
          </PageTitle>
          {isOther ? (
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

/** The app opened the page in a browser that did not start the order: perhaps the person's other one, perhaps an attacker started it. */
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
