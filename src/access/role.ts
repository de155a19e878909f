/** What a member of a company may do [roles]: each role includes the ones below it. */
export const roles = ['owner', 'developer', 'reader'] as const
export type Role = (typeof roles)[number]

const rank: Record<Role, number> = { reader: 1, developer: 2, owner: 3 }

export function roleCovers(held: Role, needed: Role): boolean {
  return rank[held] >= rank[needed]
}
