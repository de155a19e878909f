import { useTranslation } from 'react-i18next'
import type { Member } from './members-query.ts'

/** A member's name, or the label of their invitation. */
export function useMemberName(): (member: Pick<Member, 'name' | 'label'>) => string {
  const { t } = useTranslation('members')
  return ({ name, label }) => name ?? label ?? t('nameless')
}
