import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import type { Source } from '../../company/lists.ts'
import { isolate } from '../../language/isolate.ts'
import { useMember } from '../../session/member.ts'
import { Check, Radio } from '../../ui/controls/check.tsx'
import { ChoiceGroup } from '../../ui/controls/field.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { SelectField } from '../../ui/controls/select.tsx'
import { type Draft, furtherChoices, type Permission, unbound } from './new-connection.ts'

interface DraftProps {
  draft: Draft
  onChange: (changed: Partial<Draft>) => void
}

interface FieldProps extends DraftProps {
  id: string
  error: string | undefined
}

/** In the order in which they are shown and signed. */
const permissions: readonly Permission[] = ['sources.ingest', 'metrics.read']

export function PermissionField({ id, draft, error, onChange }: FieldProps) {
  const { t } = useTranslation('connections')
  return (
    <ChoiceGroup id={id} label={t('form.may')} error={error}>
      {permissions.map((permission) => (
        <Check
          key={permission}
          label={t(permission === 'sources.ingest' ? 'send' : 'read')}
          hint={t(permission === 'sources.ingest' ? 'form.sendHint' : 'form.readHint')}
          checked={draft.permissions.includes(permission)}
          onChange={(checked) =>
            onChange({
              permissions: permissions.filter((other) =>
                other === permission ? checked : draft.permissions.includes(other),
              ),
            })
          }
        />
      ))}
    </ChoiceGroup>
  )
}

/** The source that the connection is bound to, or none. */
export function SourceField({ id, sources, draft, error, onChange }: FieldProps & { sources: Source[] }) {
  const { t } = useTranslation('connections')
  const chosen = sources.find(({ source_id }) => source_id === draft.source)
  return (
    <>
      <SelectField
        id={id}
        label={t('form.source')}
        hint={t('form.sourceHint')}
        error={error}
        value={draft.source}
        options={[
          { value: '', label: t('form.choose') },
          ...sources.map(({ source_id, name }) => ({ value: source_id, label: name })),
          { value: unbound, label: t('form.unbound') },
        ]}
        onChange={(source) => onChange({ source })}
      />
      {chosen?.channel === 'webhook' && draft.permissions.includes('sources.ingest') && (
        <Note tone="amber" icon="warning" role="status">
          {isolate(chosen.name)} {t('form.webhook')}.
        </Note>
      )}
    </>
  )
}

/** More companies, for a connection that is bound to no source. */
export function FurtherCompanies({ draft, onChange }: DraftProps) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const choices = furtherChoices(useMember().companies, company_id)
  if (draft.source !== unbound || choices.length === 0) return null
  return (
    <ChoiceGroup label={t('form.further')} hint={t('form.furtherHint')}>
      {choices.map(({ company_id: id, name, orgnr }) => (
        <Check
          key={id}
          label={<bdi>{name}</bdi>}
          hint={orgnr}
          checked={draft.further.includes(id)}
          onChange={(checked) =>
            onChange({
              further: choices
                .map((other) => other.company_id)
                .filter((other) => (other === id ? checked : draft.further.includes(other))),
            })
          }
        />
      ))}
    </ChoiceGroup>
  )
}

/** @param props.expected the kind that the page that led here needs */
export function KindField({
  expected,
  draft,
  onChange,
}: DraftProps & { expected: Draft['kind'] | undefined }) {
  const { t } = useTranslation('connections')
  return (
    <ChoiceGroup label={t('form.kind')}>
      {(['production', 'sandbox'] as const).map((kind) => (
        <Radio
          key={kind}
          name="kind"
          label={t(`form.${kind}`)}
          hint={t(`form.${kind}Hint`)}
          checked={draft.kind === kind}
          onChoose={() => onChange({ kind })}
        />
      ))}
      {expected !== undefined && expected !== draft.kind && (
        <Note tone="amber" icon="warning" role="status">
          {t(expected === 'sandbox' ? 'form.cameForSandbox' : 'form.cameForProduction')}
        </Note>
      )}
    </ChoiceGroup>
  )
}

export function CredentialField({ draft, onChange }: DraftProps) {
  const { t } = useTranslation('connections')
  return (
    <ChoiceGroup label={t('form.credential')}>
      {(['client', 'static'] as const).map((credential) => (
        <Radio
          key={credential}
          name="credential"
          label={t(credential)}
          hint={t(`form.${credential}Hint`)}
          checked={draft.credential === credential}
          onChoose={() => onChange({ credential })}
        />
      ))}
    </ChoiceGroup>
  )
}
