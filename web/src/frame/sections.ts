import { may, type Role } from '../company/company.ts'
import type { IconName } from '../ui/display/icon.tsx'

type SectionName = 'reports' | 'attention' | 'sources' | 'connections' | 'deliveries' | 'members'

/** A part of a company's pages, and the role that it needs. */
interface CompanySection {
  name: SectionName
  to: `/companies/$companyId/${SectionName}`
  icon: IconName
  needs: Role
}

const companySections: readonly CompanySection[] = [
  { name: 'reports', to: '/companies/$companyId/reports', icon: 'reports', needs: 'reader' },
  { name: 'attention', to: '/companies/$companyId/attention', icon: 'warning', needs: 'reader' },
  { name: 'sources', to: '/companies/$companyId/sources', icon: 'source', needs: 'developer' },
  { name: 'connections', to: '/companies/$companyId/connections', icon: 'connection', needs: 'developer' },
  { name: 'deliveries', to: '/companies/$companyId/deliveries', icon: 'delivery', needs: 'developer' },
  { name: 'members', to: '/companies/$companyId/members', icon: 'members', needs: 'owner' },
]

/** The parts that a role can open. */
export function sectionsFor(role: Role): readonly CompanySection[] {
  return companySections.filter(({ needs }) => may(role, needs))
}

/** The part that an address belongs to; undefined outside of a company's pages. */
export function sectionAt(pathname: string): CompanySection | undefined {
  const name = /^\/companies\/[^/]+\/([^/]+)/.exec(pathname)?.[1]
  return companySections.find((section) => section.name === name)
}

/** The member's own pages. */
export const ownPages = [
  { name: 'apps', to: '/apps', icon: 'apps' },
  { name: 'signatures', to: '/signatures', icon: 'signature' },
  { name: 'sessions', to: '/sessions', icon: 'device' },
] as const
