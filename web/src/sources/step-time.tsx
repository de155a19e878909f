import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Radio } from '../ui/check.tsx'
import { ChoiceGroup } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import type { StepProps } from './form-state.ts'
import classes from './source-form.module.css'
import { StepHeading } from './step-heading.tsx'

/** From which field each row's day is read. */
export function TimeStep({ draft, change, faultOf, example, onStep }: StepProps) {
  const { t } = useTranslation('sources')
  const times = draft.fields.filter(({ type, name }) => type === 'timestamp' && name !== '')
  return (
    <div className={classes.narrow}>
      <Card>
        <Section title={<StepHeading>{t('steps.time')}</StepHeading>}>
          <p className="quiet">{t('time.text')}</p>
          {times.length === 0 ? (
            <div id="event_time" tabIndex={-1}>
              <Note
                tone="amber"
                icon="warning"
                title={t('time.none')}
                action={
                  <Button small onClick={() => onStep('fields')}>
                    {t('time.toFields')}
                  </Button>
                }
              >
                {t('time.noneText')}
              </Note>
            </div>
          ) : (
            <ChoiceGroup id="event_time" label={t('time.label')} error={faultOf('event_time')}>
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
          <p className="small">{t('time.forms')}</p>
        </Section>
      </Card>
    </div>
  )
}
