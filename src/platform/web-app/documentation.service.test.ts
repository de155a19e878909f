import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../app/app.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import type { App } from '../http/contract.ts'
import { noPages, readPages } from './web-app.ts'

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database[Symbol.asyncDispose]())

describe('A deployment that is no demo', () => {
  let folder: string
  let app: App
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'numera-documents-'))
    await mkdir(join(folder, 'assets'))
    await mkdir(join(folder, 'sv'))
    for (const name of ['index', 'push', 'sv', 'sv/push', '404', 'sv/404']) {
      await writeFile(join(folder, `${name}.html`), `<!doctype html><h1>${name}</h1>`)
    }
    await writeFile(join(folder, 'push.html.br'), 'as brotli')
    await writeFile(join(folder, 'assets/main-A1.js'), 'export {}')
    await writeFile(join(folder, 'secret.txt'), 'secret')
    const context = createTestContext(database.pool)
    const config = { ...context.config, demoCredential: undefined, baseUrl: 'https://numera.example' }
    app = await buildApp({ ...context, config }, { pages: { ...noPages, documentsFolder: folder } })
  })
  afterAll(async () => {
    await app.close()
    await rm(folder, { recursive: true })
  })

  test('shows the documents at their addresses, to everybody', async () => {
    for (const [url, heading] of [
      ['/docs', 'index'],
      ['/docs/push', 'push'],
      ['/docs/sv', 'sv'],
      ['/docs/sv/push', 'sv/push'],
      ['/docs/push?from=search', 'push'],
    ] as const) {
      const answer = await app.inject({ url })
      expect(answer.statusCode, url).toBe(200)
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.payload).toContain(`<h1>${heading}</h1>`)
    }
  })

  test('lets a document load from this service alone and call the documents alone', async () => {
    const { headers } = await app.inject({ url: '/docs/push' })
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
        "connect-src https://numera.example/docs/; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('keeps a document for a minute and then asks whether it is the same, and what it loads for a year', async () => {
    const page = await app.inject({ url: '/docs/push' })
    expect(page.headers['cache-control']).toBe('public, max-age=60')
    expect(page.headers['last-modified']).toBeDefined()
    const again = await app.inject({
      url: '/docs/push',
      headers: { 'if-none-match': String(page.headers['etag']) },
    })
    expect(again.statusCode).toBe(304)
    const script = await app.inject({ url: '/docs/assets/main-A1.js' })
    expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(script.headers['content-type']).toMatch(/javascript/)
  })

  test('sends the compressed form to who takes it', async () => {
    const answer = await app.inject({ url: '/docs/push', headers: { 'accept-encoding': 'br' } })
    expect(answer.payload).toBe('as brotli')
    expect(answer.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/html; charset=utf-8',
      vary: expect.stringMatching(/accept-encoding/i),
    })
  })

  test('leads from an address with a slash or a suffix to the document', async () => {
    for (const [url, location] of [
      ['/docs/', '/docs'],
      ['/docs/push/', '/docs/push'],
      ['/docs/push.html', '/docs/push'],
      ['/docs/sv/', '/docs/sv'],
      ['/docs/sv/push/', '/docs/sv/push'],
    ] as const) {
      const answer = await app.inject({ url })
      expect([answer.statusCode, answer.headers['location']], url).toEqual([308, location])
    }
  })

  test('answers an unknown address with a page for a browser and an error for programs, as 404', async () => {
    for (const [url, heading] of [
      ['/docs/nowhere', '404'],
      ['/docs/404', '404'],
      ['/docs/index', '404'],
      ['/docs/nowhere/', '404'],
      ['/docs/sv/nowhere', 'sv/404'],
      ['/docs/assets/none-A1.js', '404'],
      ['/docs/secret.txt', '404'],
      ['/docs/..%2fsecret', '404'],
      ['/docs//numera.example', '404'],
      ['/docs//numera.example/', '404'],
    ] as const) {
      const page = await app.inject({ url, headers: browser })
      expect(page.statusCode, url).toBe(404)
      expect(page.payload).toContain(`<h1>${heading}</h1>`)
      expect(page.headers['cache-control']).toBe('no-store')
      expect(page.headers['content-security-policy']).toContain("script-src 'self'")
      const error = await app.inject({ url })
      expect([error.statusCode, error.json().code], url).toEqual([404, 'not_found'])
    }
  })
})

