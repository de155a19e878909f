import { may, type Role } from '../company/company.ts'
import type { IconName } from '../ui/icon.tsx'

export type SectionName = 'reports' | 'sources' | 'connections' | 'deliveries' | 'members'

/** A part of a company's pages, and the role that it needs. */
export interface CompanySection {
  name: SectionName
  to: `/companies/$companyId/${SectionName}`
  icon: IconName
  needs: Role
}

export const companySections: readonly CompanySection[] = [
  { name: 'reports', to: '/companies/$companyId/reports', icon: 'reports', needs: 'reader' },
  { name: 'sources', to: '/companies/$companyId/sources', icon: 'source', needs: 'developer' },
  { name: 'connections', to: '/companies/$companyId/connections', icon: 'connection', needs: 'developer' },
  { name: 'deliveries', to: '/companies/$companyId/deliveries', icon: 'delivery', needs: 'developer' },
  { name: 'members', to: '/companies/$companyId/members', icon: 'members', needs: 'owner' },
]

/** What a role may not open is not shown. */
export function sectionsOf(role: Role): readonly CompanySection[] {
  return companySections.filter(({ needs }) => may(role, needs))
}

/** The part that an address belongs to; undefined on a page of no company. */
export function sectionAt(pathname: string): CompanySection | undefined {
  const name = /^\/companies\/[^/]+\/([^/]+)/.exec(pathname)?.[1]
  return companySections.find((section) => section.name === name)
}

/** What belongs to the member and to no company. */
export const ownPages = [
  { name: 'apps', to: '/apps', icon: 'apps' },
  { name: 'signatures', to: '/signatures', icon: 'signature' },
  { name: 'sessions', to: '/sessions', icon: 'device' },
] as const
