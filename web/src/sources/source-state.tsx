import { useTranslation } from 'react-i18next'
import { Badge, PlainState } from '../ui/display/badge.tsx'
import type { ShownSource, Source } from './declaration.ts'

interface StateProps {
  source: Pick<Source, 'state'>
  activity: ShownSource['activity'] | null
}

/** The state of a source; what is unusual takes precedence. */
export function SourceState({ source, activity }: StateProps) {
  const { t } = useTranslation('sources')
  if (source.state === 'paused') return <Badge icon="pause">{t('paused')}</Badge>
  if (activity?.rebuild != null) {
    return (
      <Badge tone="outline" icon="repeat">
        {t('rebuilding')}
      </Badge>
    )
  }
  if (activity?.freshness.late) {
    return (
      <Badge tone="amber" icon="clock">
        {t('late')}
      </Badge>
    )
  }
  if (activity !== null && activity.last_delivery === null)
    return <Badge tone="outline">{t('waitingForFirst')}</Badge>
  if (activity?.last_delivery?.sandbox) {
    return (
      <Badge tone="test" icon="test">
        {t('onlyTest')}
      </Badge>
    )
  }
  return <PlainState>{t('active')}</PlainState>
}
