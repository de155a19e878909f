import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { CompanyContext, may } from '../company/company.ts'
import { DeletionNotice } from './deletion-notice.tsx'
import { Notices } from './notices.tsx'
import { useMember } from '../session/member.ts'
import { ForeignCompany, RoleNeeded } from './problem.tsx'
import { sectionAt } from './sections.ts'

/** The pages of a company, for members whose role allows the part that the address names. */
export function CompanyFrame() {
  const { companyId } = useParams({ from: '/frame/companies/$companyId' })
  const pathname = useLocation({ select: ({ pathname }) => pathname })
  const company = useMember().companies.find(({ company_id }) => company_id === companyId)
  if (company === undefined) return <ForeignCompany key={companyId} />
  const needs = sectionAt(pathname)?.needs ?? 'reader'
  return (
    // The key resets the state of the pages for another company.
    <CompanyContext key={companyId} value={company}>
      <DeletionNotice company={company} />
      <Notices company={company} />
      {may(company.role, needs) ? <Outlet /> : <RoleNeeded key={pathname} company={company} needs={needs} />}
    </CompanyContext>
  )
}
