import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readGuidePages } from '../platform/web-app/guide-pages.ts'
import type { OpenapiDocument } from '../platform/api-documents/openapi-document.ts'
import { writeYaml } from '../platform/api-documents/yaml-text.ts'
import { startTestService } from '../../testing/in-process/test-service.ts'

const { context, app } = await startTestService()
const { baseUrl } = context.config

const texts: [path: string, type: string][] = [
  ['/openapi.json', 'application/json; charset=utf-8'],
  ['/openapi.yaml', 'application/yaml; charset=utf-8'],
  ['/docs/numera.postman_collection.json', 'application/json; charset=utf-8'],
  ['/llms.txt', 'text/plain; charset=utf-8'],
  ['/llms-full.txt', 'text/plain; charset=utf-8'],
]

test('documents of the API may be read from any origin, and are cached and revalidated', async () => {
  for (const [url, type] of texts) {
    const answer = await app.inject({ url, headers: { origin: 'https://app.example' } })
    expect([url, answer.statusCode, answer.headers['content-type']]).toEqual([url, 200, type])
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    })
    const etag = String(answer.headers.etag)
    expect(etag).toMatch(/^"[\w-]{27}"$/)

    const head = await app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag])
    expect(head.headers['content-length']).toBe(String(answer.rawPayload.length))

    const known = await app.inject({ url, headers: { 'if-none-match': etag } })
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag])
    expect(known.headers['access-control-allow-origin']).toBe('*')

    const signedIn = await app.inject({ url, headers: { cookie: 'numera_session=none' } })
    expect([signedIn.statusCode, signedIn.headers['set-cookie']]).toEqual([200, undefined])
  }
})

test('documents of the API are compressed for clients that accept it', async () => {
  for (const [url, type] of texts) {
    const whole = await app.inject({ url })
    for (const [encoding, open] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const headers = { 'accept-encoding': encoding }
      const answer = await app.inject({ url, headers })
      expect(answer.headers).toMatchObject({
        'content-type': type,
        'content-encoding': encoding,
        vary: expect.stringMatching(/accept-encoding/i),
      })
      expect(open(answer.rawPayload).toString()).toBe(whole.payload)
      expect(answer.rawPayload.length).toBeLessThan(whole.rawPayload.length)
      const etag = String(answer.headers['etag'])
      expect(etag).not.toBe(whole.headers['etag'])
      const known = await app.inject({ url, headers: { ...headers, 'if-none-match': etag } })
      expect([known.statusCode, known.body]).toEqual([304, ''])
    }
  }
})

test('the YAML is written in parts, between which other work runs', async () => {
  const document = (await app.inject('/openapi.json')).json<OpenapiDocument>()
  let turns = 0
  const counter = setInterval(() => turns++)
  await writeYaml(document)
  clearInterval(counter)
  expect(turns).toBeGreaterThan(3)
})

test('the YAML has the content of the JSON, for YAML 1.1 too', async () => {
  const document = (await app.inject('/openapi.json')).json<OpenapiDocument>()
  const { body } = await app.inject('/openapi.yaml')
  expect(parse(body)).toEqual(document)
  expect(parse(body, { version: '1.1' })).toEqual(document)
})

interface Item {
  name: string
  event?: { script: { exec: string[] } }[]
  request: {
    method: string
    auth?: { type: string }
    header: { key: string; value: string; disabled?: boolean }[]
    url: { raw: string; path: string[]; query: { key: string; value: string; disabled?: boolean }[] }
    body?: { mode: string; raw?: string; urlencoded?: { key: string; value: string }[] }
  }
}