test('without documents, their addresses are unknown', async () => {
  await using app = await buildApp(createTestContext(database.pool), { pages: noPages })
  for (const url of ['/docs', '/docs/sv', '/docs/push', '/docs/assets/main-A1.js']) {
    expect((await app.inject({ url, headers: browser })).statusCode, url).toBe(404)
  }
})

describe('The documents as they are built', () => {
  let app: App
  let folder: string
  beforeAll(async () => {
    const pages = await readPages()
    folder = pages.documentsFolder!
    app = await buildApp(createTestContext(database.pool), { pages })
  })
  afterAll(() => app.close())

  test('of a demo show its published credential, with the address of the deployment', async () => {
    for (const url of ['/docs', '/docs/sv']) {
      const answer = await app.inject({ url })
      expect(answer.statusCode).toBe(200)
      expect(answer.payload).toContain('Authorization: Bearer nsk_demo_reads_fixture_samples')
      expect(answer.payload).toContain('http://localhost:8080/v1/samples')
      expect(answer.payload).not.toMatch(/%\w+_\w+%/)
      expect(answer.headers['content-security-policy']).toContain(
        'connect-src http://localhost:8080/docs/ http://localhost:8080/v1/;',
      )
    }
  })

  test('of a demo are not sent twice, and compressed to who takes that', async () => {
    for (const url of ['/docs', '/docs/sv']) {
      const whole = await app.inject({ url })
      const small = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
      expect(small.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'public, max-age=60' })
      expect(small.headers['vary']).toMatch(/accept-encoding/i)
      expect(brotliDecompressSync(small.rawPayload).toString()).toBe(whole.payload)
      expect(small.headers['etag']).not.toBe(whole.headers['etag'])
      for (const headers of [{}, { 'accept-encoding': 'br' }]) {
        const first = await app.inject({ url, headers })
        const etag = String(first.headers['etag'])
        const again = await app.inject({ url, headers: { ...headers, 'if-none-match': etag } })
        expect([again.statusCode, again.payload, again.headers['etag']]).toEqual([304, '', etag])
      }
    }
  })

  test('opened under another name of this machine, lead to the address that their calls go to', async () => {
    for (const url of ['/docs', '/docs/push?from=search', '/docs/sv']) {
      const answer = await app.inject({ url, headers: { ...browser, host: '127.0.0.1:8080' } })
      expect([answer.statusCode, answer.headers['location']]).toEqual([307, `http://localhost:8080${url}`])
      const own = await app.inject({ url, headers: { ...browser, host: 'localhost:8080' } })
      expect(own.statusCode).toBe(200)
    }
  })

  test('lead to addresses that the service answers, with the headings that they name', async () => {
    const anchors = new Map<string, Set<string>>()
    const links = new Map<string, string>()
    for await (const name of glob('**/*.html', { cwd: folder })) {
      const html = await readFile(join(folder, name), 'utf8')
      const address = name === 'index.html' ? '/docs' : `/docs/${name.replace(/\.html$/, '')}`
      anchors.set(address, new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id!)))
      for (const [, link] of html.matchAll(/\s(?:href|src)="([/#][^"]*)"/g)) {
        links.set(link!.startsWith('#') ? `${address}${link}` : link!, address)
      }
    }
    expect(links.size).toBeGreaterThan(50)
    const statuses = new Map<string, number>()
    const broken: string[] = []
    for (const [link, from] of links) {
      const [path = '', anchor] = link.split('#', 2)
      if (!statuses.has(path))
        statuses.set(path, (await app.inject({ url: path, headers: browser })).statusCode)
      const isOwn = anchors.has(path) && /404|demo/.test(path)
      if (statuses.get(path) !== 200 && !isOwn) broken.push(`${from} leads to ${link}: ${statuses.get(path)}`)
      if (anchor !== undefined && anchors.get(path)?.has(decodeURIComponent(anchor)) !== true) {
        broken.push(`${from} leads to ${link}: no such heading`)
      }
    }
    expect(broken).toEqual([])
  })
})
