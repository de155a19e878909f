/** Schemas that the contracts of the pages' API share. */
import { Type, type TSchema } from 'typebox'
import { uuidPattern } from '../values/uuid-pattern.ts'

/** Lower case, as this service writes them: another spelling is an unknown id. */
export function Uuid(description: string) {
  return Type.String({
    format: 'uuid',
    // Without the pattern's flag: a schema has none.
    pattern: uuidPattern.source,
    description,
  })
}

export function DateTime(description: string) {
  return Type.String({ format: 'date-time', description })
}

export function OrNull<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/** Query of a list that is read a page at a time. */
export const PageQuery = Type.Object({
  cursor: Type.Optional(
    Type.String({
      maxLength: 100,
      description: '`next_cursor` of the page before; absent for the first one.',
    }),
  ),
  limit: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,3}$', description: 'Items a page, 1 to 200; 50 unless given.' }),
  ),
})

export const NextCursor = OrNull(
  Type.String({ description: 'Names the next page; null on the last one. Its form may change.' }),
)

export const CompanyParams = Type.Object({ company_id: Uuid('The company.') })

/** The body of a write that has nothing to say: `{}`. */
export const NoFields = Type.Object({}, { additionalProperties: false, description: 'An empty object.' })
