import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import type { ConsentRequest } from './choice.ts'
import classes from './app-heading.module.css'

/**
 * Who asks. Anyone can register any name: it is set apart from our sentence and cannot change its direction. The host
 * that the answer goes to stands beside it as it is, punycode included.
 */
export function AppHeading({ app, adds }: { app: ConsentRequest['app']; adds: boolean }) {
  const { t } = useTranslation()
  return (
    <Section>
      <div className={classes.app}>
        <span aria-hidden="true" className={classes.letter}>
          {[...app.client_name.trim()][0]?.toUpperCase()}
        </span>
        <div>
          <PageTitle tab={`${t('consent.documentTitle')}: ${isolate(app.client_name)}`}>
            <bdi>{app.client_name}</bdi> {t(adds ? 'consent.asksMore' : 'consent.asks')}
          </PageTitle>
          <p className={classes.host}>
            {t('consent.goesTo')} <bdi>{app.redirect_host}</bdi>
          </p>
        </div>
      </div>
      <p className="quiet">{t('consent.anyone')}</p>
    </Section>
  )
}
