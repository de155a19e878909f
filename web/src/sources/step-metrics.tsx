import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKnownMetrics } from '../company/use-known-metrics.ts'
import { isolate } from '../language/isolate.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Menu, MenuItem } from '../ui/popover.tsx'
import { Section } from '../ui/section.tsx'
import { addMetric, changeMetric, type DraftMetric, metricOf } from './draft.ts'
import { focusLater } from './focus-later.ts'
import type { StepProps } from './form-state.ts'
import { MetricEditor } from './metric-editor.tsx'
import { MetricSentence } from './metric-sentence.tsx'
import { PreviewPanel } from './preview-panel.tsx'
import classes from './source-form.module.css'
import { StepHeading } from './step-heading.tsx'

const addMetricId = 'metrics-add'

/** What is counted, each with its sentence, and beside it what that would give. */
export function MetricsStep(props: StepProps) {
  const { draft, change, faultOf } = props
  const { t } = useTranslation('sources')
  const known = useKnownMetrics()
  const [opened, setOpened] = useState<number>()
  // One with something to mend is open; else the one that was opened, or the first.
  const open = draft.metrics.some(({ id }) => id === opened) ? opened : draft.metrics[0]?.id
  const isFull = known.every(({ key }) => draft.metrics.some(({ metric }) => metric === key))
  return (
    <div className={classes.sides}>
      <div className={classes.side}>
        {draft.metrics.length === 0 && <NoMetrics />}
        {draft.metrics.map((metric, index) => (
          <MetricCard
            key={metric.id}
            metric={metric}
            index={index}
            isOpen={metric.id === open || hasFault(metric, index, faultOf)}
            onOpen={() => {
              setOpened(metric.id)
              focusLater(`metrics[${index}].metric`)
            }}
            props={props}
          />
        ))}
        <div>
          <Button
            id={addMetricId}
            variant="quiet"
            icon="plus"
            small
            disabled={isFull}
            onClick={() => {
              setOpened(draft.next)
              change((draft) => addMetric(draft, known))
              focusLater(`metrics[${draft.metrics.length}].metric`)
            }}
          >
            {t('metrics.add')}
          </Button>
          {isFull && known.length > 0 && <p className="small">{t('metrics.full')}</p>}
        </div>
      </div>
      <PreviewPanel {...props} />
    </div>
  )
}

function hasFault(metric: DraftMetric, index: number, faultOf: StepProps['faultOf']): boolean {
  const parts = ['metric', 'aggregation', 'field', 'times', 'group_by', 'period']
  const filters = metric.filters.flatMap((_filter, at) => [`filters[${at}].field`, `filters[${at}].value`])
  return [...parts, ...filters].some((part) => faultOf(`metrics[${index}].${part}`) !== undefined)
}

function NoMetrics() {
  const { t } = useTranslation('sources')
  return (
    <Card>
      <Section title={<StepHeading>{t('metrics.none')}</StepHeading>}>
        <p className="quiet">{t('metrics.noneText')}</p>
      </Section>
    </Card>
  )
}

function MetricCard({
  metric,
  index,
  isOpen,
  onOpen,
  props,
}: {
  metric: DraftMetric
  index: number
  isOpen: boolean
  onOpen: () => void
  props: StepProps
}) {
  const { t } = useTranslation('sources')
  const { draft, change } = props
  const known = useKnownMetrics()
  const name = known.find(({ key }) => key === metric.metric)?.name ?? metric.metric
  const sentence = <MetricSentence metric={metricOf(metric)} eventTime={draft.event_time} />
  const title = index === 0 ? <StepHeading>{name}</StepHeading> : name
  if (!isOpen) {
    return (
      <Card>
        <Section
          title={title}
          line={sentence}
          actions={
            <Button small onClick={onOpen}>
              {t('metrics.open')}
            </Button>
          }
        />
      </Card>
    )
  }
  return (
    <Card>
      <Section
        title={title}
        actions={
          <Menu label={t('actionsOf', { source: isolate(name) })}>
            <MenuItem
              icon="close"
              danger
              onClick={() => {
                change((draft) => ({ ...draft, metrics: draft.metrics.filter(({ id }) => id !== metric.id) }))
                focusLater(addMetricId)
              }}
            >
              {t('metrics.remove')}
            </MenuItem>
          </Menu>
        }
      >
        <p className={classes.sentence}>{sentence}</p>
      </Section>
      <Section>
        <MetricEditor
          metric={metric}
          at={`metrics[${index}]`}
          set={(given) => change((draft) => changeMetric(draft, metric.id, given))}
          props={props}
        />
      </Section>
    </Card>
  )
}
