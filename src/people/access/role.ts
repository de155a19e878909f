/** What a member of a company may do [roles]: each role includes the ones after it. */
export const roles = ['owner', 'developer', 'reader'] as const
export type Role = (typeof roles)[number]

export function roleCovers(actual: Role, needed: Role): boolean {
  return roles.indexOf(actual) <= roles.indexOf(needed)
}
