import { useTranslation } from 'react-i18next'
import { isolate } from '../../language/isolate.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Check } from '../../ui/controls/check.tsx'
import { TextField } from '../../ui/controls/field.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { SelectField } from '../../ui/controls/select.tsx'
import type { Field } from '../declaration.ts'
import { focusLater } from '../focus-later.ts'
import { addFields, changeField, type DraftField } from './draft.ts'
import { ExampleSection } from './example/example-section.tsx'
import type { StepProps } from './form-state.ts'
import classes from './source-form.module.css'

const addFieldId = 'fields-add'

/** The fields of a delivery's rows: typed, or proposed from an example. */
export function FieldsStep(props: StepProps) {
  const { draft, change, getFault } = props
  const { t } = useTranslation('sources')
  const fault = getFault('fields')
  const add = (): void => {
    change((draft) => addFields(draft, [{ name: '', type: 'text', personal: false }]))
    focusLater(`fields[${draft.fields.length}].name`)
  }
  return (
    <>
      <Card>
        <ExampleSection {...props} />
      </Card>
      <Card>
        <Section title={t('fields')} line={t('fieldsForm.line')}>
          {fault !== undefined && (
            <p id="fields" tabIndex={-1} className={classes.fault}>
              {fault}
            </p>
          )}
          <ul className={classes.fields}>
            {draft.fields.map((field, index) => (
              <FieldRow key={field.id} field={field} index={index} {...props} />
            ))}
          </ul>
          <div>
            <Button id={addFieldId} variant="quiet" icon="plus" small onClick={add}>
              {t('fieldsForm.add')}
            </Button>
          </div>
          <p className="small">{t('fieldsForm.dropped')}</p>
        </Section>
      </Card>
    </>
  )
}

const types: readonly Field['type'][] = ['timestamp', 'number', 'text', 'bool']

function FieldRow({
  field: { id, name, type, personal },
  index,
  draft,
  change,
  getFault,
  example,
}: StepProps & { field: DraftField; index: number }) {
  const { t } = useTranslation('sources')
  const seen = example?.read.fields.find((read) => read.name === name)
  const guess = personal ? seen?.personal_guess : undefined
  const set = (given: Partial<Field>): void => change((draft) => changeField(draft, id, given))
  const remove = (): void => {
    change((draft) => ({ ...draft, fields: draft.fields.filter((other) => other.id !== id) }))
    focusLater(draft.fields.length === 1 ? addFieldId : `fields[${Math.max(0, index - 1)}].name`)
  }
  const nameId = `fields[${index}].name`
  return (
    <li className={classes.fieldRow}>
      <TextField
        id={nameId}
        label={t('field')}
        error={getFault(nameId)}
        code
        value={name}
        onChange={(name) => set({ name })}
      />
      <SelectField
        id={`fields[${index}].type`}
        label={t('type')}
        value={type}
        options={types.map((value) => ({ value, label: t(`types.${value}`) }))}
        onChange={(type) => set({ type })}
      />
      <span className={classes.tick}>
        <Check label={t('personal')} checked={personal} onChange={(personal) => set({ personal })} />
      </span>
      <IconButton
        icon="close"
        label={t('fieldsForm.remove', { name: name === '' ? String(index + 1) : isolate(name) })}
        onClick={remove}
      />
      {seen !== undefined && (
        <div className={`small ${classes.seen}`}>
          {seen.examples.length > 0 &&
            t('fieldsForm.seen', { values: seen.examples.slice(0, 3).map(isolate).join(' · ') })}{' '}
          {guess && t(`guess.${guess.by}`, { kind: t(`guess.kind.${guess.kind}`) })}
        </div>
      )}
    </li>
  )
}
