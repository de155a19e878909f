import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AskingApp } from '../api/document-facts.ts'
import { isolate } from '../language/isolate.ts'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { Section } from '../ui/layout/section.tsx'
import classes from './app-heading.module.css'
import type { ConsentRequest } from './choice.ts'

/**
 * The requesting app. Anyone can register any name, so it is isolated from our sentence, cannot change its direction, and has
 * no colour of ours. The host of the redirect is shown below it unchanged, in punycode if it is encoded so.
 *
 * @param props.children the name in a sentence
 */
export function Asker({ app: { name, host }, children }: { app: AskingApp; children: ReactNode }) {
  const { t } = useTranslation('consent')
  return (
    <>
      <div className={classes.app}>
        <span aria-hidden="true" className={classes.letter}>
          {[...name.trim()][0]?.toUpperCase()}
        </span>
        <div>
          {children}
          <p className={classes.host}>
            {t('goesTo')} <bdi>{host}</bdi>
          </p>
        </div>
      </div>
      <p className="quiet">{t('anyone')}</p>
    </>
  )
}

/** The requesting app, above its request. */
export function AppHeading({ request: { app, adds } }: { request: ConsentRequest }) {
  const { t } = useTranslation('consent')
  return (
    <Section>
      <Asker app={{ name: app.client_name, host: app.redirect_host }}>
        <PageTitle tab={`${t('documentTitle')}: ${isolate(app.client_name)}`}>
          <bdi>{app.client_name}</bdi> {t(adds ? 'asksMore' : 'asks')}
        </PageTitle>
      </Asker>
    </Section>
  )
}
