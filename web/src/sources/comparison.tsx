import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMetricName } from '../company/use-known-metrics.ts'
import { Card } from '../ui/layout/card.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Toggle } from '../ui/controls/segmented.tsx'
import kit from '../ui/display/table.module.css'
import { compareSources, type Difference, type Setting, type Side } from './compare-sources.ts'
import classes from './comparison.module.css'
import type { Field, Metric, Source } from './declaration.ts'
import { MetricSentence } from '../company/metric-sentence.tsx'

interface ComparisonProps {
  title: string
  left: Side
  right: Side
  leftHead: string
  rightHead: string
}

/** Two sides of a source, with their differences marked. */
export function Comparison({ title, left, right, leftHead, rightHead }: ComparisonProps) {
  const { t } = useTranslation('sources')
  const [showsAll, setShowsAll] = useState(false)
  const all = compareSources(left, right)
  const changed = all.filter((row) => row.changed)
  const rows = showsAll ? all : changed
  const toContents = useContents()
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
      >
        {rows.length === 0 && <p className="quiet">{t('compare.same')}</p>}
      </Section>
      {rows.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys
        <section className={`${kit.scroll} ${classes.scroll}`} tabIndex={0} aria-label={title}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('compare.what')}</th>
                <th scope="col">{leftHead}</th>
                <th scope="col">{rightHead}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const [head, before, after] = toContents(row, left, right)
                return (
                  <tr
                    key={'name' in row ? `${row.what} ${row.name}` : row.what}
                    className={row.changed ? classes.changed : ''}
                  >
                    <th scope="row">
                      {head} {row.changed && <span className="unseen">{t('compare.changed')}</span>}
                    </th>
                    <td>{before}</td>
                    <td>{after}</td>
                  </tr>
                )
              })}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}

const heads = {
  name: 'form.name',
  system_kind: 'form.kind',
  channel: 'form.channel',
  format: 'form.format',
  delivers: 'deliversHead',
  event_time: 'eventTime',
} as const satisfies Record<Setting, string>

/** The head of a row, its left side and its right side. */
function useContents(): (row: Difference, left: Side, right: Side) => ReactNode[] {
  const { t } = useTranslation('sources')
  const nameMetric = useMetricName()
  const none = <span className="quiet">{t('compare.none')}</span>
  const field = (side: Field | undefined): ReactNode =>
    side === undefined ? none : `${t(`types.${side.type}`)}${side.personal ? `, ${t('isPersonal')}` : ''}`
  const metric = (side: Metric | undefined, eventTime: string): ReactNode =>
    side === undefined ? none : <MetricSentence metric={side} eventTime={eventTime} />
  const setting = (what: Setting, value: string | null): ReactNode => {
    if (what === 'event_time') return <code>{value}</code>
    if (what === 'name' || what === 'system_kind') return <bdi>{value}</bdi>
    if (what !== 'format') return t(value as Source['channel' | 'delivers'])
    return value === null ? t('form.found') : t(`format.${value as NonNullable<Source['format']>}`)
  }
  return (row, left, right) => {
    if (row.what === 'field') return [<code key="">{row.name}</code>, field(row.left), field(row.right)]
    if (row.what === 'metric') {
      const sides = [metric(row.left, left.event_time), metric(row.right, right.event_time)]
      return [nameMetric(row.name), ...sides]
    }
    return [t(heads[row.what]), setting(row.what, row.left), setting(row.what, row.right)]
  }
}
