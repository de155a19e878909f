import { useTranslation } from 'react-i18next'
import { Card } from '../ui/card.tsx'
import { Radio } from '../ui/check.tsx'
import { ChoiceGroup } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { Section } from '../ui/section.tsx'
import { SelectField } from '../ui/select.tsx'
import type { Draft } from './draft.ts'
import type { StepProps } from './form-state.ts'
import classes from './source-form.module.css'
import { StepHeading } from './step-heading.tsx'

/** A webhook is JSON or CSV by what it says itself. */
const pushFormats = ['', 'json', 'json_lines', 'csv', 'sie'] as const
const webhookFormats = ['', 'csv'] as const

/** How deliveries come, and what they are written in. */
export function ChannelStep({ sourceId, draft, change, faultOf }: StepProps) {
  const { t } = useTranslation('sources')
  const choose = (delivery_way: Draft['delivery_way']): void =>
    change((draft) => ({
      ...draft,
      delivery_way,
      document_form: delivery_way === 'webhook' && draft.document_form !== 'csv' ? '' : draft.document_form,
    }))
  const formats = draft.delivery_way === 'push' ? pushFormats : webhookFormats
  return (
    <div className={classes.narrow}>
      <Card>
        <Section title={<StepHeading>{t('steps.channel')}</StepHeading>}>
          <ChoiceGroup id="delivery_way" label={t('form.wayLabel')} error={faultOf('delivery_way')}>
            {(['push', 'webhook'] as const).map((way) => (
              <Radio
                key={way}
                name="delivery_way"
                label={t(way)}
                hint={t(`form.wayHint.${way}`)}
                checked={draft.delivery_way === way}
                onChoose={() => choose(way)}
              />
            ))}
          </ChoiceGroup>
          {sourceId !== null && <Note tone="neutral">{t('form.wayChange')}</Note>}
          <SelectField
            id="document_form"
            label={t('form.format')}
            hint={t(draft.delivery_way === 'push' ? 'form.formatHint' : 'form.formatHintWebhook')}
            error={faultOf('document_form')}
            value={draft.document_form}
            options={formats.map((value) => ({
              value,
              label: value === '' ? t('form.found') : t(`format.${value}`),
            }))}
            onChange={(document_form) => change((draft) => ({ ...draft, document_form }))}
          />
        </Section>
      </Card>
    </div>
  )
}
