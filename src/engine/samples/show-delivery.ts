import type { Context } from '../../context.ts'
import type { Refusal } from '../parsing/plan/refusal.ts'
import { reportRemarks } from '../parsing/plan/remarks.ts'
import { toDeliveryReport, type DeliveryReportInFull } from './delivery-report.ts'
import { selectDelivery } from './queries.ts'

/** One delivery of a company with its first refused rows; undefined where the company has none of that id. */
export async function showDelivery(
  context: Pick<Context, 'pool'>,
  companyId: string,
  artifactId: string,
): Promise<DeliveryReportInFull | undefined> {
  const row = await selectDelivery.first(context.pool, { companyId, artifactId })
  return (
    row && {
      ...toDeliveryReport(row),
      refusals: (row.refusals ?? []) as Refusal[],
      remarks: reportRemarks(row.remarks, row.dropped_keys),
    }
  )
}
