import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKnownMetrics, useMetricName } from '../../company/use-known-metrics.ts'
import { isolate } from '../../language/isolate.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Stack } from '../../ui/layout/page.tsx'
import { Menu, MenuItem } from '../../ui/overlays/popover.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { focusLater } from '../focus-later.ts'
import { MetricSentence } from '../../company/metric-sentence.tsx'
import { addMetric, type DraftMetric, toMetric } from './draft.ts'
import type { StepProps } from './form-state.ts'
import { MetricEditor } from './metric-editor.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import { type ProposedMetric, proposeMetrics } from './propose-metrics.ts'
import classes from './source-form.module.css'
import { StepHeading } from './step-card.tsx'

const addMetricId = 'metrics-add'

/** The metrics, each with its sentence, and a preview of their samples. */
export function MetricsStep(props: StepProps) {
  const { draft, change } = props
  const { t } = useTranslation('sources')
  const known = useKnownMetrics()
  const [opened, setOpened] = useState<number>()
  const open = draft.metrics.some(({ id }) => id === opened) ? opened : draft.metrics[0]?.id
  const free = proposeMetrics(draft, known)
  const proposed = free.filter(({ field }) => field !== '')
  const add = (metric: ProposedMetric): void => {
    setOpened(draft.next)
    change((draft) => addMetric(draft, metric))
    focusLater(`metrics[${draft.metrics.length}].metric`)
  }
  return (
    <div className={classes.sides}>
      <Stack>
        {draft.metrics.length === 0 && (
          <Card>
            <Section title={<StepHeading>{t('metrics.none')}</StepHeading>}>
              <p className="quiet">{t('metrics.noneText')}</p>
            </Section>
          </Card>
        )}
        {draft.metrics.map((metric, index) => (
          <MetricCard
            key={metric.id}
            metric={metric}
            index={index}
            isOpen={metric.id === open}
            onOpen={() => {
              setOpened(metric.id)
              focusLater(`metrics[${index}].metric`)
            }}
            {...props}
          />
        ))}
        {proposed.length > 0 && (
          <Card>
            <Section title={t('metrics.proposed')} line={t('metrics.proposedText')} />
            {proposed.map((metric) => (
              <Proposal
                key={metric.metric}
                metric={metric}
                eventTime={draft.event_time}
                onAdd={() => add(metric)}
              />
            ))}
          </Card>
        )}
        <div>
          <Button
            id={addMetricId}
            variant="quiet"
            icon="plus"
            small
            disabled={free.length === 0}
            onClick={() => add(free[0]!)}
          >
            {t('metrics.add')}
          </Button>
          {free.length === 0 && known.length > 0 && <p className="small">{t('metrics.full')}</p>}
        </div>
      </Stack>
      <PreviewPanel {...props} />
    </div>
  )
}

/** A metric that fits the fields, with a button that adds it. */
function Proposal({
  metric,
  eventTime,
  onAdd,
}: {
  metric: ProposedMetric
  eventTime: string
  onAdd: () => void
}) {
  const { t } = useTranslation('sources')
  const name = useMetricName()(metric.metric)
  return (
    <Section
      title={name}
      line={<MetricSentence metric={toMetric(metric)} eventTime={eventTime} />}
      actions={
        <Button small icon="plus" aria-label={t('metrics.addWhat', { metric: name })} onClick={onAdd}>
          {t('metrics.addShort')}
        </Button>
      }
    />
  )
}

function hasFault({ filters }: DraftMetric, at: string, getFault: StepProps['getFault']): boolean {
  const parts = ['metric', 'aggregation', 'field', 'times', 'group_by', 'period']
  const ofFilters = filters.flatMap((_filter, index) => [
    `filters[${index}].field`,
    `filters[${index}].value`,
  ])
  return [...parts, ...ofFilters].some((part) => getFault(`${at}.${part}`) !== undefined)
}

interface MetricCardProps extends StepProps {
  metric: DraftMetric
  index: number
  /** One with a fault is open too. */
  isOpen: boolean
  onOpen: () => void
}

function MetricCard({ metric, index, isOpen, onOpen, ...props }: MetricCardProps) {
  const { t } = useTranslation('sources')
  const { draft, change } = props
  const { id } = metric
  const at = `metrics[${index}]`
  const name = useMetricName()(metric.metric)
  const sentence = <MetricSentence metric={toMetric(metric)} eventTime={draft.event_time} />
  const title = index === 0 ? <StepHeading>{name}</StepHeading> : name
  const set = (given: Partial<DraftMetric>): void =>
    change((draft) => ({
      ...draft,
      metrics: draft.metrics.map((other) => (other.id === id ? { ...other, ...given } : other)),
    }))
  const remove = (): void => {
    change((draft) => ({ ...draft, metrics: draft.metrics.filter((other) => other.id !== id) }))
    focusLater(addMetricId)
  }
  if (!isOpen && !hasFault(metric, at, props.getFault)) {
    const open = (
      <Button small onClick={onOpen}>
        {t('metrics.open')}
      </Button>
    )
    return (
      <Card>
        <Section title={title} line={sentence} actions={open} />
      </Card>
    )
  }
  const menu = (
    <Menu label={t('actionsOf', { source: isolate(name) })}>
      <MenuItem icon="close" danger onClick={remove}>
        {t('metrics.remove')}
      </MenuItem>
    </Menu>
  )
  return (
    <Card>
      <Section title={title} actions={menu}>
        <p className={classes.sentence}>{sentence}</p>
      </Section>
      <Section>
        <MetricEditor metric={metric} at={at} set={set} {...props} />
      </Section>
    </Card>
  )
}
