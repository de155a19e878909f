import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { Radio } from '../../ui/controls/check.tsx'
import { ChoiceGroup } from '../../ui/controls/field.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import type { StepProps } from './form-state.ts'
import { StepCard } from './step-card.tsx'

/** The field from which each row's day is read. */
export function TimeStep({ draft, change, getFault, example, onStep }: StepProps) {
  const { t } = useTranslation('sources')
  const times = draft.fields.filter(({ type, name }) => type === 'timestamp' && name !== '')
  const toFields = (
    <Button small onClick={() => onStep('fields')}>
      {t('time.toFields')}
    </Button>
  )
  return (
    <StepCard title={t('steps.time')}>
      <p className="quiet">{t('time.text')}</p>
      {times.length === 0 ? (
        <div id="event_time" tabIndex={-1}>
          <Note tone="amber" icon="warning" title={t('time.none')} action={toFields}>
            {t('time.noneText')}
          </Note>
        </div>
      ) : (
        <ChoiceGroup id="event_time" label={t('time.label')} error={getFault('event_time')}>
          {times.map(({ id, name }) => {
            const seen = example?.read.fields.find((field) => field.name === name)?.examples[0]
            return (
              <Radio
                key={id}
                name="event_time"
                label={<code>{name}</code>}
                {...(seen !== undefined && { hint: t('time.seen', { value: seen }) })}
                checked={draft.event_time === name}
                onChoose={() => change((draft) => ({ ...draft, event_time: name }))}
              />
            )
          })}
        </ChoiceGroup>
      )}
      <p className="small">{t('time.formats')}</p>
    </StepCard>
  )
}
