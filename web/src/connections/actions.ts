import type { Company } from '../company/company.ts'
import type { Connection } from '../company/lists.ts'

export type ConnectionAction = 'sign' | 'rotate' | 'revoke' | 'release' | 'successor'

/** What this member can do with a connection in this company, as far as the page knows. The service decides. */
export function possibleActions(
  { company, state, created_by, kind }: Connection,
  { company_id, role }: Pick<Company, 'company_id' | 'role'>,
  memberId: string,
): ReadonlySet<ConnectionAction> {
  const isOver = state === 'revoked' || state === 'expired'
  // A connection of another company: this company can only remove itself from it.
  if (company.company_id !== company_id) return new Set(role === 'owner' && !isOver ? ['release'] : [])
  return new Set<ConnectionAction>([
    ...(state === 'unsigned' && created_by?.member_id === memberId ? (['sign'] as const) : []),
    ...(state === 'signed' ? (['rotate'] as const) : []),
    ...(state !== 'unsigned' && kind !== 'demo' ? (['successor'] as const) : []),
    ...(isOver ? [] : (['revoke'] as const)),
  ])
}
