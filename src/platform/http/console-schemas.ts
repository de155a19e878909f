/** Schemas that the contracts of the pages' API share. */
import { Type, type TSchema } from 'typebox'
import { uuidPattern } from '../../formats/values/uuid-pattern.ts'

/** Lower case, as this service writes them: another spelling is an unknown id. */
export function Uuid(description: string) {
  return Type.String({
    format: 'uuid',
    // Without the pattern's flag: a schema has none.
    pattern: uuidPattern.source,
    description,
  })
}

export function Text(description: string) {
  return Type.String({ description })
}

export function Whole(description: string) {
  return Type.Integer({ description })
}

export function Flag(description: string) {
  return Type.Boolean({ description })
}

export function Day(description: string) {
  return Type.String({ format: 'date', description })
}

/** An exact value. */
export function Decimal(description: string) {
  return Type.String({ pattern: '^-?[0-9]+([.][0-9]+)?$', description })
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

/** A page of a list, under its name. */
export function ListPage(name: string, item: TSchema, title: string, more: Record<string, TSchema> = {}) {
  return Type.Object({ [name]: Type.Array(item), ...more, next_cursor: NextCursor }, { title })
}

/** The headers of an answer with an entity tag, and the answer to a client that has it already. */
export const etagHeader = {
  ETag: {
    description: 'Send it as `If-None-Match`: an unchanged answer is an empty 304.',
    schema: Type.String(),
  },
}
export const unchanged = {
  description: 'Nothing has changed since the answer whose tag was sent as `If-None-Match`.',
}

export const CompanyParams = Type.Object({ company_id: Uuid('The company.') })

/** The body of a write that has nothing to say: `{}`. */
export const NoFields = Type.Object({}, { additionalProperties: false, description: 'An empty object.' })
