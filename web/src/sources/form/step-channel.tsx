import { useTranslation } from 'react-i18next'
import { formatRules, formats } from '../../api/engine-rules.ts'
import { Radio } from '../../ui/controls/check.tsx'
import { ChoiceGroup } from '../../ui/controls/field.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { SelectField } from '../../ui/controls/select.tsx'
import type { Draft } from './draft.ts'
import type { StepProps } from './form-state.ts'
import { StepCard } from './step-card.tsx'

/** A webhook without a format means JSON. */
const choices = {
  push: ['', ...formats],
  webhook: ['', ...formats.filter((each) => each !== 'json' && formatRules[each].webhookMediaType !== null)],
} as const

/** How deliveries are sent, and their format. */
export function ChannelStep({ sourceId, draft, change, getFault }: StepProps) {
  const { t } = useTranslation('sources')
  const choose = (channel: Draft['channel']): void =>
    change((draft) => {
      const isKnown = choices[channel].includes(draft.format)
      return { ...draft, channel, format: isKnown ? draft.format : '' }
    })
  return (
    <StepCard title={t('steps.channel')}>
      <ChoiceGroup id="channel" label={t('form.channelLabel')} error={getFault('channel')}>
        {(['push', 'webhook'] as const).map((channel) => (
          <Radio
            key={channel}
            name="channel"
            label={t(channel)}
            hint={t(`form.channelHint.${channel}`)}
            checked={draft.channel === channel}
            onChoose={() => choose(channel)}
          />
        ))}
      </ChoiceGroup>
      {sourceId !== null && <Note tone="neutral">{t('form.channelChange')}</Note>}
      <SelectField
        id="format"
        label={t('form.format')}
        hint={t(draft.channel === 'push' ? 'form.formatHint' : 'form.formatHintWebhook')}
        error={getFault('format')}
        value={draft.format}
        options={choices[draft.channel].map((value) => ({
          value,
          label: value === '' ? t('form.found') : t(`format.${value}`),
        }))}
        onChange={(format) => change((draft) => ({ ...draft, format }))}
      />
    </StepCard>
  )
}
