import { useTranslation } from 'react-i18next'
import { formatInstantDay } from '../language/format-instant.ts'
import type { ConsentRequest } from './choice.ts'

/** When the access ends; what is added to an access ends with it. */
export function ExpiryNote({ request }: { request: ConsentRequest }) {
  const { t, i18n } = useTranslation()
  const date = formatInstantDay(i18n.language, request.ends_at)
  if (request.adds) return <p className="quiet">{t('consent.endsAsBefore', { date })}</p>
  return (
    <p className="quiet">
      {t('consent.ends', { date })} {t('consent.sooner')}{' '}
      <a href="/apps" target="_blank" rel="noreferrer">
        {t('consent.soonerLink')}
        <span className="unseen"> {t('ui.newTab')}</span>
      </a>
      .
    </p>
  )
}
