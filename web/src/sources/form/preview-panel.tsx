import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Badge } from '../../ui/display/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Stack } from '../../ui/layout/page.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { Draft } from './draft.ts'
import type { Preview, StepProps } from './form-state.ts'
import { PreviewRows } from './preview-rows.tsx'
import { PreviewSamples } from './preview-samples.tsx'
import { SavingEffect } from './saving-effect.tsx'
import classes from './source-form.module.css'
import { usePreview } from './use-preview.ts'

/** The samples that the metrics would give of the last deliveries or the example, and what saving does. */
export function PreviewPanel(props: StepProps) {
  const { t } = useTranslation('sources')
  const { sourceId, draft, example, artifactId, onStep } = props
  const isNew = sourceId === null
  const given = [
    ...(isNew ? [] : [{ value: 'deliveries', label: t('preview.deliveries') } as const]),
    ...(artifactId === undefined ? [] : [{ value: 'delivery', label: t('preview.delivery') } as const]),
    ...(example ? [{ value: 'example', label: example.name ?? t('example.pasted') } as const] : []),
  ]
  const [wanted, setWanted] = useState(given.at(-1)?.value)
  const of = given.find(({ value }) => value === wanted)?.value ?? given[0]?.value
  const { query, isIncomplete } = usePreview(props, {
    ...(of === 'example' && { example }),
    ...(of === 'delivery' && { artifactId }),
  })
  const hasNothing = isNew && example === undefined
  const result = hasNothing ? undefined : query.data
  const isStale = query.isPlaceholderData || isIncomplete
  return (
    <Stack>
      <Card>
        <Section title={t('preview.title')} line={t('preview.line')}>
          {of !== undefined && given.length > 1 && (
            <Segmented label={t('preview.of')} value={of} options={given} onChange={setWanted} />
          )}
          {hasNothing && <p className="quiet">{t('preview.needsExample')}</p>}
          {hasNothing && (
            <div>
              <Button small onClick={() => onStep('fields')}>
                {t('preview.toExample')}
              </Button>
            </div>
          )}
          {isIncomplete && !hasNothing && <p className="quiet">{t('preview.incomplete')}</p>}
          {query.error !== null && (
            <Failure error={query.error} title={t('preview.failed')} onRetry={() => void query.refetch()} />
          )}
          {query.isLoading && <Skeleton blocks={[{ width: 'wide', height: 180 }]} />}
          {result !== undefined && (
            <div className={`${classes.group} ${isStale ? classes.stale : ''}`} aria-busy={query.isFetching}>
              <PreviewResult preview={result} draft={draft} />
            </div>
          )}
        </Section>
        {result !== undefined && result.deliveries.length > 0 && (
          <div className={isStale ? classes.stale : ''}>
            <PreviewRows preview={result} />
          </div>
        )}
      </Card>
      <SavingEffect {...props} saving={query.data?.saving ?? undefined} />
    </Stack>
  )
}

function PreviewResult({ preview, draft }: { preview: Preview; draft: Draft }) {
  const { t } = useTranslation('sources')
  const { deliveries, of, complete, sandbox, samples } = preview
  if (deliveries.length === 0) return <p className="quiet">{t('preview.noDeliveries')}</p>
  return (
    <>
      {sandbox && (
        <div>
          <Badge tone="test" icon="test">
            {t('preview.test')}
          </Badge>
        </div>
      )}
      {of === 'deliveries' && (
        <p className="small">
          {t('preview.ofDeliveries', { count: deliveries.length })} {!complete && t('preview.partial')}
        </p>
      )}
      {samples.length === 0 ? (
        <p className="quiet">{t(draft.metrics.length === 0 ? 'preview.noMetrics' : 'preview.noSamples')}</p>
      ) : (
        <PreviewSamples preview={preview} draft={draft} />
      )}
    </>
  )
}
