import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import { Asker } from './asker.tsx'
import type { ConsentRequest } from './choice.ts'

/** Who asks, above what is asked for. */
export function AppHeading({ app, adds }: { app: ConsentRequest['app']; adds: boolean }) {
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
