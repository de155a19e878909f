import { useTranslation } from 'react-i18next'
import { Card } from '../ui/card.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'

/**
 * A request that the service accepts from no one. It refuses such a request before it serves this page; the browser came
 * here some other way.
 */
export function InvalidRequest() {
  const { t } = useTranslation()
  return (
    <Card>
      <Section>
        <PageTitle tab={t('consent.wrong')}>{t('consent.wrong')}</PageTitle>
        <p>{t('consent.wrongText')}</p>
      </Section>
    </Card>
  )
}
