/**
 * How a route says what it is. One contract gives the validation, the handler's types, the API document and the
 * list of what is guarded.
 *
 * ```ts
 * // src/engine/samples/contract.ts
 * export const readSamplesContract = contract({
 *   api: 'public', // or 'console'
 *   operationId: 'readSamples',
 *   summary: "Read the source's samples",
 *   description: 'Read … .\n\nNewest first. …', // Markdown; the first paragraph says in one sentence what the call is for
 *   tags: ['Samples'], // one, of those in openapi-info.ts
 *   addition: true, // for what the specification does not name
 *   guard: 'bearer', // 'session' (pages), 'signature' (webhooks), 'client' (token endpoint), 'none'
 *   permission: 'metrics.read', // an array: either of them
 *   source: 'required', // or 'none': whether the call is about one source
 *   query: Type.Object({ from: Type.Optional(Type.String({ format: 'date', description: '…' })) }),
 *   responses: { 200: { description: 'The samples.', body: Samples, examples: { month: { value: {…} } } } },
 *   errors: [{ code: 'invalid_argument', when: '`from` or `to` is not a date.' }],
 * })
 *
 * // src/engine/samples/routes.ts
 * export async function registerSampleRoutes(app: App, context: Context): Promise<void> {
 *   app.get('/v1/samples', route(readSamplesContract), async (request) => readSamples(context, request.query))
 * }
 * ```
 *
 * - A schema with a `title` in PascalCase (`Type.Object({…}, { title: 'Receipt' })`) becomes the component of that
 *   name. Give every field a `description`.
 * - What every route of a guard answers is added by the document: 401, 403, 404 and 429 with their headers, 500, 503,
 *   `credential_in_url`. List under `errors` only what the route adds, and where the default text says too little.
 * - A query property that is an object means parameters of its members' names (`style: form`, exploded): in a route
 *   that checks its query itself.
 * - Query values are strings as they came: nothing is coerced and nothing is removed. An object of the query or of
 *   a JSON body lets unknown members pass unless it says `additionalProperties: false`.
 * - A body that is not JSON, or more than one media type, goes into `bodies`: described, and read by the route.
 * - `checkedByRoute: true` leaves all checking to the handler, where the order of checks is laid down.
 * - Errors are thrown: `throw invalidArgument('…', 'from')`. Bodies of answers are objects (sent as JSON), or a
 *   string or `Buffer` that is JSON already with `reply.type('application/json')`.
 */
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { TSchema } from 'typebox'
import type { ErrorCode } from './errors/errors.ts'

/** The instance that routes are registered on: its handlers are typed by their contracts. */
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** The public API, and the one of the pages: each has a document of its own. */
export type Api = 'public' | 'console'

/** What a service connection or an app may be allowed. */
export type Permission = 'sources.ingest' | 'metrics.read' | 'company.read'

/**
 * What opens a route: a bearer token or static credential, a member's session cookie, a webhook signature, the
 * client's own id and secret, or nothing.
 */
export type Guard = 'bearer' | 'session' | 'signature' | 'client' | 'none'

export interface Example {
  summary?: string
  value: unknown
}

export interface HeaderDescription {
  description: string
  schema: TSchema
  required?: boolean
}

export interface Answer {
  description: string
  /** Absent: no body. */
  body?: TSchema
  /** `application/json` unless given. */
  mediaType?: string
  /** What `Accept` may ask for instead. */
  alternatives?: { mediaType: string; body: TSchema; examples?: Record<string, Example> }[]
  headers?: Record<string, HeaderDescription>
  examples?: Record<string, Example>
}

export interface ErrorUse {
  code: ErrorCode
  /** Where it differs from the code's own. */
  status?: number
  /** When this route answers it, as one or more sentences of Markdown. */
  when: string
  /** In addition to those that every answer of its code has. */
  headers?: Record<string, HeaderDescription>
  examples?: Record<string, Example>
}

