import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { getCodes } from '../platform/http/errors/error-guide.ts'
import type { JsonSchema } from '../platform/api-documents/openapi-schema.ts'
import type { RouteEntry } from '../platform/http/route-table.ts'
import { readPages } from '../platform/web-app/web-app.ts'
import { readRoutes, writeDocuments } from './write-documents.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

let routes: RouteEntry[]
let written: Awaited<ReturnType<typeof writeDocuments>>
beforeAll(async () => {
  routes = await readRoutes({ ...(await readPages()), documentsFolder: undefined, assetsFolder: undefined })
  written = await writeDocuments()
})

// If this fails: npm run openapi, and look at what changes for clients.
test('the committed document matches the contracts', async () => {
  const isCurrent = written['numera.json'] === (await read('openapi/numera.json'))
  expect(isCurrent, 'openapi/numera.json is stale: npm run openapi').toBe(true)
})

// If this fails: is the new route meant to be open? Then add it to the list, in a change that says why.
test('the routes without a guard are the committed list', async () => {
  const open = routes
    .filter(({ contract }) => contract?.guard !== 'bearer' && contract?.guard !== 'session')
    .map(({ method, pattern, contract }) => `${method} ${pattern} ${contract?.guard ?? 'none'}`)
    .filter((line) => !line.startsWith('HEAD '))
    .toSorted()
  const listed = (await read('openapi/unguarded.txt')).split('\n').filter((line) => !/^(#|$)/.test(line))
  expect(open).toEqual(listed)
})

test('every error code is in the document of its API', () => {
  for (const [api, name] of [
    ['public', 'numera.json'],
    ['console', 'console.json'],
  ] as const) {
    const document = JSON.parse(written[name])
    const { enum: codes, 'x-enumDescriptions': described } = document.components.schemas.Error.properties.code
    expect(codes).toEqual(getCodes())
    // The pages' API has them in a table; the public one beside each code, and on a page of their own.
    for (const code of getCodes()) {
      if (api === 'console') expect(document.info.description).toContain(`\`${code}\``)
      else expect(described[code]).toMatch(/^[A-Z].+[.]$/)
    }
  }
})

interface WrittenOperation {
  security: Record<string, string[]>[]
  responses: Record<string, unknown>
}

const consoleOperations = (): [method: string, path: string, operation: WrittenOperation][] => {
  const { paths } = JSON.parse(written['console.json']) as {
    paths: Record<string, Record<string, WrittenOperation>>
  }
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]): [string, string, WrittenOperation] => [
      method,
      path,
      operation,
    ]),
  )
}

test('every operation of the pages with a parameter in its path may answer 404', () => {
  const named = consoleOperations().filter(([, path]) => path.includes('{'))
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(([, , { responses }]) => responses['404'] === undefined)).toEqual([])
})

test('the writes of a session, and only they, declare the CSRF token', () => {
  const guarded = consoleOperations().filter(([, , { security }]) => security[0]?.['session'] !== undefined)
  for (const [method, path, { security }] of guarded) {
    expect([method, path, 'csrfToken' in security[0]!]).toEqual([method, path, method !== 'get'])
  }
})

/** Every schema of the document with its path. */
const schemasIn = (value: unknown, path: string): [string, JsonSchema][] => {
  if (typeof value !== 'object' || value === null) return []
  const found: [string, JsonSchema][] = []
  for (const [key, child] of Object.entries(value)) {
    if (key === 'examples' || key === 'example') continue
    if (key === 'properties') {
      for (const [name, property] of Object.entries(child as Record<string, JsonSchema>)) {
        found.push([`${path}.${name}`, property])
      }
    }
    found.push(...schemasIn(child, `${path}.${key}`))
  }
  return found
}

test('every field, parameter and operation of the public API is described', () => {
  const document = JSON.parse(written['numera.json'])
  const bare = schemasIn(document, '').filter(
    ([, schema]) => schema['description'] === undefined && schema['$ref'] === undefined,
  )
  expect(bare.map(([path]) => path)).toEqual([])
  for (const [path, item] of Object.entries<Record<string, JsonSchema>>(document.paths)) {
    for (const operation of Object.values(item)) {
      expect(operation['summary'], path).toMatch(/^[A-Z`]./)
      expect(operation['description'], path).toMatch(/^[A-Z`]./)
      for (const parameter of (operation['parameters'] ?? []) as JsonSchema[]) {
        expect(parameter['description'], `${path} ${String(parameter['name'])}`).toMatch(/^[A-Z`]./)
      }
    }
  }
})

test('every tag is described', () => {
  for (const text of Object.values(written)) {
    for (const { name, description } of JSON.parse(text).tags) {
      expect(description, `say in openapi-info.ts what ${name} is`).not.toBe(name)
    }
  }
})
