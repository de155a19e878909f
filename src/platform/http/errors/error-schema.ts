import { Type } from 'typebox'
import { getCodes, errorGuide } from './error-guide.ts'
import { extensions } from '../openapi-extensions.ts'

/** Only in the pages' API. */
const details = Type.Optional(
  Type.Object(
    {},
    { additionalProperties: true, description: 'What the operation says beside it, where it does.' },
  ),
)

/** What each code means and what a client does, as the reference shows it beside the code. */
function codeDescriptions() {
  const described = getCodes().map((code) => {
    const { when, action } = errorGuide[code]
    return [code, `${when} ${action}`]
  })
  return { [extensions.enumDescriptions]: Object.fromEntries(described) as Record<string, string> }
}

/** The `Error` body (specification "Error"). */
export function createErrorSchema(api: 'public' | 'console') {
  return Type.Object(
    {
      code: Type.Union(
        getCodes().map((code) => Type.Literal(code)),
        {
          description: 'Short machine-readable reason. Branch on the status and this.',
          ...(api === 'public' ? codeDescriptions() : {}),
        },
      ),
      message: Type.String({ description: 'One plain sentence. Do not parse it.' }),
      field: Type.Optional(
        Type.String({ description: 'The field concerned, as the client named it, where there is one.' }),
      ),
      ...(api === 'public' ? {} : { details }),
      help: Type.String({
        format: 'uri',
        description: "The address of what this service's documents say about the code, for people.",
      }),
      request_id: Type.String({
        description: 'Names the request in the log of the service, like `X-Request-Id`.',
      }),
    },
    { title: 'Error', description: 'The body of every error.' },
  )
}
