import { defineStatement } from '../../platform/database/define-statement.ts'

export interface LookRow {
  looked_at: Date
  visited_at: Date | null
}

type LookParams = { companyId: string; memberId: string; sourceId: string; metric: string }

export const selectLook = defineStatement<LookRow, LookParams>(
  'looks.select',
  `select looked_at, visited_at from report_looks
   where company_id = $companyId::uuid and member_id = $memberId::uuid and source_id = $sourceId::uuid
     and metric = $metric::text`,
)

/** Reports of a company whose last look is listed for a member: more than one has. */
const looksMax = 10_000

export const selectLooksOfMember = defineStatement<
  { source_id: string; metric: string; looked_at: Date },
  { companyId: string; memberId: string }
>(
  'looks.select-of-member',
  `select source_id, metric, looked_at from report_looks
   where company_id = $companyId::uuid and member_id = $memberId::uuid
   limit ${looksMax}`,
)

export const upsertLook = defineStatement<never, LookParams & { at: Date; visitedAt: Date | null }>(
  'looks.upsert',
  `insert into report_looks (company_id, member_id, source_id, metric, looked_at, visited_at)
   values ($companyId::uuid, $memberId::uuid, $sourceId::uuid, $metric::text, $at::timestamptz, $visitedAt::timestamptz)
   on conflict (company_id, member_id, source_id, metric)
   do update set looked_at = excluded.looked_at, visited_at = excluded.visited_at`,
)

export const deleteLooksOfMember = defineStatement<never, { companyId: string; memberId: string }>(
  'looks.delete-of-member',
  `delete from report_looks where company_id = $companyId::uuid and member_id = $memberId::uuid`,
)
