import { useLocation, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Company } from '../company/company.ts'
import type { Session } from '../session/use-session.ts'

/** The company of the address; on the member's own pages the one they came from, or their only one. */
export function useCurrentCompany({ companies }: Session): Company | undefined {
  const pathname = useLocation({ select: ({ pathname }) => pathname })
  const from = useSearch({ strict: false, select: ({ company }) => company })
  const id = /^\/companies\/([^/]+)/.exec(pathname)?.[1] ?? from
  const [last, setLast] = useState(id)
  if (id !== undefined && id !== last) setLast(id)
  const found = companies.find(({ company_id }) => company_id === last)
  return found ?? (companies.length === 1 ? companies[0] : undefined)
}
