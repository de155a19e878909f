import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/controls/field.tsx'
import type { StepProps } from './form-state.ts'
import { StepCard } from './step-card.tsx'

/** The source's name and its kind of system. */
export function NameStep({ draft, change, getFault }: StepProps) {
  const { t } = useTranslation('sources')
  return (
    <StepCard title={t('form.nameTitle')}>
      <TextField
        id="name"
        label={t('form.name')}
        hint={t('form.nameHint')}
        error={getFault('name')}
        value={draft.name}
        onChange={(name) => change((draft) => ({ ...draft, name }))}
      />
      <TextField
        id="system_kind"
        label={t('form.kind')}
        hint={t('form.kindHint')}
        error={getFault('system_kind')}
        value={draft.system_kind}
        onChange={(system_kind) => change((draft) => ({ ...draft, system_kind }))}
      />
    </StepCard>
  )
}
