import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Section } from '../page/card.tsx'
import { PageTitle } from '../page/page-title.tsx'
import type { ConsentRequest } from './choice.ts'
import classes from './app-heading.module.css'

/**
 * Who asks. The name is the app's own word, anybody's: it is kept apart from our sentence and from its direction, and
 * the host that the answer goes to stands beside it as it is, punycode included.
 */
export const AppHeading = ({ app, adds }: { app: ConsentRequest['app']; adds: boolean }) => {
  const { t } = useTranslation()
  return (
    <Section>
      <PageTitle tab={`${t('consent.documentTitle')}: ${isolate(app.client_name)}`}>
        <bdi className={classes.name}>{app.client_name}</bdi> {t(adds ? 'consent.asksMore' : 'consent.asks')}
      </PageTitle>
      <p>
        {t('consent.goesTo')} <bdi className={classes.host}>{app.redirect_host}</bdi>
      </p>
      <p className="quiet">{t('consent.anyone')}</p>
    </Section>
  )
}
