import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import { useLinks } from '../../company/use-links.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import type { Preview, StepProps } from './form-state.ts'
import { PreviewRows } from './preview-rows.tsx'
import classes from './source-form.module.css'
import { usePreview } from './use-preview.ts'

type AsIfSentProps = Pick<StepProps, 'sourceId' | 'draft'> & { artifactId: string }

/** How many rows of a stored delivery would be refused if it were sent with the draft, compared with those that were. */
export function AsIfSent({ artifactId, sourceId, draft }: AsIfSentProps) {
  const { t } = useTranslation('sources')
  const links = useLinks()
  const { query, isIncomplete, isPartial } = usePreview({ sourceId, draft }, { artifactId })
  const { data: preview, error } = query
  const key = preview?.deliveries[0]?.idempotency_key
  const isStale = query.isPlaceholderData || isIncomplete
  return (
    <Card>
      <Section
        title={t('asIfSent.title')}
        line={t('asIfSent.line')}
        actions={
          <Link {...links.delivery(artifactId)}>
            <bdi>{key ?? t('asIfSent.delivery')}</bdi>
          </Link>
        }
      >
        {isIncomplete && <p className="quiet">{t('preview.incomplete')}</p>}
        {isPartial && <p className="small">{t('asIfSent.partial')}</p>}
        {error !== null && (
          <Failure error={error} title={t('preview.failed')} onRetry={() => void query.refetch()} />
        )}
        {query.isLoading && <Skeleton blocks={[{ width: 'wide', height: 72 }]} />}
        {preview !== undefined && (
          <div
            className={`${classes.group} ${isStale ? classes.stale : ''}`}
            aria-busy={query.isFetching}
            aria-live="polite"
          >
            <Compared compared={preview.compared} />
            <p className="small">
              {t(draft.delivers === 'statements' ? 'asIfSent.statements' : 'asIfSent.events')}
            </p>
          </div>
        )}
      </Section>
      {preview !== undefined && (preview.compared === null || preview.rows_refused > 0) && (
        <details className={classes.remaining}>
          <summary>{t('asIfSent.remaining')}</summary>
          <PreviewRows preview={preview} />
        </details>
      )}
    </Card>
  )
}

/** Rows refused as sent and in the preview, and how many change sides. */
function Compared({ compared }: { compared: Preview['compared'] }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  if (compared === null) return <p className={classes.fault}>{t('unreadable')}</p>
  const { rows_refused: then, rows_newly_accepted: accepted, rows_newly_refused: refused } = compared
  const now = then - accepted + refused
  return (
    <>
      <dl className={`${classes.figures} ${classes.compared}`}>
        <div>
          <dt>{t('asIfSent.asSent')}</dt>
          <dd>{format.count(then)}</dd>
        </div>
        <div className={now > 0 ? classes.fault : ''}>
          <dt>{t('asIfSent.inPreview')}</dt>
          <dd>{format.count(now)}</dd>
        </div>
      </dl>
      <p>
        {accepted === 0
          ? t('asIfSent.noneAccepted')
          : t('asIfSent.accepted', { count: accepted, rows: format.count(accepted) })}{' '}
        {refused > 0 && (
          <b className={classes.fault}>
            {t('asIfSent.refused', { count: refused, rows: format.count(refused) })}
          </b>
        )}
      </p>
    </>
  )
}
