/** Writes an OpenAPI 3.1 document from the contracts of the routes. Pure. */
import type { TSchema } from 'typebox'
import type { Answer, Api, Contract, ErrorUse, Example, HeaderDescription } from '../http/contract.ts'
import { errorGuide } from '../http/errors/error-guide.ts'
import { errorHelp } from '../http/errors/error-help.ts'
import { createErrorSchema } from '../http/errors/error-schema.ts'
import { errorCodes } from '../http/errors/errors.ts'
import { documentInfo, placeOfTag } from './openapi-info.ts'
import { extensions } from '../http/openapi-extensions.ts'
import { rateHeaderNames, defaultHeaders, type DefaultHeader } from './openapi-headers.ts'
import { createSchemaWriter, type JsonSchema } from './openapi-schema.ts'
import { getSecurity, getSecuritySchemes } from './openapi-security.ts'
import type { RouteEntry } from '../http/route-table.ts'
import { getErrors } from '../http/errors/default-errors.ts'

export interface OpenapiDocument {
  openapi: string
  info: JsonSchema
  servers: JsonSchema[]
  tags: JsonSchema[]
  externalDocs?: JsonSchema
  paths: Record<string, JsonSchema>
  components: Record<string, JsonSchema>
}

type DescribedRoute = RouteEntry & { contract: Contract }

/** What examples show where the document does not know its deployment. */
const exampleBaseUrl = 'https://numera.example.com'
const exampleRequestId = '3f9c2a7b51d8-1k'

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** `/v1/deliveries/:artifact_id` → `/v1/deliveries/{artifact_id}`; a `*` is named `path`. */
function toTemplate(pattern: string): string {
  return pattern.replace(/:([A-Za-z_]+)/g, '{$1}').replace(/\*$/, '{path}')
}

function isMetered(contract: Contract): boolean {
  return contract.metered ?? contract.guard === 'bearer'
}

function toExamples(examples: Record<string, Example> | undefined): JsonSchema {
  return examples === undefined || Object.keys(examples).length === 0 ? {} : { examples }
}

/** The error's own examples, or one from the guide. */
function ownErrorExamples(use: ErrorUse, { permission }: Contract): Record<string, Example> {
  if (use.examples !== undefined) return use.examples
  const { field, ...guide } = errorGuide[use.code]
  const message =
    use.code === 'permission_denied' && permission !== undefined
      ? `The connection lacks the permission ${[permission].flat().join(' or ')}: use one that has it.`
      : guide.message
  return { [use.code]: { value: { code: use.code, message, ...(field === undefined ? {} : { field }) } } }
}

/** With what every error body carries [all.help]. */
function errorExamples(use: ErrorUse, contract: Contract, baseUrl: string): Record<string, Example> {
  const help = errorHelp(baseUrl === '' ? exampleBaseUrl : baseUrl, use.code)
  return Object.fromEntries(
    Object.entries(ownErrorExamples(use, contract)).map(([name, example]) => [
      name,
      { ...example, value: { ...(example.value as object), help, request_id: exampleRequestId } },
    ]),
  )
}

function headersOfError(use: ErrorUse, contract: Contract): DefaultHeader[] {
  switch (use.code) {
    case 'unauthenticated':
      return contract.guard === 'bearer' ? ['WWW-Authenticate'] : []
    case 'permission_denied':
      return contract.guard === 'bearer' ? ['WWW-Authenticate'] : []
    case 'rate_limited':
      return ['Retry-After']
    case 'internal':
      return use.status === 503 ? ['Retry-After'] : []
    default:
      return []
  }
}

/**
 * The example of an optional parameter. The reference sends what has one, but for what is said to be disabled; the key
 * is that of the example of the body that goes with it, `default` where there is no body.
 */
function optionalExamples({ body, bodies }: Contract, name: string, value: unknown): JsonSchema {
  if (body === undefined && bodies === undefined) {
    return { examples: { default: { value, [extensions.disabled]: true } } }
  }
  const names = (bodies ?? [])
    .filter(({ headers }) => headers?.includes(name) === true)
    .flatMap(({ examples }) => Object.keys(examples ?? {}))
  return names.length === 0 ? {} : { examples: Object.fromEntries(names.map((each) => [each, { value }])) }
}

/** The refusals that come before any token is taken. */
const beforeTokens: Partial<Record<Contract['guard'], number[]>> = {
  bearer: [401],
  signature: [401, 404, 413, 415],
}

/** Where one status has several codes, a header of one of them may be missing from the answer. */
interface StatusErrors {
  uses: ErrorUse[]
  headers: Map<DefaultHeader, number>
}

