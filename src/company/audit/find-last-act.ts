import type { Queryable } from '../../platform/database/pool.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import type { AuditAction } from './audit-event.ts'
import { selectLastAct } from './queries.ts'

/** When something was last done to the company as a whole, if that was after an instant (milliseconds since 1970). */
export async function findLastAct(
  on: Queryable,
  companyId: string,
  action: AuditAction,
  sinceMs: number,
): Promise<Date | undefined> {
  const since = lowestUuidv7(sinceMs)
  const found = await selectLastAct.first(on, { companyId, subjectId: companyId, action, since })
  return found?.occurred_at
}
