import { useTranslation } from 'react-i18next'
import { Check } from '../ui/check.tsx'
import type { Choice, Permission } from './choice.ts'

/** What the app may see: each can be unticked. */
export function PermissionChoice({
  requested,
  choice,
  onChoose,
}: {
  requested: Permission[]
  choice: Choice
  onChoose: (choice: Choice) => void
}) {
  const { t } = useTranslation(['consent', 'translation'])
  return requested.map((permission) => (
    <Check
      key={permission}
      label={t(`translation:permission.${permission}.name`)}
      hint={t(`translation:permission.${permission}.what`)}
      checked={choice.permissions.includes(permission)}
      onChange={(checked) =>
        onChoose({
          ...choice,
          // In the order in which they are shown, whatever the order of the ticks.
          permissions: requested.filter((other) =>
            other === permission ? checked : choice.permissions.includes(other),
          ),
        })
      }
    />
  ))
}
