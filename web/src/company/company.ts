import { createContext, use } from 'react'
import type { Session } from '../session/use-session.ts'

/** The company of the address, and who the member is there. */
export type Company = Session['companies'][number]
export type Role = Company['role']

export const CompanyContext = createContext<Company | undefined>(undefined)

/** The company of the address. Only on its pages. */
export function useCompany(): Company {
  const company = use(CompanyContext)
  if (company === undefined) throw new Error('this page is no company’s')
  return company
}

const rank: Record<Role, number> = { reader: 0, developer: 1, owner: 2 }

/** Whether a role may do what the needed one may: each may what those below it may. */
export function may(role: Role, needed: Role): boolean {
  return rank[role] >= rank[needed]
}
