import { may, type Role } from '../company/company.ts'
import { type RawSearch, readText } from '../ui/search-params.ts'
import type { IconName } from '../ui/display/icon.tsx'

type SectionName = 'reports' | 'attention' | 'sources' | 'connections' | 'deliveries' | 'members'

/** A part of a company's pages, and the role that it needs. */
interface CompanySection {
  name: SectionName
  to: `/companies/$companyId/${SectionName}`
  icon: IconName
  needs: Role
  /** Opens it, after `g`. */
  letter: string
}

const companySections: readonly CompanySection[] = [
  { name: 'reports', to: '/companies/$companyId/reports', icon: 'reports', needs: 'reader', letter: 'r' },
  {
    name: 'attention',
    to: '/companies/$companyId/attention',
    icon: 'warning',
    needs: 'reader',
    letter: 'a',
  },
  { name: 'sources', to: '/companies/$companyId/sources', icon: 'source', needs: 'developer', letter: 's' },
  {
    name: 'connections',
    to: '/companies/$companyId/connections',
    icon: 'connection',
    needs: 'developer',
    letter: 'c',
  },
  {
    name: 'deliveries',
    to: '/companies/$companyId/deliveries',
    icon: 'delivery',
    needs: 'developer',
    letter: 'd',
  },
  { name: 'members', to: '/companies/$companyId/members', icon: 'members', needs: 'owner', letter: 'm' },
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

/** The query of the member's own pages: the company they came from, whose parts stay in the side. */
export interface OwnSearch {
  company?: string | undefined
}

export function parseOwnSearch(search: RawSearch): OwnSearch {
  return { company: readText(search, 'company') }
}
