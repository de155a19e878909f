import { createContext, use } from 'react'
import type { Session } from '../session/use-session.ts'

/** The company of the address, and the member's role in it. */
export type Company = Session['companies'][number]
export type Role = Company['role']

export const CompanyContext = createContext<Company | undefined>(undefined)

/** @throws Error on pages that belong to no company */
export function useCompany(): Company {
  const company = use(CompanyContext)
  if (company === undefined) throw new Error('this page belongs to no company')
  return company
}

const rank: Record<Role, number> = { reader: 0, developer: 1, owner: 2 }

/** Whether a role includes the needed one. */
export function may(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed]
}
