import { join } from 'node:path'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { formatSource } from './format-source.ts'

/** The pages import the types of their calls from here. */
export const consoleTypesPath = join(import.meta.dirname, '..', 'web', 'src', 'api', 'console-api.ts')
/** `numera-client` from here. */
export const clientTypesPath = join(import.meta.dirname, '..', 'packages', 'client', 'src', 'api-types.ts')

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: JSONSchema
}

interface Content {
  content?: Record<string, { schema: JSONSchema }>
}

/** The part of an OpenAPI operation that is read here. */
interface Operation {
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

const object = (properties: Record<string, JSONSchema>, required = Object.keys(properties)): JSONSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
})

const getJsonSchema = ({ content }: Content): JSONSchema | undefined => content?.['application/json']?.schema

const toParts = (parameters: Parameter[], where: string): Record<string, JSONSchema> => {
  const found = parameters.filter((parameter) => parameter.in === where)
  if (found.length === 0) return {}
  const properties = Object.fromEntries(found.map(({ name, schema }) => [name, schema]))
  const required = found.filter((parameter) => parameter.required).map(({ name }) => name)
  return { [where]: object(properties, required) }
}

const toCall = ({ parameters = [], requestBody, responses }: Operation): JSONSchema => {
  const body = requestBody && getJsonSchema(requestBody)
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))![1]
  return object({
    ...toParts(parameters, 'path'),
    ...toParts(parameters, 'query'),
    ...(body && { body }),
    answer: getJsonSchema(success) ?? { tsType: 'undefined' },
  })
}

const withoutDescriptions = (key: string, value: unknown): unknown =>
  key === 'description' && typeof value === 'string' ? undefined : value

/**
 * Writes an API as a TypeScript interface with the request and response of each operation, under keys such as
 * `GET /console/session`. Descriptions are left out; the API reference has them.
 *
 * @param document the text of `openapi/console.json` or `openapi/numera.json`
 * @param path where the file belongs, which decides its formatting
 */
async function writeTypes(document: string, prefix: string, name: string, path: string): Promise<string> {
  const { paths, components } = JSON.parse(document, withoutDescriptions) as {
    paths: Record<string, Record<string, Operation>>
    components: JSONSchema
  }
  const calls = Object.entries(paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]): [string, JSONSchema] => [
        `${method.toUpperCase()} ${path}`,
        toCall(operation),
      ]),
    )
  const text = await compile({ ...object(Object.fromEntries(calls)), components } as JSONSchema, name, {
    bannerComment: '// Written by `npm run openapi` from the contracts of the API.',
    format: false,
    ignoreMinAndMaxItems: true,
    additionalProperties: false,
  })
  return formatSource(path, text)
}

/** The types of the pages' calls. */
export const writeConsoleTypes = (document: string): Promise<string> =>
  writeTypes(document, '/console/', 'ConsoleApi', consoleTypesPath)

/** The types of the calls of packages/client. */
export const writeClientTypes = (document: string): Promise<string> =>
  writeTypes(document, '/v1/', 'NumeraApi', clientTypesPath)
