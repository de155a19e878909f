import { formatNames } from '../engine/formats/formats.ts'
import { Compile } from 'typebox/schema'
import { beforeAll, expect, test } from 'vitest'
import type { JsonSchema } from '../platform/api-documents/openapi-schema.ts'
import { seedScene } from '../../testing/in-process/scenes/scene.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'

/** The public API's document as the interactive reference reads it. */

interface Content {
  schema: JsonSchema
  examples: Record<string, { summary?: string; value: unknown }>
}

interface Parameter {
  name: string
  in: string
  schema: JsonSchema
  style?: string
  explode?: boolean
  required: boolean
  example?: unknown
  examples?: Record<string, { value: unknown; 'x-disabled'?: boolean }>
}

interface Operation {
  operationId: string
  description: string
  tags: string[]
  security: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, Content> }>
  'x-badges'?: { name: string }[]
}

interface PublicDocument {
  info: { description: string }
  servers: { url: string }[]
  tags: { name: string; externalDocs: { url: string } }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; securitySchemes: Record<string, JsonSchema> }
}

const { context, app } = await startTestService()
let document: PublicDocument
let operations: Operation[]
beforeAll(async () => {
  document = (await app.inject('/openapi.json')).json<PublicDocument>()
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
})

const operation = (id: string): Operation => operations.find(({ operationId }) => operationId === id)!

const findParameter = (id: string, name: string): Parameter | undefined =>
  operation(id).parameters?.find((parameter) => parameter.name === name)

/** The schema with what it refers to in the place of its references. */
const inFull = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(inFull)
  const reference = (value as JsonSchema)['$ref']
  if (typeof reference === 'string') return inFull(document.components.schemas[reference.split('/').at(-1)!])
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inFull(each)]))
}

/** What is wrong with an example, by its schema. */
const findFaults = (schema: JsonSchema, value: unknown): unknown[] => {
  const [isRight, faults] = Compile(inFull(schema) as JsonSchema).Errors(value)
  return isRight ? [] : faults
}

test('a missing, an extra and a malformed member of an example are found', () => {
  const { schema, examples } = operation('readSamples').responses['200']!.content!['application/json']!
  const good = examples['days']!.value as Record<string, unknown>
  expect(findFaults(schema, good)).toEqual([])
  expect(findFaults(schema, { ...good, truncated: undefined })).not.toEqual([])
  expect(findFaults(schema, { ...good, more: 1 })).not.toEqual([])
  expect(findFaults(schema, { ...good, source_id: 'shop' })).not.toEqual([])
})

test('every body of every answer has a valid example', () => {
  let checked = 0
  for (const { operationId, responses } of operations) {
    for (const [status, { content = {} }] of Object.entries(responses)) {
      for (const { schema, examples = {} } of Object.values(content)) {
        expect(Object.keys(examples), `${operationId} ${status}`).not.toEqual([])
        for (const [name, { value }] of Object.entries(examples)) {
          expect(findFaults(schema, value), `${operationId} ${status} ${name}`).toEqual([])
          checked += 1
        }
      }
    }
  }
  expect(checked).toBeGreaterThan(90)
})

test('every error of an answer has an example', () => {
  for (const { operationId, responses } of operations) {
    for (const [status, { description, content = {} }] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      const said = [...description.matchAll(/^- `(\w+)`:/gm)].map(([, code]) => code)
      const examples = Object.values(content['application/json']?.examples ?? {})
      const shown = examples.map(({ value }) => Object.values(value as object)[0] as string)
      for (const code of said) expect(shown, `${operationId} ${status}`).toContain(code)
    }
  }
})

test('every request body, and every parameter that needs one, has valid examples', () => {
  for (const { operationId, requestBody, parameters = [] } of operations) {
    for (const { schema, examples = {} } of Object.values(requestBody?.content ?? {})) {
      expect(Object.keys(examples), operationId).not.toEqual([])
      for (const [name, { value, summary }] of Object.entries(examples)) {
        expect(findFaults(schema, value), `${operationId} ${name}`).toEqual([])
        expect(summary, `${operationId} ${name}`).toMatch(/^[A-Z]/)
      }
    }
    for (const { name, schema, required, example, examples = {} } of parameters) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ]
      for (const value of values) expect(findFaults(schema, value), `${operationId} ${name}`).toEqual([])
      if (required) expect(example ?? schema['enum'], `${operationId} ${name}`).toBeDefined()
    }
  }
})

