/// <reference types="node" />
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { beforeAll } from 'vitest'
import { type DocumentFacts, withFacts } from '../../../src/platform/web-app/document-facts.ts'
import { getPageHeaders } from '../../../src/platform/web-app/page-headers.ts'
import {
  type OpenedPage,
  type OpenOptions,
  origin,
  startBrowserForTests,
} from '../../../testing/browser/browser-for-tests.ts'
import { answerCall, type Call, type Replies } from './api-stub.ts'

/** The time at which every page is opened. */
const openedAt = '2026-11-20T10:00:00Z'

const webFolder = join(import.meta.dirname, '..', '..')

/** The built pages, as users get them: the text of each file by its path. */
async function readPages(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  const built = join(webFolder, 'dist')
  for await (const name of glob('**/*.{html,js,css,svg}', { cwd: built })) {
    files.set(`/${name}`, await readFile(join(built, name), 'utf8'))
  }
  return files
}

/** Builds the page of the kit's components, which the pages do not include. */
async function buildKit(): Promise<Map<string, string>> {
  const { output } = (await build({
    root: webFolder,
    configFile: false,
    logLevel: 'error',
    // The test runner's own `test` would take React's development build.
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    build: {
      write: false,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { input: join(webFolder, 'src', 'testing', 'kit.html') },
    },
  })) as Rolldown.RolldownOutput
  return new Map(
    output.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source.toString()]),
  )
}

const contentTypes: Record<string, string> = {
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
}

/** What the frame requests on every page, and each report; tests may override it. */
const frameReplies: Replies = {
  'GET /console/companies': () => ({ companies: [] }),
  'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}/annotations': () => ({
    notes: [],
    targets: { revision: 0, months: [], saved_by: null, saved_at: null },
  }),
  'GET /console/companies/{company_id}/label-names': () => ({ labels: [] }),
  'PUT /console/companies/{company_id}/sources/{source_id}/reports/{metric}/look': () => ({
    looked_at: null,
    changed: [],
  }),
  'GET /console/companies/{company_id}/views': () => ({ views: [] }),
  'GET /console/companies/{company_id}/attention': () => ({ items: [], more: false }),
}

/** The service's headers of a page, with its content policy. */
function documentHeaders(document: string): Record<string, string> {
  return { ...getPageHeaders(document), 'content-type': 'text/html; charset=utf-8' }
}

export interface OpenedCompanyPage extends OpenedPage {
  /** The calls that the test has a reply for: the frame's own may come at any moment. */
  calls: Call[]
  /** The bodies that the page sent to one operation. */
  sentTo(operation: Call['operation']): unknown[]
}

export interface PageOptions extends OpenOptions {
  /** Facts that the service writes into the document. */
  facts?: DocumentFacts
}

/** Opens a path of the pages, with its query; the replies stand in for the service. */
export type OpenPage = (path: string, replies: Replies, options?: PageOptions) => Promise<OpenedCompanyPage>

/** Starts a browser with the pages, or the kit, for the tests of a file, without a service behind them. */
export function startPages(which: 'pages' | 'kit' = 'pages'): OpenPage {
  const openPage = startBrowserForTests()
  let files: Map<string, string>
  beforeAll(async () => {
    files = which === 'kit' ? await buildKit() : await readPages()
  }, 60_000)

  return async (path, replies, { facts = {}, ...options } = {}) => {
    const calls: Call[] = []
    const opened = await openPage(
      path,
      async (route, url) => {
        if (url.origin !== origin) return route.fulfill({ contentType: 'text/html', body: 'Elsewhere' })
        if (url.pathname.startsWith('/console/')) {
          return answerCall(route, { ...frameReplies, ...replies }, (call) => {
            if (call.operation in replies) calls.push(call)
          })
        }
        const file = files.get(url.pathname)
        if (file === undefined) {
          const index = files.get('/index.html')!
          return route.fulfill({ headers: documentHeaders(index), body: withFacts(index, facts) })
        }
        const type = url.pathname.split('.').at(-1)!
        if (type === 'html') return route.fulfill({ headers: documentHeaders(file), body: file })
        return route.fulfill({ contentType: contentTypes[type]!, body: file })
      },
      { openedAt, ...options },
    )
    return {
      ...opened,
      calls,
      sentTo: (operation) => calls.filter((call) => call.operation === operation).map(({ body }) => body),
    }
  }
}