function byStatus(contract: Contract, method: string): Map<number, StatusErrors> {
  const found = new Map<number, StatusErrors>()
  for (const use of getErrors(contract, method)) {
    const status = use.status ?? errorCodes[use.code]
    const entry: StatusErrors = found.get(status) ?? { uses: [], headers: new Map() }
    entry.uses.push(use)
    for (const name of headersOfError(use, contract)) {
      entry.headers.set(name, (entry.headers.get(name) ?? 0) + 1)
    }
    found.set(status, entry)
  }
  return found
}

export interface DocumentOptions {
  /** Where the deployment is; the document's own place where it is left out. */
  baseUrl?: string
}

/** As the reference shows it next to the name of an operation. */
const additionBadges = [{ name: 'Addition', position: 'after' }]

/** Writes the operations of one document, and collects the schemas and headers that they refer to. */
class OperationWriter {
  readonly #schemas = createSchemaWriter()
  readonly #usedHeaders = new Set<DefaultHeader>()
  readonly #errorSchema: TSchema

  readonly #baseUrl: string

  constructor(api: Api, baseUrl: string) {
    this.#baseUrl = baseUrl
    this.#errorSchema = createErrorSchema(api)
  }

  write(contract: Contract, method: string): JsonSchema {
    const parameters = [
      ...this.#writeParameters(contract, 'path', contract.params),
      ...this.#writeParameters(contract, 'query', contract.query),
      ...this.#writeParameters(contract, 'header', contract.headers),
    ]
    return {
      operationId: contract.operationId,
      summary: contract.summary,
      description: contract.description,
      tags: contract.tags,
      ...(contract.addition === true ? { [extensions.badges]: additionBadges } : {}),
      security: getSecurity(contract, method),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...this.#writeBody(contract),
      responses: this.#writeResponses(contract, method),
    }
  }

