import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { companyKey } from '../../company/lists.ts'
import { useMember } from '../../session/member.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Stack } from '../../ui/layout/page.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Segmented } from '../../ui/controls/segmented.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { Declaration } from '../declaration.ts'
import { type Draft, toDeclaration } from './draft.ts'
import { findFaults } from './find-faults.ts'
import type { Example, Preview, StepProps } from './form-state.ts'
import { PreviewRows } from './preview-rows.tsx'
import { PreviewSamples } from './preview-samples.tsx'
import { SavingEffect } from './saving-effect.tsx'
import classes from './source-form.module.css'
import { useSettled } from './use-draft.ts'

/** How long after the last change the preview is renewed. */
const settledMs = 500

function usePreview({ sourceId, draft }: StepProps, example: Example | undefined) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const isIncomplete = findFaults(draft).some(({ step }) => step !== 'name' && step !== 'delivers')
  const settled = useSettled(isIncomplete ? undefined : JSON.stringify(toDeclaration(draft)), settledMs)
  const query = useQuery({
    queryKey: companyKey(company_id, 'preview', sourceId, example?.id ?? 'deliveries', settled),
    queryFn: (): Promise<Preview> => {
      const body = { declaration: JSON.parse(settled!) as Declaration, example: example?.input ?? null }
      const address = 'POST /console/companies/{company_id}/sources'
      return sourceId === null
        ? callApi(`${address}/preview`, { path: { company_id }, body }, csrf_token)
        : callApi(
            `${address}/{source_id}/preview`,
            { path: { company_id, source_id: sourceId }, body },
            csrf_token,
          )
    },
    enabled: settled !== undefined && (sourceId !== null || example !== undefined),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    // Each reads up to 8 MiB: a person retries it.
    retry: false,
  })
  return { query, isIncomplete }
}

/** The samples that the metrics would give of the last deliveries or the example, and what saving does. */
export function PreviewPanel(props: StepProps) {
  const { t } = useTranslation('sources')
  const { sourceId, draft, example, onStep } = props
  const [wanted, setWanted] = useState<'deliveries' | 'example'>(example ? 'example' : 'deliveries')
  const isNew = sourceId === null
  const of = isNew || (wanted === 'example' && example !== undefined) ? 'example' : 'deliveries'
  const { query, isIncomplete } = usePreview(props, of === 'example' ? example : undefined)
  const hasNothing = isNew && example === undefined
  const result = hasNothing ? undefined : query.data
  const isStale = query.isPlaceholderData || isIncomplete
  return (
    <Stack>
      <Card>
        <Section title={t('preview.title')} line={t('preview.line')}>
          {!isNew && example !== undefined && (
            <Segmented
              label={t('preview.of')}
              value={of}
              options={[
                { value: 'deliveries', label: t('preview.deliveries') },
                { value: 'example', label: example.name ?? t('example.pasted') },
              ]}
              onChange={setWanted}
            />
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
