import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { Remarks, sumRemarks } from '../company/remarks.tsx'
import { useKnownMetrics } from '../company/use-known-metrics.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useMember } from '../session/member.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { Segmented } from '../ui/segmented.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { type Declaration, declarationOf, type Draft } from './draft.ts'
import { findFaults } from './find-faults.ts'
import type { Example, Preview, StepProps } from './form-state.ts'
import { SavingEffect } from './saving-effect.tsx'
import classes from './source-form.module.css'
import { useSettled } from './use-draft.ts'

/** How long nothing changes before it is asked again. */
const settledMs = 500

/** What of a draft a preview is made of; undefined while something is missing. */
function previewable(draft: Draft): Declaration | undefined {
  const wrong = findFaults(draft).some(({ step }) => step !== 'name' && step !== 'delivers')
  return wrong ? undefined : declarationOf(draft)
}

function usePreview({ sourceId, draft }: StepProps, example: Example | undefined) {
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  const declaration = previewable(draft)
  const settled = useSettled(declaration === undefined ? undefined : JSON.stringify(declaration), settledMs)
  const query = useQuery({
    queryKey: companyKey(company_id, 'preview', sourceId, example?.id ?? 'deliveries', settled),
    queryFn: (): Promise<Preview> => {
      const body = {
        declaration: JSON.parse(settled!) as Declaration,
        example: example?.input ?? null,
      }
      return sourceId === null
        ? callApi(
            'POST /console/companies/{company_id}/sources/preview',
            { path: { company_id }, body },
            csrf_token,
          )
        : callApi(
            'POST /console/companies/{company_id}/sources/{source_id}/preview',
            { path: { company_id, source_id: sourceId }, body },
            csrf_token,
          )
    },
    enabled: settled !== undefined && (sourceId !== null || example !== undefined),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    // Each reads up to 8 MiB: whoever looks at it asks again.
    retry: false,
  })
  return { query, isIncomplete: declaration === undefined }
}

