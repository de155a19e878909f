import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { createTestContext } from '../../../testing/in-process/test-context.ts'
import { buildApp } from '../../app/app.ts'
import type { App } from '../http/contract.ts'
import type { PageEntry } from './page-table.ts'
import { noPages, readPages } from './web-app.ts'

const index = '<!doctype html><script type="module" src="/assets/main-A1.js"></script>'

const page = { scripts: [], calls: [], isReturnable: true }

let database: TestDatabase
let folder: string
let app: App
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'numera-pages-'))
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), index)
  await writeFile(join(folder, 'reference.html'), '<!doctype html><title>API reference</title>')
  await writeFile(
    join(folder, 'pages.json'),
    JSON.stringify([
      ...['/', '/sign-in', '/apps', '/companies'].map((address) => ({ ...page, address })),
      ...['', '/sources', '/sources/new', '/sources/:source_id'].map((path) => ({
        ...page,
        address: `/companies/:company_id${path}`,
      })),
      {
        address: '/companies/:company_id/reports',
        scripts: ['/assets/frame-C3.js', '/assets/reports-D4.js'],
        calls: ['/console/companies/:company_id/reports?limit=100'],
        isReturnable: true,
      },
    ] satisfies PageEntry[]),
  )
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'assets', 'main-A1.js'), 'export {}')
  await writeFile(join(folder, 'assets', 'main-B2.css'), 'body {}')
  app = await buildApp(createTestContext(database.pool), { pages: await readPages(folder) })
})
afterAll(async () => {
  await app.close()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

test('a page loads from this service only, may not be framed and is not cached', async () => {
  const company = '/companies/01900000-0000-7000-8000-000000000001'
  for (const url of [
    '/',
    '/sign-in',
    '/apps',
    '/apps?a=1',
    '/companies',
    company,
    `${company}/reports?grain=month`,
    `${company}/sources/new`,
    `${company}/sources/01900000-0000-7000-8000-0000000000a1`,
  ]) {
    const answer = await app.inject({ url })
    expect(answer.statusCode).toBe(200)
    expect(answer.payload).toBe(index)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  }
})

const linkAt = async (url: string) => (await app.inject({ url })).headers['link']

test('the document names what its page loads and requests first', async () => {
  const companyId = '01900000-0000-7000-8000-000000000001'
  const session = '</console/session>; rel=preload; as=fetch; crossorigin'
  expect(await linkAt('/apps')).toBe(session)
  expect(await linkAt(`/companies/${companyId}/reports`)).toBe(
    [
      session,
      `</console/companies/${companyId}/reports?limit=100>; rel=preload; as=fetch; crossorigin`,
      '</assets/frame-C3.js>; rel=modulepreload',
      '</assets/reports-D4.js>; rel=modulepreload',
    ].join(', '),
  )
})

test('a browser with a session first paints the frame of signed-in pages, with the document’s own styles only', async () => {
  const style = 'body { margin: 0 }'
  const pages = { ...noPages, index: `<head><style>${style}</style></head><div id="root"></div>` }
  await using ofFrame = await buildApp(createTestContext(database.pool), { pages })
  const answerTo = (cookie: string) => ofFrame.inject({ url: '/companies', headers: { cookie } })
  const hash = createHash('sha256').update(style).digest('base64')
  for (const [cookie, root] of [
    ['numera_session=x', '<div id="root" class="signed-in">'],
    ['a=b; __Host-numera_session=x', '<div id="root" class="signed-in">'],
    ['numera_order=x', '<div id="root">'],
  ] as const) {
    const { payload, headers } = await answerTo(cookie)
    expect(payload, cookie).toContain(root)
    expect(headers['content-security-policy']).toContain(`; style-src 'self' 'sha256-${hash}'; `)
  }
})

test('text in the place of a company id gets into no header', async () => {
  const answer = await app.inject({ url: '/companies/%3E%3B%20rel=x%0D%0Aset-cookie:%20a=b/reports' })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['link']).not.toContain('rel=x')
  expect(answer.headers['link']).not.toContain('/console/companies/')
  expect(answer.headers['set-cookie']).toBeUndefined()
})

test('the address of a page may end in a slash', async () => {
  for (const url of ['/apps/', '/companies/01900000-0000-7000-8000-000000000001/sources/']) {
    const answer = await app.inject({ url })
    expect(answer.statusCode, url).toBe(200)
    expect(answer.payload).toBe(index)
  }
})

test('the document says that it is a demo, or else what people sign in with', async () => {
  const pages = { ...noPages, index: '<!doctype html><head><title>Numera</title></head>' }
  const context = createTestContext(database.pool)
  const { signIn } = context.identity
  const getDocument = async (demo: boolean, name = signIn.name): Promise<string> => {
    const identity = { ...context.identity, demo, signIn: { ...signIn, name } }
    await using ofDeployment = await buildApp({ ...context, identity }, { pages })
    return (await ofDeployment.inject({ url: '/sign-in' })).payload
  }
  expect(await getDocument(true)).toBe(
    '<!doctype html><head><title>Numera</title><meta name="numera-demo" content="yes" /></head>',
  )
  expect(await getDocument(false, 'bankid')).toBe(
    '<!doctype html><head><title>Numera</title><meta name="numera-sign-in" content="bankid" /></head>',
  )
})

const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

test('an unknown address is a page for a browser, with its content policy and 404', async () => {
  for (const url of [
    '/nowhere',
    '/companies/1/2/3/4',
    '/apps/nowhere',
    '/index.html',
    '/companies/1/nowhere?a=1',
  ]) {
    const answer = await app.inject({ url, headers: browser })
    expect(answer.statusCode, url).toBe(404)
    expect(answer.payload).toBe(index)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  }
  expect((await app.inject({ url: '/nowhere', method: 'HEAD', headers: browser })).statusCode).toBe(404)
})

test('an unknown address is an error of the API for programs, and where only programs call', async () => {
  for (const [url, headers] of [
    ['/nowhere', {}],
    ['/nowhere', { accept: '*/*' }],
    ['/nowhere', { accept: 'application/json' }],
    ['/v1/nowhere', browser],
    ['/console/nowhere', browser],
    ['/assets/main-C3.js', browser],
    ['/.well-known/nowhere', browser],
  ] as const) {
    const answer = await app.inject({ url, headers })
    expect(answer.statusCode, url).toBe(404)
    expect(answer.json().code, url).toBe('not_found')
  }
  const posted = await app.inject({ url: '/nowhere', method: 'POST', headers: browser })
  expect(posted.json().code).toBe('not_found')
})

test('assets are cached for a year', async () => {
  const script = await app.inject({ url: '/assets/main-A1.js' })
  expect(script.payload).toBe('export {}')
  expect(script.headers['content-type']).toMatch(/^(text|application)\/javascript/)
  expect(script.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(script.headers['x-content-type-options']).toBe('nosniff')
  const style = await app.inject({ url: '/assets/main-B2.css' })
  expect(style.headers['content-type']).toMatch(/^text\/css/)
})

test('any other file is unknown', async () => {
  for (const url of [
    '/assets/',
    '/assets',
    '/assets/main-C3.js',
    '/assets/..%2fsecret.txt',
    '/assets/%2e%2e/secret.txt',
    '/secret.txt',
    '/index.html',
  ]) {
    const answer = await app.inject({ url })
    expect(answer.statusCode, url).toBe(404)
    expect(answer.json().code).toBe('not_found')
  }
})

test('the start says what to do if the pages are not built', async () => {
  await expect(readPages(join(folder, 'nowhere'))).rejects.toThrow(
    /The pages are not built: .*nowhere\/index\.html.*npm run build/,
  )
})