test('the Postman collection has every operation, each in the folder of its tag, with every example of its body', async () => {
  const document = (await app.inject('/openapi.json')).json<OpenapiDocument>()
  const collection = (await app.inject('/docs/numera.postman_collection.json')).json<{
    info: { schema: string }
    auth: object
    variable: { key: string; value: string }[]
    item: { name: string; item: Item[] }[]
  }>()
  expect(collection.info.schema).toContain('/v2.1.0/')
  expect(JSON.stringify(collection.auth)).toContain('{{credential}}')
  expect(collection.item.map(({ name }) => name)).toEqual(document.tags.map((tag) => tag['name']))

  const wanted = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { requestBody, tags } = operation as {
        requestBody?: { content: Record<string, { examples: object }> }
        tags: string[]
      }
      const examples = Object.values(requestBody?.content ?? {}).flatMap((content) =>
        Object.keys(content.examples),
      )
      const line = `${tags[0]} ${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      return Array.from({ length: Math.max(1, examples.length) }, () => line)
    }),
  )
  const found = collection.item.flatMap(({ name, item }) =>
    item.map(({ request: { method, url } }) => `${name} ${method} /${url.path.join('/')}`),
  )
  expect(found.toSorted()).toEqual(wanted.toSorted())

  const items = collection.item.flatMap(({ item }) => item)
  const names = items.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  const variables = new Set(collection.variable.map(({ key }) => key))
  // Made by the script that signs a webhook.
  variables.add('signature')
  const used = [...JSON.stringify(collection).matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)
  expect(used.filter((name) => !variables.has(name))).toEqual([])
  expect(collection.variable[0]).toMatchObject({ key: 'baseUrl', value: baseUrl })
})

test('each request of the collection has the credentials of its operation', async () => {
  const collection = (await app.inject('/docs/numera.postman_collection.json')).json<{
    item: { item: Item[] }[]
  }>()
  const items = collection.item.flatMap(({ item }) => item)
  const at = (path: string): Item[] => items.filter(({ request }) => request.url.raw.includes(path))
  expect(at('/v1/samples').map(({ request }) => request.auth)).toEqual([undefined, undefined])
  const { request: read } = at('/v1/samples')[0]!
  expect(read.url.query).toContainEqual(
    expect.objectContaining({ key: 'label.country', value: 'SE', disabled: true }),
  )
  const kinds = at('/oauth/token').map(({ request: { auth, body } }) => [
    body!.urlencoded!.find(({ key }) => key === 'grant_type')!.value,
    auth!.type,
  ])
  expect(kinds).toEqual([
    ['authorization_code', 'noauth'],
    ['refresh_token', 'noauth'],
    ['client_credentials', 'basic'],
  ])
  // A document has its key in the header, rows have it inside.
  const sie = at('/v1/ingest').find(({ request }) => request.body!.raw!.startsWith('#FLAGGA'))!
  const toKey = ({ request }: Item) => request.header.find(({ key }) => key === 'Idempotency-Key')
  expect([toKey(sie)!.disabled, toKey(at('/v1/ingest')[0]!)!.disabled]).toEqual([undefined, true])
  for (const { event, request } of at('/v1/webhooks')) {
    expect(request.auth).toEqual({ type: 'noauth' })
    expect(request.header).toContainEqual(
      expect.objectContaining({ key: 'Service-Signature', value: '{{signature}}' }),
    )
    expect(event![0]!.script.exec.join('\n')).toContain('signingSecret')
  }
})

const docs = join(import.meta.dirname, '..', '..', 'docs')

test('llms.txt lists every page with its summary and address, and the documents of the API', async () => {
  const { body } = await app.inject('/llms.txt')
  expect(body).toMatch(/^# Numera\n\n> .+\n\n/)
  const links = [...body.matchAll(/^- \[(.+?)\]\((.+?)\): (.+)$/gm)].map(([, title, address, summary]) => ({
    title,
    address: address!,
    summary,
  }))
  expect(links.filter(({ address }) => !address.startsWith(`${baseUrl}/`))).toEqual([])
  const pages = await readGuidePages()
  for (const { name, title, summary } of pages) {
    expect(links).toContainEqual({ title, address: `${baseUrl}/docs/${name}`, summary })
  }
  const others = links.map(({ address }) => address.slice(baseUrl.length))
  for (const path of [
    '/openapi.json',
    '/openapi.yaml',
    '/docs/numera.postman_collection.json',
    '/llms-full.txt',
  ]) {
    expect(others).toContain(path)
  }
  expect(links).toHaveLength(pages.length + 5)
  for (const { file } of pages) await access(join(docs, file))
})

test('llms-full.txt contains every English page as Markdown, without dead links', async () => {
  const { body } = await app.inject('/llms-full.txt')
  for (const { name, title, language } of await readGuidePages()) {
    expect(body.includes(`# ${title}\n`) && body.includes(`Source: ${baseUrl}/docs/${name}\n`)).toBe(
      language === 'en',
    )
  }
  expect(body).not.toMatch(/^---$[\s\S]{0,40}^title:/m)
  const words = body.replaceAll(/^```[\s\S]*?^```/gm, '')
  const targets = [...words.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
  expect(targets.filter((target) => !/^(?:https?|mailto):/.test(target))).toEqual([])
})
