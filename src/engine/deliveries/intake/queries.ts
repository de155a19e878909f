import { defineStatement } from '../../../platform/database/define-statement.ts'
import type { Queryable } from '../../../platform/database/pool.ts'

const selectFieldNames = defineStatement<
  { names: string[] },
  { companyId: string; sourceId: string; shapeVersion: number }
>(
  'deliveries.select-field-names',
  `
  select array(select field ->> 'name' from jsonb_array_elements(shapes.fields) as field) as names
  from shapes
  where shapes.company_id = $companyId::uuid and shapes.source_id = $sourceId::uuid
    and shapes.shape_version = $shapeVersion::integer`,
)

/** The names of the fields that one shape version declares, or undefined if the source has no such version. */
export async function readFieldNames(
  on: Queryable,
  shape: { companyId: string; sourceId: string; shapeVersion: number },
): Promise<string[] | undefined> {
  return (await selectFieldNames.first(on, shape))?.names
}
