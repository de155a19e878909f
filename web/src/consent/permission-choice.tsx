import { useTranslation } from 'react-i18next'
import { Check } from '../ui/controls/check.tsx'
import type { Choice, Permission } from './choice.ts'

/** What the app may read. */
export function PermissionChoice({
  requested,
  choice,
  onChoose,
}: {
  requested: Permission[]
  choice: Choice
  onChoose: (choice: Choice) => void
}) {
  const { t } = useTranslation()
  return requested.map((permission) => (
    <Check
      key={permission}
      label={t(`permission.${permission}.name`)}
      hint={t(`permission.${permission}.what`)}
      checked={choice.permissions.includes(permission)}
      onChange={(checked) =>
        onChoose({
          ...choice,
          // In the order in which they are shown.
          permissions: requested.filter((other) =>
            other === permission ? checked : choice.permissions.includes(other),
          ),
        })
      }
    />
  ))
}
