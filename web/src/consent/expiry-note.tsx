import { useTranslation } from 'react-i18next'
import { formatInstantDay, signedDaysZone } from '../language/format-instant.ts'
import type { ConsentRequest } from './choice.ts'

/** When the access ends; what is added to an access ends with it. */
export function ExpiryNote({ request }: { request: ConsentRequest }) {
  const { t, i18n } = useTranslation(['consent', 'translation'])
  // The day that is signed.
  const date = formatInstantDay(i18n.language, request.ends_at, signedDaysZone)
  if (request.adds) return <p className="quiet">{t('endsAsBefore', { date })}</p>
  return (
    <p className="quiet">
      {t('ends', { date })} {t('sooner')}{' '}
      <a href="/apps" target="_blank" rel="noreferrer">
        {t('soonerLink')}
        <span className="unseen"> {t('translation:ui.newTab')}</span>
      </a>
      .
    </p>
  )
}
