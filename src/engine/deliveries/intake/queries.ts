import { defineStatement } from '../../../platform/database/define-statement.ts'

/** The names of the fields that one shape version declares. */
export const selectFieldNames = defineStatement<
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