/** One of the media types that a route reads by itself. */
export interface RequestBody {
  mediaType: string
  schema: TSchema
  examples?: Record<string, Example>
  /** Headers that are optional in general, and go with this one. */
  headers?: string[]
}

type MaybeSchema = TSchema | undefined

export interface Contract<
  Params extends MaybeSchema = MaybeSchema,
  Query extends MaybeSchema = MaybeSchema,
  Headers extends MaybeSchema = MaybeSchema,
  Body extends MaybeSchema = MaybeSchema,
> {
  api: Api
  operationId: string
  summary: string
  description: string
  tags: string[]
  /** Came to `v1` after its first description [read.additions]. */
  addition?: boolean
  guard: Guard
  permission?: Permission | Permission[]
  source?: 'required' | 'none'
  /** `any`: the call is about all companies that the caller may act on, so it need not name one of several. */
  company?: 'one' | 'any'
  /**
   * Whether calls take tokens of a rate bucket; with the guard `bearer` they always do. With the guard `session` writes use up
   * a token of their member's, unless it is false.
   */
  metered?: boolean
  /** Whether scripts of any origin may call it and read the answer; if absent, only for reads with a bearer. */
  cors?: boolean
  params?: Params
  query?: Query
  headers?: Headers
  /** A JSON body, checked before the handler runs. */
  body?: Body
  /** Examples of the JSON body. */
  bodyExamples?: Record<string, Example>
  bodies?: RequestBody[]
  bodyDescription?: string
  responses: Record<number, Answer>
  errors?: ErrorUse[]
  /** Error answers in another shape than `Error` (OAuth): these take the place of the default ones. */
  errorResponses?: Record<number, Answer>
  checkedByRoute?: boolean
}

/** Keeps the exact types of the parts, so that a handler knows its query. */
export function contract<
  Params extends MaybeSchema = undefined,
  Query extends MaybeSchema = undefined,
  Headers extends MaybeSchema = undefined,
  Body extends MaybeSchema = undefined,
>(value: Contract<Params, Query, Headers, Body>): Contract<Params, Query, Headers, Body> {
  return value
}

/** A contract of the pages' API, for a member who is signed in. */
export function sessionContract<
  Params extends MaybeSchema = undefined,
  Query extends MaybeSchema = undefined,
  Headers extends MaybeSchema = undefined,
  Body extends MaybeSchema = undefined,
>(
  value: Omit<Contract<Params, Query, Headers, Body>, 'api' | 'guard'>,
): Contract<Params, Query, Headers, Body> {
  return { api: 'console', guard: 'session', ...value }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    contract?: Contract
    /** Read by admission. */
    permission?: Permission | Permission[]
    source?: 'required' | 'none'
    company?: 'one' | 'any'
  }
}

export interface RouteConfig {
  contract: Contract
  permission?: Permission | Permission[]
  source?: 'required' | 'none'
  company?: 'one' | 'any'
}

/** Fastify's options of the route that a contract describes: `app.get(path, route(contract), handler)`. */
export function route<
  Params extends MaybeSchema,
  Query extends MaybeSchema,
  Headers extends MaybeSchema,
  Body extends MaybeSchema,
>(
  value: Contract<Params, Query, Headers, Body>,
): { schema: { params: Params; querystring: Query; headers: Headers; body: Body }; config: RouteConfig } {
  const { params, query, headers, body, permission, source, company } = value
  const schema: Record<string, TSchema> = {}
  if (value.checkedByRoute !== true) {
    if (params !== undefined) schema['params'] = params
    if (query !== undefined) schema['querystring'] = query
    if (headers !== undefined) schema['headers'] = headers
    if (body !== undefined) schema['body'] = body
  }
  const config: RouteConfig = { contract: value as Contract }
  if (permission !== undefined) config.permission = permission
  if (source !== undefined) config.source = source
  if (company !== undefined) config.company = company
  return {
    // Parts that are absent are absent at run time too; the types say so with `undefined`.
    schema: schema as unknown as { params: Params; querystring: Query; headers: Headers; body: Body },
    config,
  }
}
