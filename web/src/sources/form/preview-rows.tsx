import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Remarks, sumRemarks } from '../../company/remarks.tsx'
import { useFormat } from '../../company/use-format.ts'
import { useMetricName } from '../../company/use-known-metrics.ts'
import { useLinks } from '../../company/use-links.ts'
import { isolate } from '../../language/isolate.ts'
import { Note } from '../../ui/feedback/note.tsx'
import { Section } from '../../ui/layout/section.tsx'
import type { Preview } from './form-state.ts'
import classes from './source-form.module.css'

type Delivery = Preview['deliveries'][number]
type Refusal = Delivery['refusals'][number]

/** How many rows were read, left out and refused, and the refused ones. */
export function PreviewRows({ preview }: { preview: Preview }) {
  const refused = preview.deliveries.filter(
    ({ refusals, state }) => refusals.length > 0 || state === 'unreadable',
  )
  return (
    <div className={classes.rowsRead}>
      <Section>
        <Counts preview={preview} />
        <Remarks remarks={sumRemarks(preview.deliveries)} />
      </Section>
      {refused.length > 0 && (
        <Section>
          {refused.map((delivery) => (
            <Refusals key={delivery.artifact_id ?? 'example'} delivery={delivery} />
          ))}
        </Section>
      )}
    </div>
  )
}

function Counts({ preview: { metrics, rows_read, rows_refused } }: { preview: Preview }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const nameMetric = useMetricName()
  const leftOut = metrics.filter(({ rows_left_out }) => rows_left_out > 0)
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('preview.read')}</dt>
        <dd>{format.count(rows_read)}</dd>
      </div>
      {leftOut.map(({ metric, rows_left_out }) => (
        <div key={metric}>
          <dt>
            {metrics.length > 1
              ? t('preview.leftOutOf', { metric: nameMetric(metric) })
              : t('preview.leftOut')}
          </dt>
          <dd>{format.count(rows_left_out)}</dd>
        </div>
      ))}
      <div className={rows_refused > 0 ? classes.fault : ''}>
        <dt>{t('preview.refused')}</dt>
        <dd>{format.count(rows_refused)}</dd>
      </div>
    </dl>
  )
}

/** The most refused rows that are shown; the delivery's own page shows all. */
const refusalsShownMax = 10

function Refusals({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const links = useLinks()
  const { artifact_id, idempotency_key, rows_refused, state, reason } = delivery
  const shown = delivery.refusals.slice(0, refusalsShownMax)
  const count = (rows_refused ?? 0) - new Set(shown.map(({ row }) => row)).size
  return (
    <div className={classes.group}>
      {artifact_id !== null && (
        <p className="small">
          {t('preview.in')}{' '}
          <Link {...links.delivery(artifact_id)}>
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
        {shown.map((refusal) => (
          <RefusedRow key={`${refusal.row} ${refusal.field}`} refusal={refusal} />
        ))}
      </ul>
      {count > 0 && <p className="small">{t('preview.more', { count, rows: format.count(count) })}</p>}
    </div>
  )
}

/** The row and field, the value, and what to send. */
function RefusedRow({ refusal: { row, field, code, value, suggestion } }: { refusal: Refusal }) {
  const { t } = useTranslation('sources')
  const place =
    field === undefined ? t('preview.row', { row }) : t('preview.rowField', { row, field: isolate(field) })
  return (
    <li className={classes.refusal}>
      <b>{place}</b>
      {value !== null && <code>{value}</code>}
      <span className="small">
        {t(`refusal.${code}`)} {suggestion !== null && t('preview.send')}{' '}
        {suggestion !== null && <code>{suggestion}</code>}
      </span>
    </li>
  )
}
