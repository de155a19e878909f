/** Writes a Postman collection (format v2.1.0) from the API document. Pure. */
import type { OpenapiDocument } from './openapi-document.ts'

/** What is read of the document that `buildDocument` writes. */
interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  description?: string
  required: boolean
  schema: { enum?: unknown[] }
  example?: unknown
  /** By the example of the body that goes with it; `default` where there is no body. */
  examples?: Record<string, { value: unknown }>
}

interface Operation {
  summary: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: {
    content: Record<string, { examples: Record<string, { summary?: string; value: unknown }> }>
  }
}

/** One body to send: an example of the document. */
interface ExampleBody {
  name: string
  summary: string | undefined
  mediaType: string
  value: unknown
}

/** A name with its value, as the format has headers, variables and the parts of a query. */
interface Field {
  key: string
  value: string
  description?: string
  disabled?: boolean
}

const formType = 'application/x-www-form-urlencoded'

/** To be filled in after the import. */
const variables: [key: string, description: string][] = [
  ['credential', 'A static credential (prefix nsk_) or an access token (prefix nat_).'],
  ['clientId', 'The client id of a service connection, for POST /oauth/token.'],
  ['clientSecret', 'Its secret (prefix ncs_).'],
  ['signingSecret', 'The signing secret of a webhook source (prefix nws_).'],
]

/** Signs a webhook before it is sent (specification "POST {base_url}/v1/webhooks/{source_id}"). */
const signScript = [
  "const time = Math.floor(Date.now() / 1000), id = pm.request.headers.get('Service-Delivery-Id')",
  "const hmac = require('crypto-js').HmacSHA256(`${time}.${id}.${pm.request.body.raw}`, pm.variables.get('signingSecret'))",
  "pm.variables.set('signature', `t=${time},v1=${hmac}`)",
]

function bearer(value: string) {
  return { type: 'bearer', bearer: [{ key: 'token', value, type: 'string' }] }
}

const basic = {
  type: 'basic',
  basic: [
    { key: 'username', value: '{{clientId}}', type: 'string' },
    { key: 'password', value: '{{clientSecret}}', type: 'string' },
  ],
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toFields(parameter: Parameter, body?: ExampleBody): Field[] {
  const { name, description, required, schema, example, examples = {} } = parameter
  const ofBody = body && examples[body.name]
  const value = (ofBody ?? examples['default'])?.value ?? example ?? schema.enum?.[0] ?? ''
  // An object's members are parameters of their own.
  const entries =
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value)
      : [[name, value] as const]
  return entries.map(([key, each]) => ({
    key,
    value: toText(each),
    ...(description === undefined ? {} : { description }),
    ...(required || ofBody !== undefined ? {} : { disabled: true }),
  }))
}

function headerFields(operation: Operation, body: ExampleBody | undefined): Field[] {
  const fields = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'header')
    .flatMap((parameter) => toFields(parameter, body))
    .map((field) => (field.key === 'Service-Signature' ? { ...field, value: '{{signature}}' } : field))
  return body === undefined || body.mediaType === formType
    ? fields
    : [{ key: 'Content-Type', value: body.mediaType }, ...fields]
}

function toUrl(path: string, { parameters = [] }: Operation) {
  const query = parameters.filter((parameter) => parameter.in === 'query').flatMap((each) => toFields(each))
  const segments = path.slice(1).replace(/\{(\w+)\}/g, ':$1')
  const sent = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`)
  return {
    raw: `{{baseUrl}}/${segments}${sent.length === 0 ? '' : `?${sent.join('&')}`}`,
    host: ['{{baseUrl}}'],
    path: segments.split('/'),
    query,
    variable: parameters.filter((parameter) => parameter.in === 'path').flatMap((each) => toFields(each)),
  }
}

function toBody({ mediaType, value }: ExampleBody) {
  if (mediaType === formType) {
    const form = Object.entries(value as Record<string, unknown>)
    return { mode: 'urlencoded', urlencoded: form.map(([key, each]) => ({ key, value: toText(each) })) }
  }
  return mediaType === 'application/json'
    ? { mode: 'raw', raw: JSON.stringify(value, null, 2), options: { raw: { language: 'json' } } }
    : { mode: 'raw', raw: toText(value) }
}

/** What opens the operation; undefined: the bearer of the whole collection. */
function toAuth({ security }: Operation, body: ExampleBody | undefined) {
  if (security.some((need) => 'bearer' in need)) return undefined
  // An app names itself in the form; a service connection does not.
  const namesItself = body !== undefined && Object.hasOwn(body.value as object, 'client_id')
  return security.some((need) => 'client' in need) && !namesItself ? basic : { type: 'noauth' }
}

function writeItem(method: string, path: string, operation: Operation, body: ExampleBody | undefined) {
  const auth = toAuth(operation, body)
  const signed = operation.security.some((need) => 'signature' in need)
  return {
    name: body?.summary === undefined ? operation.summary : `${operation.summary}: ${body.summary}`,
    ...(signed
      ? { event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: signScript } }] }
      : {}),
    request: {
      method: method.toUpperCase(),
      description: operation.description,
      ...(auth === undefined ? {} : { auth }),
      header: headerFields(operation, body),
      url: toUrl(path, operation),
      ...(body === undefined ? {} : { body: toBody(body) }),
    },
    response: [],
  }
}

/** A request for each example of the operation's body, or one where it has none. */
function toItems(method: string, path: string, operation: Operation) {
  const bodies = Object.entries(operation.requestBody?.content ?? {}).flatMap(([mediaType, { examples }]) =>
    Object.entries(examples).map(([name, { summary, value }]) => ({ name, summary, mediaType, value })),
  )
  return bodies.length === 0
    ? [writeItem(method, path, operation, undefined)]
    : bodies.map((body) => writeItem(method, path, operation, body))
}

/** A folder for each tag, with every operation of the document; its bodies are the document's examples. */
export function writePostmanCollection({ info, servers, tags, paths }: OpenapiDocument) {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: operation as Operation,
    })),
  )
  return {
    info: {
      name: info['title'],
      description: info['description'],
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: bearer('{{credential}}'),
    variable: [
      { key: 'baseUrl', value: servers[0]!['url'], description: 'The address of the deployment.' },
      ...variables.map(([key, description]) => ({ key, value: '', description })),
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags[0] === name)
        .flatMap(({ path, method, operation }) => toItems(method, path, operation)),
    })),
  }
}
