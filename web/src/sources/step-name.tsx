import { useTranslation } from 'react-i18next'
import { Card } from '../ui/card.tsx'
import { TextField } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import type { StepProps } from './form-state.ts'
import classes from './source-form.module.css'
import { StepHeading } from './step-heading.tsx'

/** What the source is called, and what kind of system it is. */
export function NameStep({ draft, change, faultOf }: StepProps) {
  const { t } = useTranslation('sources')
  return (
    <div className={classes.narrow}>
      <Card>
        <Section title={<StepHeading>{t('form.nameTitle')}</StepHeading>}>
          <TextField
            id="name"
            label={t('form.name')}
            hint={t('form.nameHint')}
            error={faultOf('name')}
            value={draft.name}
            onChange={(name) => change((draft) => ({ ...draft, name }))}
          />
          <TextField
            id="system_kind"
            label={t('form.kind')}
            hint={t('form.kindHint')}
            error={faultOf('system_kind')}
            value={draft.system_kind}
            onChange={(system_kind) => change((draft) => ({ ...draft, system_kind }))}
          />
        </Section>
      </Card>
    </div>
  )
}
