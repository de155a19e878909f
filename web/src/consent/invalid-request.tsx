import { useTranslation } from 'react-i18next'
import { Card } from '../ui/card.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'

/**
 * A request that the service accepts from no one. It refuses such a request before it serves this page; the browser came
 * here some other way.
 */
export function InvalidRequest() {
  const { t } = useTranslation('consent')
  return (
    <Card>
      <Section>
        <PageTitle tab={t('wrong')}>{t('wrong')}</PageTitle>
        <p>{t('wrongText')}</p>
      </Section>
    </Card>
  )
}