test('a push has an example for rows and for each format of documents, and the service accepts each', async () => {
  const { content } = operation('ingest').requestBody!
  expect(Object.keys(content['application/octet-stream']!.examples).toSorted()).toEqual(
    formatNames.toSorted(),
  )
  const { connection } = await seedScene(context, { source: {}, connection: {} })
  for (const [mediaType, { examples }] of Object.entries(content)) {
    for (const [name, { value }] of Object.entries(examples)) {
      const answer = await app.inject({
        method: 'POST',
        url: '/v1/ingest',
        headers: {
          'content-type': mediaType,
          authorization: `Bearer ${connection.credential}`,
          ...(mediaType === 'application/json' ? {} : { 'idempotency-key': name }),
        },
        payload: typeof value === 'string' ? value : JSON.stringify(value),
      })
      expect([name, answer.statusCode]).toEqual([name, 202])
    }
  }
})

test('the key of a pushed document is filled in for documents, and for nothing else', () => {
  const { parameters, requestBody } = operation('ingest')
  const key = parameters!.find(({ name }) => name === 'Idempotency-Key')!
  const documents = Object.keys(requestBody!.content['application/octet-stream']!.examples)
  expect(Object.keys(key.examples!)).toEqual(documents)
})

test('tags are in the order of work, and every operation has one', () => {
  const names = document.tags.map(({ name }) => name)
  expect(names).toEqual(['Push', 'Samples', 'Webhooks', 'Delegated access', 'Discovery'])
  expect(operations.map(({ tags }) => tags.length)).toEqual(operations.map(() => 1))
  const ids = operations.map(({ operationId }) => operationId)
  expect(ids).toEqual([...new Set(ids)])
  const places = operations.map(({ tags }) => names.indexOf(tags[0]!))
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(ids.slice(0, 5)).toEqual(['ingest', 'showDelivery', 'followDeliveries', 'checkPush', 'readSamples'])
  // Each leads to its page.
  const pages = ['push', 'samples', 'webhooks', 'apps', 'apps']
  expect(document.tags.map(({ externalDocs }) => externalDocs.url)).toEqual(
    pages.map((page) => `${context.config.baseUrl}/docs/${page}`),
  )
})

test('additions to v1 have a badge', () => {
  const badged = operations.filter((each) => each['x-badges']?.some(({ name }) => name === 'Addition'))
  expect(badged.map(({ operationId }) => operationId).toSorted()).toEqual([
    'callTools',
    'checkPush',
    'followDeliveries',
    'listReadableCompanies',
    'listReadableSources',
    'readAttention',
    'showDeclaredSource',
    'showDelivery',
    'traceSample',
  ])
})

test('the description of every operation begins with a sentence on its purpose', () => {
  for (const { operationId, description } of operations) {
    const [first, ...rest] = description.split('\n\n')
    expect(first, operationId).toMatch(/^[A-Z][a-z]+ [^.\n]{15,110}\.$/)
    expect(rest, operationId).not.toEqual([])
  }
})

test('labels and If-None-Match are parameters, and a label is sent under its own name', () => {
  for (const id of ['readSamples', 'traceSample']) {
    const label = findParameter(id, 'label')!
    // Exploded, the members of an object are sent as `name=value`, each as it is named.
    expect(label).toMatchObject({ in: 'query', style: 'form', explode: true, required: false })
    // Filled in, but sent only if enabled.
    expect(label.examples).toEqual({ default: { value: { 'label.country': 'SE' }, 'x-disabled': true } })
    expect(findFaults(label.schema, { 'label.plan': 'team' })).toEqual([])
    expect(findFaults(label.schema, { country: 'SE' })).not.toEqual([])
  }
  expect(findParameter('readSamples', 'If-None-Match')).toMatchObject({ in: 'header', required: false })
})

test('the errors have a page, and a text for each code', () => {
  const { baseUrl } = context.config
  expect(document.info.description).toContain(`[Errors](${baseUrl}/docs/errors)`)
  expect(document.info.description).not.toContain('|---|')
  const code = (document.components.schemas['Error']!['properties'] as Record<string, JsonSchema>)['code']!
  expect(Object.keys(code['x-enumDescriptions'] as object)).toEqual(code['enum'])
})

test('every scheme of credentials has a short description, and OAuth’s name this deployment', () => {
  const { baseUrl } = context.config
  const { securitySchemes } = document.components
  for (const [name, { description }] of Object.entries(securitySchemes)) {
    expect((description as string).length, name).toBeGreaterThan(30)
    expect((description as string).length, name).toBeLessThan(240)
  }
  expect(securitySchemes['app']).toMatchObject({
    flows: {
      authorizationCode: {
        authorizationUrl: `${baseUrl}/oauth/authorize`,
        tokenUrl: `${baseUrl}/oauth/token`,
        'x-usePkce': 'SHA-256',
      },
    },
  })
  expect(operation('readSamples').security).toEqual([
    { bearer: [] },
    { clientCredentials: ['metrics.read'] },
    { app: ['metrics.read'] },
  ])
  expect(operation('ingest').security).toEqual([{ bearer: [] }, { clientCredentials: ['sources.ingest'] }])
  expect(document.servers).toEqual([{ url: baseUrl, description: 'This deployment.' }])
})