  /** What the operations that were written refer to. */
  components(): Record<'schemas' | 'headers', JsonSchema> {
    const headers = [...this.#usedHeaders].map((name) => [name, this.#ownHeader(defaultHeaders[name])])
    return { headers: Object.fromEntries(headers), schemas: this.#schemas.components() }
  }

  #defaultHeader(name: DefaultHeader, isSure = true): JsonSchema {
    if (!isSure) {
      const { description, schema } = defaultHeaders[name]
      return { description, schema: this.#schemas.write(schema) }
    }
    this.#usedHeaders.add(name)
    return { $ref: `#/components/headers/${name}` }
  }

  #ownHeader({ description, schema, required }: HeaderDescription): JsonSchema {
    return {
      description,
      ...(required === true ? { required } : {}),
      schema: this.#schemas.write(schema),
    }
  }

  #toContent(
    body: Answer['body'],
    mediaType: string,
    examples: Answer['examples'],
    alternatives: Answer['alternatives'] = [],
  ): JsonSchema {
    if (body === undefined) return {}
    const content = [{ mediaType, body, examples }, ...alternatives].map((each) => [
      each.mediaType,
      { schema: this.#schemas.write(each.body), ...toExamples(each.examples) },
    ])
    return { content: Object.fromEntries(content) }
  }

  #writeAnswer(answer: Answer, contract: Contract): JsonSchema {
    return {
      description: answer.description,
      headers: {
        'X-Request-Id': this.#defaultHeader('X-Request-Id'),
        ...(isMetered(contract)
          ? Object.fromEntries(rateHeaderNames.map((name) => [name, this.#defaultHeader(name)]))
          : {}),
        ...Object.fromEntries(
          Object.entries(answer.headers ?? {}).map(([name, header]) => [name, this.#ownHeader(header)]),
        ),
      },
      ...this.#toContent(
        answer.body,
        answer.mediaType ?? 'application/json',
        answer.examples,
        answer.alternatives,
      ),
    }
  }

  /** Every answer that took a token carries the bucket, even where some errors of its status come before that. */
  #maybeRate(contract: Contract, status: number): JsonSchema {
    return isMetered(contract) && status < 500 && !beforeTokens[contract.guard]?.includes(status)
      ? Object.fromEntries(rateHeaderNames.map((name) => [name, this.#defaultHeader(name, status === 429)]))
      : {}
  }

  #writeErrors(contract: Contract, status: number, { uses, headers }: StatusErrors): JsonSchema {
    return {
      description: uses.map(({ code, when }) => `- \`${code}\`: ${when}`).join('\n'),
      headers: {
        'X-Request-Id': this.#defaultHeader('X-Request-Id'),
        Link: this.#defaultHeader('Link'),
        ...this.#maybeRate(contract, status),
        ...Object.fromEntries(
          [...headers].map(([name, count]) => [name, this.#defaultHeader(name, count === uses.length)]),
        ),
        ...Object.fromEntries(
          uses.flatMap((use) =>
            Object.entries(use.headers ?? {}).map(([name, header]) => [name, this.#ownHeader(header)]),
          ),
        ),
      },
      ...this.#toContent(
        this.#errorSchema,
        'application/json',
        Object.assign({}, ...uses.map((use) => errorExamples(use, contract, this.#baseUrl))),
      ),
    }
  }

  #writeResponses(contract: Contract, method: string): JsonSchema {
    const responses: [string, JsonSchema][] = Object.entries(contract.responses).map(([status, answer]) => [
      status,
      this.#writeAnswer(answer, contract),
    ])
    if (contract.errorResponses === undefined) {
      for (const [status, errors] of byStatus(contract, method)) {
        responses.push([String(status), this.#writeErrors(contract, status, errors)])
      }
    } else {
      for (const [status, answer] of Object.entries(contract.errorResponses)) {
        const written = this.#writeAnswer(answer, { ...contract, metered: false })
        // An error that is a page is for people, and says itself what they can do.
        const help = answer.mediaType === undefined ? { Link: this.#defaultHeader('Link') } : {}
        Object.assign(written['headers'] as JsonSchema, help, this.#maybeRate(contract, Number(status)))
        responses.push([status, written])
      }
    }
    return Object.fromEntries(responses.toSorted(([a], [b]) => byText(a, b)))
  }

  #writeParameters(contract: Contract, place: 'path' | 'query' | 'header', schema: unknown): JsonSchema[] {
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: Record<string, JsonSchema>
      required?: string[]
    }
    return Object.entries(properties).map(([name, property]) => {
      const { description, examples, ...rest } = this.#schemas.write(property)
      const [example] = Array.isArray(examples) ? (examples as unknown[]) : []
      const isRequired = place === 'path' || required.includes(name)
      return {
        name: name === '*' ? 'path' : name,
        in: place,
        ...(description === undefined ? {} : { description }),
        required: isRequired,
        // Each member of the object is sent as a parameter of its own; the name of the object is not.
        ...(place === 'query' && rest['type'] === 'object' ? { style: 'form', explode: true } : {}),
        schema: rest,
        ...(example === undefined
          ? {}
          : isRequired
            ? { example }
            : optionalExamples(contract, name, example)),
      }
    })
  }

  #writeBody(contract: Contract): JsonSchema {
    const bodies = [
      ...(contract.bodies ?? []),
      ...(contract.body === undefined
        ? []
        : [{ mediaType: 'application/json', schema: contract.body, examples: contract.bodyExamples }]),
    ]
    if (bodies.length === 0) return {}
    const content = bodies.map(({ mediaType, schema, examples }) => [
      mediaType,
      { schema: this.#schemas.write(schema), ...toExamples(examples) },
    ])
    return {
      requestBody: {
        ...(contract.bodyDescription === undefined ? {} : { description: contract.bodyDescription }),
        required: true,
        content: Object.fromEntries(content),
      },
    }
  }
}

export function buildDocument(
  api: Api,
  entries: readonly RouteEntry[],
  options: DocumentOptions = {},
): OpenapiDocument {
  const { baseUrl = '' } = options
  const operations = new OperationWriter(api, baseUrl)
  // HEAD goes with GET and needs no words of its own.
  const routes = entries.filter(
    (entry): entry is DescribedRoute => entry.contract?.api === api && entry.method !== 'HEAD',
  )
  const paths: Record<string, JsonSchema> = {}
  // The public API in the order of the work: by tag, and within one as the routes were registered.
  const inOrder = routes.toSorted((a, b) =>
    api === 'public'
      ? placeOfTag(api, a.contract.tags[0]!) - placeOfTag(api, b.contract.tags[0]!)
      : byText(a.pattern, b.pattern),
  )
  for (const { pattern, method, contract } of inOrder) {
    const path = (paths[toTemplate(pattern)] ??= {})
    path[method.toLowerCase()] = operations.write(contract, method)
  }
  const usedTags = new Set(routes.flatMap(({ contract }) => contract.tags))
  const { info, tags, externalDocs } = documentInfo(api, usedTags, baseUrl)
  const { schemas, headers } = operations.components()
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: baseUrl === '' ? '/' : baseUrl, description: 'This deployment.' }],
    tags,
    ...(externalDocs === undefined ? {} : { externalDocs }),
    paths,
    components: {
      schemas,
      headers,
      securitySchemes: getSecuritySchemes(routes, baseUrl),
    },
  }
}
