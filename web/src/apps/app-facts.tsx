import { useTranslation } from 'react-i18next'
import { formatInstant, formatInstantDay, signedDaysZone } from '../language/format-instant.ts'
import { Fact, Facts } from '../ui/display/facts.tsx'
import type { App } from './apps-query.ts'

/** What an app may read, since when and until when. */
export function AppFacts({ app }: { app: App }) {
  const { t, i18n } = useTranslation(['apps', 'translation'])
  const { language } = i18n
  const day = (instant: string): string => formatInstantDay(language, instant, signedDaysZone)
  const { every, chosen } = app.companies
  return (
    <Facts>
      <Fact name={t('sees')}>
        {app.permissions.map((permission) => t(`translation:permission.${permission}.name`)).join(', ')}
      </Fact>
      <Fact name={t('companies')}>
        {every
          ? t('every')
          : chosen.map(({ company_id, name }) => (
              <div key={company_id}>
                <bdi>{name}</bdi>
              </div>
            ))}
      </Fact>
      {app.resources.length > 0 && (
        <Fact name={t('resources')}>
          {app.resources.map((resource) => (
            <div key={resource}>
              <bdi>{resource}</bdi>
            </div>
          ))}
        </Fact>
      )}
      <Fact name={t('signed')}>{day(app.consented_at)}</Fact>
      {app.ended_at === null || app.ended_by === null ? (
        <Fact name={t('ends')}>{day(app.expires_at)}</Fact>
      ) : (
        <Fact name={t(`endedBy.${app.ended_by}`)}>{day(app.ended_at)}</Fact>
      )}
      <Fact name={t('lastCall')}>
        {app.last_called_at === null ? t('never') : formatInstant(language, app.last_called_at)}
      </Fact>
    </Facts>
  )
}
