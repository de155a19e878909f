import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import { useKnownMetrics, useMetricName } from '../../company/use-known-metrics.ts'
import { Segmented } from '../../ui/controls/segmented.tsx'
import type { Draft } from './draft.ts'
import type { Preview } from './form-state.ts'
import classes from './source-form.module.css'

/** The samples of one metric at a time, newest first. */
export function PreviewSamples({ preview, draft }: { preview: Preview; draft: Draft }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const known = useKnownMetrics()
  const nameMetric = useMetricName()
  const metrics = [...new Set(preview.samples.map(({ metric }) => metric))]
  const [wanted, setWanted] = useState<string>()
  const chosen = metrics.find((metric) => metric === wanted) ?? metrics[0]!
  const name = nameMetric(chosen)
  const unit = known.find(({ key }) => key === chosen)?.unit ?? 'count'
  const period = draft.metrics.find(({ metric }) => metric === chosen)?.period ?? 'day'
  const samples = preview.samples.filter(({ metric }) => metric === chosen)
  const labels = Object.keys(samples[0]?.labels ?? {})
  return (
    <>
      {metrics.length > 1 && (
        <Segmented
          label={t('metric.metric')}
          value={chosen}
          options={metrics.map((value) => ({ value, label: nameMetric(value) }))}
          onChange={setWanted}
        />
      )}
      <section
        className={classes.scroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys
        tabIndex={0}
        aria-label={t('preview.samples', { metric: name })}
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
              <th scope="col">{unit === 'count' ? name : `${name}, ${unit}`}</th>
            </tr>
          </thead>
          <tbody>
            {samples.map((sample) => (
              <tr key={`${sample.period_start} ${JSON.stringify(sample.labels)}`}>
                <td>{format.period(sample.period_start, period)}</td>
                {labels.map((label) => (
                  <td key={label} className={sample.labels[label] === '' ? 'quiet' : ''}>
                    <bdi>{sample.labels[label] || t('preview.noLabel')}</bdi>
                  </td>
                ))}
                <td>{format.figure(sample.value, unit)}</td>
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
