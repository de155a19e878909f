import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { comeSignedIn } from '../testing/browser/member-in-browser.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { openShop, owner, type Shop, sourceBody } from '../testing/process/shop.ts'

// A source's quick start, run as shown.

let service: Service
let browser: Browser
let shop: Shop
let folder: string
let context: BrowserContext
let page: Page
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-quick-start-'))
  ;[service, browser] = await Promise.all([startService({ words: ['serve'] }), shareBrowser()])
  shop = await openShop(service)
  ;({ context } = await openContext(browser))
  await comeSignedIn(context, service.url, owner)
  page = await context.newPage()
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const standIns = ['curl', 'openssl'].map(
  (tool) =>
    `command -v ${tool} >/dev/null || ${tool}() { "${process.execPath}" "${import.meta.dirname}/${tool}-stand-in.ts" "$@"; }`,
)

/** Writes lines into a shell one after the other, as if they were pasted. Returns the output. */
const paste = async (shell: string, lines: readonly string[]): Promise<string> => {
  const child = spawn(shell, [], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)))
  // The Node of this test, not the machine's own.
  child.stdin.end([`node() { "${process.execPath}" "$@"; }`, ...standIns, ...lines, ''].join('\n'))
  await once(child, 'close')
  return printed
}

const openQuickStart = async (sourceId: string): Promise<void> => {
  await page.goto(`${service.url}/companies/${shop.company.companyId}/sources/${sourceId}/start`)
  await page.getByText('Waiting for your first delivery …').waitFor()
  await page.locator('pre').first().waitFor()
}

/** The shown code, block by block. */
const shownCode = (): Promise<string[]> => page.locator('pre').allInnerTexts()

const arrived = (): Promise<void> =>
  page.getByRole('heading', { name: 'Your first delivery has arrived' }).waitFor()

/** A new source, the file of its connection's page, and its quick start. */
const openPushSource = async (format: string | null): Promise<void> => {
  const { body: source } = await shop.browser.post(`${shop.pages}/sources`, {
    ...sourceBody({ name: `Push ${randomUUID()}` }),
    format: format,
  })
  const { clientId, secret } = await shop.connect({ source_id: source.source_id, credential_kind: 'client' })
  await writeFile(
    join(folder, 'numera.env'),
    `NUMERA_URL='${service.url}'\nNUMERA_CLIENT_ID='${clientId}'\nNUMERA_CLIENT_SECRET='${secret}'\n`,
  )
  await openQuickStart(source.source_id)
}

test.each([null, 'csv', 'json_lines'])(
  'The curl commands of a source of %s bring a delivery',
  async (format) => {
    await openPushSource(format)
    expect(await paste('sh', await shownCode())).toContain('"status":"queued"')
    await arrived()
    await page.getByText('1 accepted, 0 refused').waitFor()
  },
)

const hasPython = spawnSync('python3', ['--version']).status === 0

test.each([
  ['TypeScript', 'push.ts', true],
  ['Python', 'push.py', hasPython],
])('The program in %s brings one, started as its first line says', async (language, file, canRun) => {
  await openPushSource(null)
  await page.getByRole('radio', { name: language }).check({ force: true })
  const [code] = await shownCode()
  if (canRun) {
    await writeFile(join(folder, file), code!)
    const start = code!.split('\n')[0]!.replace(/^(\/\/|#) /, '')
    expect(start).toContain(file)
    expect(await paste('sh', [start])).toMatch(/artifact_id/)
    await arrived()
  }
})

test('The webhook commands sign a delivery that is accepted, with a typed secret', async () => {
  const { body: source } = await shop.browser.post(
    `${shop.pages}/sources`,
    sourceBody({ name: 'Hook', channel: 'webhook' }),
  )
  await openQuickStart(source.source_id)
  const [ask, ...send] = await shownCode()
  expect(await paste('bash', [ask!, source.signing_secret, ...send])).toContain('"status":"queued"')
  await arrived()
})
