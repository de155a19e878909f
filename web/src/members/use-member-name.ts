import { useTranslation } from 'react-i18next'
import type { Member } from './members-query.ts'

/** What a member is called: by their name, or by what whoever invited them calls them. */
export function useMemberName(): (member: Pick<Member, 'name' | 'label'>) => string {
  const { t } = useTranslation('members')
  return ({ name, label }) => name ?? label ?? t('nobody')
}
