import { Type } from 'typebox'
import { codesOf } from './error-guide.ts'

/** The pages' API alone. */
const details = Type.Optional(
  Type.Object(
    {},
    { additionalProperties: true, description: 'What the operation says beside it, where it does.' },
  ),
)

/** The `Error` body (specification "Error"). */
export function errorSchemaOf(api: 'public' | 'console') {
  return Type.Object(
    {
      code: Type.Union(
        codesOf(api).map((code) => Type.Literal(code)),
        { description: 'Short machine-readable reason. Branch on the status and this.' },
      ),
      message: Type.String({ description: 'One plain sentence. Do not parse it.' }),
      field: Type.Optional(
        Type.String({ description: 'The field concerned, as the client named it, where there is one.' }),
      ),
      ...(api === 'public' ? {} : { details }),
    },
    { title: 'Error', description: 'The body of every error.' },
  )
}
