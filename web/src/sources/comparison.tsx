import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKnownMetrics } from '../company/use-known-metrics.ts'
import { Card } from '../ui/card.tsx'
import { Section } from '../ui/section.tsx'
import { Toggle } from '../ui/segmented.tsx'
import { compareSources, type Difference, type Side } from './compare-sources.ts'
import classes from './comparison.module.css'
import type { Field, Metric } from './draft.ts'
import { MetricSentence } from './metric-sentence.tsx'

/** Two sides of a source beside each other; what differs is marked. */
export function Comparison({
  title,
  left,
  right,
  leftHead,
  rightHead,
}: {
  title: string
  left: Side
  right: Side
  leftHead: string
  rightHead: string
}) {
  const { t } = useTranslation('sources')
  const [showsAll, setShowsAll] = useState(false)
  const all = compareSources(left, right)
  const changed = all.filter((row) => row.changed)
  const rows = showsAll ? all : changed
  const contentOf = useContent()
  return (
    <Card>
      <Section
        title={title}
        line={t('compare.count', { count: changed.length })}
        actions={
          <Toggle pressed={showsAll} onToggle={setShowsAll}>
            {t('compare.all')}
          </Toggle>
        }
      />
      {rows.length === 0 ? (
        <p className={classes.same}>{t('compare.same')}</p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys
        <section className={classes.scroll} tabIndex={0} aria-label={title}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('compare.what')}</th>
                <th scope="col">{leftHead}</th>
                <th scope="col">{rightHead}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <ComparedRow key={keyOf(row)} row={row} contents={contentOf(row, left, right)} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}

function keyOf(row: Difference): string {
  return 'name' in row ? `${row.what} ${row.name}` : row.what
}

function ComparedRow({
  row,
  contents: [head, left, right],
}: {
  row: Difference
  contents: [ReactNode, ReactNode, ReactNode]
}) {
  const { t } = useTranslation('sources')
  const mark = row.changed && <span className="unseen">{t('compare.changed')}</span>
  return (
    <tr className={row.changed ? classes.changed : ''}>
      <th scope="row">
        {head} {mark}
      </th>
      <td>{left}</td>
      <td>{right}</td>
    </tr>
  )
}

/** What each row says: its head, its left side and its right side. */
function useContent() {
  const { t } = useTranslation('sources')
  const known = useKnownMetrics()
  const none = <span className="quiet">{t('compare.none')}</span>
  const field = (side: Field | undefined): ReactNode =>
    side === undefined ? none : `${t(`types.${side.type}`)}${side.personal ? `, ${t('isPersonal')}` : ''}`
  const metric = (side: Metric | undefined, eventTime: string): ReactNode =>
    side === undefined ? none : <MetricSentence metric={side} eventTime={eventTime} />
  return (row: Difference, left: Side, right: Side): [ReactNode, ReactNode, ReactNode] => {
    switch (row.what) {
      case 'field':
        return [<code key="">{row.name}</code>, field(row.left), field(row.right)]
      case 'metric':
        return [
          known.find(({ key }) => key === row.name)?.name ?? row.name,
          metric(row.left, left.event_time),
          metric(row.right, right.event_time),
        ]
      case 'event_time':
        return [t('eventTime'), <code key="">{row.left}</code>, <code key="">{row.right}</code>]
      case 'name':
        return [t('form.name'), <bdi key="">{row.left}</bdi>, <bdi key="">{row.right}</bdi>]
      case 'system_kind':
        return [t('form.kind'), <bdi key="">{row.left}</bdi>, <bdi key="">{row.right}</bdi>]
      case 'delivery_way':
        return [t('form.way'), t(row.left), t(row.right)]
      case 'delivers':
        return [t('deliversHead'), t(row.left), t(row.right)]
      case 'document_form':
        return [
          t('form.format'),
          row.left ? t(`format.${row.left}`) : t('form.found'),
          row.right ? t(`format.${row.right}`) : t('form.found'),
        ]
    }
  }
}