/** What the metrics would give, of the last deliveries or of the example, and what saving does. */
export function PreviewPanel(props: StepProps) {
  const { t } = useTranslation('sources')
  const { sourceId, example, onStep } = props
  const [wanted, setWanted] = useState<'deliveries' | 'example'>(
    example === undefined ? 'deliveries' : 'example',
  )
  const of = sourceId === null || (wanted === 'example' && example !== undefined) ? 'example' : 'deliveries'
  const { query, isIncomplete } = usePreview(props, of === 'example' ? example : undefined)
  const hasNothing = sourceId === null && example === undefined
  const result = hasNothing ? undefined : query.data
  const isStale = query.isPlaceholderData || isIncomplete
  return (
    <div className={classes.side}>
      <Card>
        <Section title={t('preview.title')} line={t('preview.line')}>
          {sourceId !== null && example !== undefined && (
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
          {hasNothing && (
            <>
              <p className="quiet">{t('preview.needsExample')}</p>
              <div>
                <Button small onClick={() => onStep('fields')}>
                  {t('preview.toExample')}
                </Button>
              </div>
            </>
          )}
          {isIncomplete && !hasNothing && <p className="quiet">{t('preview.incomplete')}</p>}
          {query.error !== null && (
            <Failure error={query.error} title={t('preview.failed')} onRetry={() => void query.refetch()} />
          )}
          {query.isLoading && <Skeleton blocks={[{ width: 'wide', height: 180 }]} />}
          {result !== undefined && (
            <div className={`${classes.group} ${isStale ? classes.stale : ''}`} aria-busy={query.isFetching}>
              <PreviewSamples preview={result} draft={props.draft} />
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
    </div>
  )
}

/** The figures that it would give, and of what. */
function PreviewSamples({ preview, draft }: { preview: Preview; draft: Draft }) {
  const { t } = useTranslation('sources')
  if (preview.deliveries.length === 0) return <p className="quiet">{t('preview.noDeliveries')}</p>
  return (
    <>
      {preview.sandbox && (
        <div>
          <Badge tone="test" icon="test">
            {t('preview.test')}
          </Badge>
        </div>
      )}
      {preview.of === 'deliveries' && (
        <p className="small">
          {t('preview.ofDeliveries', { count: preview.deliveries.length })}{' '}
          {!preview.complete && t('preview.partial')}
        </p>
      )}
      {preview.samples.length === 0 ? (
        <p className="quiet">{t(draft.metrics.length === 0 ? 'preview.noMetrics' : 'preview.noSamples')}</p>
      ) : (
        <Samples preview={preview} draft={draft} />
      )}
    </>
  )
}

/** How many rows were read, left out and refused, and the refused ones. */
function PreviewRows({ preview }: { preview: Preview }) {
  const isRefused = preview.deliveries.some(
    ({ refusals, state }) => refusals.length > 0 || state === 'unreadable',
  )
  return (
    <div className={classes.rowsRead}>
      <Section>
        <Figures preview={preview} />
        <Remarks remarks={sumRemarks(preview.deliveries)} />
      </Section>
      {isRefused && (
        <Section>
          <Refusals preview={preview} />
        </Section>
      )}
    </div>
  )
}

/** Samples of one metric at a time, newest first. */
function Samples({ preview, draft }: { preview: Preview; draft: Draft }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const known = useKnownMetrics()
  const metrics = [...new Set(preview.samples.map(({ metric }) => metric))]
  const [wanted, setWanted] = useState<string>()
  const chosen = metrics.find((metric) => metric === wanted) ?? metrics[0]!
  const nameOf = (key: string): string => known.find((metric) => metric.key === key)?.name ?? key
  const unit = known.find(({ key }) => key === chosen)?.unit
  const period = draft.metrics.find(({ metric }) => metric === chosen)?.period ?? 'day'
  const samples = preview.samples.filter(({ metric }) => metric === chosen)
  const labels = Object.keys(samples[0]?.labels ?? {})
  return (
    <>
      {metrics.length > 1 && (
        <Segmented
          label={t('metric.metric')}
          value={chosen}
          options={metrics.map((value) => ({ value, label: nameOf(value) }))}
          onChange={setWanted}
        />
      )}
      <section
        className={classes.scroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys
        tabIndex={0}
        aria-label={t('preview.samples', { metric: nameOf(chosen) })}
      >
        <table className={classes.rows}>
          <thead>
            <tr>
              <th scope="col">{t(`period.${period}`)}</th>
              {labels.map((label) => (
                <th key={label} scope="col">
                  <bdi>{label}</bdi>
                </th>
              ))}
              <th scope="col">
                {nameOf(chosen)}
                {unit !== undefined && unit !== 'count' && `, ${unit}`}
              </th>
            </tr>
          </thead>
          <tbody>
            {samples.map((sample) => (
              <tr key={`${sample.period_start} ${JSON.stringify(sample.labels)}`}>
                <td>{format.period(sample.period_start, period)}</td>
                {labels.map((label) => (
                  <td key={label}>
                    {sample.labels[label] === '' ? (
                      <span className="quiet">{t('preview.noLabel')}</span>
                    ) : (
                      <bdi>{sample.labels[label]}</bdi>
                    )}
                  </td>
                ))}
                <td>{format.number(sample.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {preview.samples_truncated && <p className="small">{t('preview.truncated')}</p>}
      {preview.of === 'deliveries' && <p className="small">{t('preview.alone')}</p>}
    </>
  )
}

function Figures({ preview }: { preview: Preview }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const known = useKnownMetrics()
  const several = preview.metrics.length > 1
  const left = preview.metrics.filter(({ rows_left_out }) => rows_left_out > 0)
  const rows: { key: string; name: string; count: number; isBad?: boolean }[] = [
    { key: 'read', name: t('preview.read'), count: preview.rows_read },
    ...left.map(({ metric, rows_left_out: count }) => {
      const name = known.find(({ key }) => key === metric)?.name ?? metric
      return {
        key: metric,
        name: several ? t('preview.leftOutOf', { metric: name }) : t('preview.leftOut'),
        count,
      }
    }),
    {
      key: 'refused',
      name: t('preview.refused'),
      count: preview.rows_refused,
      isBad: preview.rows_refused > 0,
    },
  ]
  return (
    <dl className={classes.figures}>
      {rows.map(({ key, name, count, isBad = false }) => (
        <div key={key} className={isBad ? classes.refusedFigure : ''}>
          <dt>{name}</dt>
          <dd>{format.count(count)}</dd>
        </div>
      ))}
    </dl>
  )
}

type Refusal = Preview['deliveries'][number]['refusals'][number]

/** Refused rows that are said here; a delivery shows all of its. */
const refusalsShownMax = 10

function Refusals({ preview }: { preview: Preview }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  return (
    <>
      {preview.deliveries
        .filter(({ refusals, state }) => refusals.length > 0 || state === 'unreadable')
        .map(({ artifact_id, idempotency_key, refusals, rows_refused, state, reason }) => (
          <div key={artifact_id ?? 'example'} className={classes.group}>
            {artifact_id !== null && (
              <p className="small">
                {t('preview.in')}{' '}
                <Link
                  to="/companies/$companyId/deliveries/$artifactId"
                  params={{ companyId: company_id, artifactId: artifact_id }}
                >
                  <bdi>{idempotency_key ?? artifact_id}</bdi>
                </Link>
              </p>
            )}
            {state === 'unreadable' && (
              <Note tone="red" title={t('unreadable')}>
                {reason}
              </Note>
            )}
            <ul className={classes.refusals}>
              {refusals.slice(0, refusalsShownMax).map((refusal) => (
                <li key={`${refusal.row} ${refusal.field}`} className={classes.refusal}>
                  <OneRefusal refusal={refusal} />
                </li>
              ))}
            </ul>
            <MoreRefused shown={refusals.slice(0, refusalsShownMax)} rows={rows_refused ?? 0} />
          </div>
        ))}
    </>
  )
}

/** Refused rows that are not told one by one. */
function MoreRefused({ shown, rows }: { shown: readonly Refusal[]; rows: number }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const count = rows - new Set(shown.map(({ row }) => row)).size
  return count > 0 && <p className="small">{t('preview.more', { count, rows: format.count(count) })}</p>
}

/** Where it is, what stands there, and what to send. */
function OneRefusal({ refusal: { row, field, code, value, suggestion } }: { refusal: Refusal }): ReactNode {
  const { t } = useTranslation('sources')
  return (
    <>
      <b>
        {field === undefined
          ? t('preview.row', { row })
          : t('preview.rowField', { row, field: isolate(field) })}
      </b>
      {value !== null && <code>{value}</code>}
      <span className="small">
        {t(`refusal.${code}`)}
        {suggestion !== null && (
          <>
            {' '}
            {t('preview.send')} <code>{suggestion}</code>
          </>
        )}
      </span>
    </>
  )
}
