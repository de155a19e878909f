import { useTranslation } from 'react-i18next'
import type { Role } from '../company/company.ts'
import { Radio } from '../ui/controls/check.tsx'
import { ChoiceGroup } from '../ui/controls/field.tsx'

const roles: readonly Role[] = ['reader', 'developer', 'owner']

/** The roles, each with what it allows. */
export function RoleChoice({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const { t } = useTranslation(['members', 'translation'])
  return (
    <ChoiceGroup label={t('invite.role')}>
      {roles.map((each) => (
        <Radio
          key={each}
          name="role"
          label={t(`translation:role.${each}`)}
          hint={t(`roleHint.${each}`)}
          checked={role === each}
          onChoose={() => onChange(each)}
        />
      ))}
    </ChoiceGroup>
  )
}
