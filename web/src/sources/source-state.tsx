import { useTranslation } from 'react-i18next'
import { Badge, PlainState } from '../ui/badge.tsx'
import type { Source } from './draft.ts'
import type { Activity } from './source-query.ts'

/** How a source is, in one word; what is not usual comes first. */
export function SourceState({
  source,
  activity,
}: {
  source: Pick<Source, 'state'>
  activity: Activity | null
}) {
  const { t } = useTranslation('sources')
  if (source.state === 'paused') return <Badge icon="pause">{t('paused')}</Badge>
  if (activity?.rebuild != null) {
    return (
      <Badge tone="outline" icon="repeat">
        {t('rebuilding')}
      </Badge>
    )
  }
  if (activity?.freshness.late === true) {
    return (
      <Badge tone="amber" icon="clock">
        {t('late')}
      </Badge>
    )
  }
  if (activity !== null && activity.last_delivery === null)
    return <Badge tone="outline">{t('waitingForFirst')}</Badge>
  if (activity?.last_delivery?.sandbox === true) {
    return (
      <Badge tone="test" icon="test">
        {t('onlyTest')}
      </Badge>
    )
  }
  return <PlainState>{t('active')}</PlainState>
}
