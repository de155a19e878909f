import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Check } from '../ui/check.tsx'
import { TextField } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { SelectField } from '../ui/select.tsx'
import { addFields, changeField, type Draft, type DraftField, fieldTypes } from './draft.ts'
import { ExampleSection } from './example-section.tsx'
import { focusLater } from './focus-later.ts'
import type { Example, StepProps } from './form-state.ts'
import classes from './source-form.module.css'

const addFieldId = 'fields-add'

/** What a delivery's rows have: typed in, or proposed from an example. */
export function FieldsStep(props: StepProps) {
  const { draft, change, faultOf, example } = props
  const { t } = useTranslation('sources')
  const fault = faultOf('fields')
  return (
    <>
      <Card>
        <ExampleSection {...props} />
      </Card>
      <Card>
        <Section title={t('fields')} line={t('fieldsForm.line')}>
          {fault !== undefined && (
            <p id="fields" tabIndex={-1} className={classes.refusedFigure}>
              {fault}
            </p>
          )}
          <ul className={classes.fields}>
            {draft.fields.map((field, index) => (
              <FieldRow
                key={field.id}
                field={field}
                index={index}
                change={change}
                isOnly={draft.fields.length === 1}
                fault={faultOf(`fields[${index}].name`)}
                example={example}
              />
            ))}
          </ul>
          <div>
            <Button
              id={addFieldId}
              variant="quiet"
              icon="plus"
              small
              onClick={() => {
                change((draft) => addFields(draft, [{ name: '', type: 'text', personal: false }]))
                focusLater(`fields[${draft.fields.length}].name`)
              }}
            >
              {t('fieldsForm.add')}
            </Button>
          </div>
          <p className="small">{t('fieldsForm.dropped')}</p>
        </Section>
      </Card>
    </>
  )
}

function FieldRow({
  field,
  index,
  isOnly,
  change,
  fault,
  example,
}: {
  field: DraftField
  index: number
  isOnly: boolean
  change: (change: (draft: Draft) => Draft) => void
  fault: string | undefined
  example: Example | undefined
}) {
  const { t } = useTranslation('sources')
  const { id, name, type, personal } = field
  const seen = example?.read.fields.find((read) => read.name === name)
  const set = (given: Parameters<typeof changeField>[2]): void =>
    change((draft) => changeField(draft, id, given))
  const guess = seen?.personal_guess
  return (
    <li className={classes.fieldRow}>
      <TextField
        id={`fields[${index}].name`}
        label={t('field')}
        error={fault}
        code
        value={name}
        onChange={(name) => set({ name })}
      />
      <SelectField
        id={`fields[${index}].type`}
        label={t('type')}
        value={type}
        options={fieldTypes.map((value) => ({ value, label: t(`types.${value}`) }))}
        onChange={(type) => set({ type })}
      />
      <span className={classes.tick}>
        <Check label={t('personal')} checked={personal} onChange={(personal) => set({ personal })} />
      </span>
      <IconButton
        icon="close"
        label={t('fieldsForm.remove', { name: name === '' ? String(index + 1) : isolate(name) })}
        onClick={() => {
          change((draft) => ({ ...draft, fields: draft.fields.filter((other) => other.id !== id) }))
          focusLater(isOnly ? addFieldId : `fields[${Math.max(0, index - 1)}].name`)
        }}
      />
      {seen !== undefined && (
        <div className={classes.seen}>
          {seen.examples.length > 0 &&
            t('fieldsForm.seen', { values: seen.examples.slice(0, 3).map(isolate).join(' · ') })}{' '}
          {guess != null && personal && t(`guess.${guess.by}`, { kind: t(`guess.kind.${guess.kind}`) })}
        </div>
      )}
    </li>
  )
}
