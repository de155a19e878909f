import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { isTooWide, painted, violations } from '../testing/browser/screens.ts'
import { type Service, startService } from '../testing/process/start-service.ts'

/** The most that a page may transfer with all that it loads, without the search, which is loaded later. */
const pageBytesMax = 60_000

/** More than there are, so that links that never end are noticed. */
const pagesMax = 60

let service: Service
let browser: Browser
beforeAll(async () => {
  ;[service, browser] = await Promise.all([startService(), shareBrowser()])
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
})

/** A page in a browser of its own, with its complaints and its requests to other hosts. */
const openPage = async (path: string): Promise<{ page: Page; wrong: string[] } & AsyncDisposable> => {
  const context = await browser.newContext({
    locale: 'en-GB',
    permissions: ['clipboard-read', 'clipboard-write'],
    reducedMotion: 'reduce',
  })
  const wrong: string[] = []
  context.on('weberror', (error) => wrong.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text())
  })
  context.on('request', (request) => {
    if (!request.url().startsWith(service.url)) wrong.push(`requested ${request.url()}`)
  })
  const page = await context.newPage()
  await page.goto(`${service.url}${path}`)
  return { page, wrong, [Symbol.asyncDispose]: () => context.close() }
}

/** The addresses of all documents, by following links from the front page. */
const findDocuments = async (): Promise<string[]> => {
  const found = new Set<string>()
  const waiting = ['/docs', '/docs/sv']
  while (waiting.length > 0 && found.size < pagesMax) {
    const address = waiting.shift()!
    if (found.has(address)) continue
    found.add(address)
    const html = await (await fetch(service.url + address)).text()
    for (const [, link] of html.matchAll(/href="(\/docs\/(?:sv\/)?[\w-]+)[#"]/g)) {
      if (link !== '/docs/api') waiting.push(link!)
    }
  }
  expect(found.size).toBeLessThan(pagesMax)
  return [...found]
}

const widths = [320, 768, 1_280, 2_560]

test('Every document is accessible at every width, in light and dark, and loads nothing from another host', async () => {
  const documents = await findDocuments()
  expect(documents.length).toBeGreaterThan(8)
  const found: string[] = []
  await using opened = await openPage('/docs')
  const { page, wrong } = opened
  for (const [at, address] of documents.entries()) {
    await page.goto(service.url + address)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await painted(page)
      if (await isTooWide(page)) found.push(`${address} at ${width}: too wide`)
    }
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: widths[at % widths.length]!, height: 900 })
      await painted(page)
      found.push(...(await violations(page)).map((each) => `${address} ${colorScheme}: ${each}`))
    }
  }
  expect(found).toEqual([])
  expect(wrong).toEqual([])
})

const download = async (path: string): Promise<{ bytes: number; text: string }> => {
  const body = await new Promise<Buffer>((resolve, reject) => {
    request(service.url + path, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => resolve(Buffer.concat(chunks)))
    })
      .on('error', reject)
      .end()
  })
  return { bytes: body.length, text: (body[0] === 0x1f ? gunzipSync(body) : body).toString() }
}

test('Every document is small, with all that it loads', async () => {
  const heavy: string[] = []
  for (const address of await findDocuments()) {
    const { bytes, text } = await download(address)
    const loaded = [...text.matchAll(/(?:src|<link rel="(?:stylesheet|icon)" href)="([^"]+)"/g)].map(
      ([, path]) => path!,
    )
    const all = await Promise.all([...new Set(loaded)].map((path) => download(path)))
    const sum = all.reduce((total, each) => total + each.bytes, bytes)
    if (sum > pageBytesMax) heavy.push(`${address}: ${sum} bytes`)
  }
  expect(heavy).toEqual([])
})

test('A block of code is copied exactly', async () => {
  await using opened = await openPage('/docs/webhooks')
  const { page, wrong } = opened
  const block = page.locator('figure.code').first()
  await block.getByRole('button', { name: 'Copy' }).click()
  await block.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    await block.locator('code').textContent(),
  )
  expect(wrong).toEqual([])
})

test('The signature checker names the part that does not match, and sends nothing', async () => {
  await using opened = await openPage('/docs/webhooks')
  const { page, wrong } = opened
  const form = page.getByRole('form', { name: 'Check a signature' })
  const secret = 'nws_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg'
  const body = '{"amount":"249.50"}'
  const t = Math.floor(Date.now() / 1_000)
  const sign = (signed: string): string =>
    `t=${t},v1=${createHmac('sha256', secret).update(signed).digest('hex')}`
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const check = async (signature: string): Promise<void> => {
    await form.getByLabel('Service-Signature').fill(signature)
    await form.getByRole('button', { name: 'Check' }).click()
  }
  await form.getByLabel('Signing secret').fill(secret)
  await form.getByLabel('Service-Delivery-Id').fill('order:1001')
  await form.getByLabel('Body', { exact: true }).fill(body)

  await check(sign(`${t}.order:1001.${body}`))
  await form.getByText('Fits: v1 is the signature of this body with this secret.').waitFor()
  expect(await form.getByText('Does not match').count()).toBe(0)
  await check(sign(`${t}.order:1001.${body}\n`))
  await form.getByText(/Does not match: The body was signed with a line feed at its end/).waitFor()
  await check(sign(body))
  await form.getByText(/Does not match: Only the body was signed/).waitFor()
  await form.getByLabel('Or the body as a file').setInputFiles({
    name: 'body.json',
    mimeType: 'application/json',
    buffer: Buffer.from(`${body}\n`),
  })
  await check(sign(`${t}.order:1001.${body}\n`))
  await form.getByText('Fits: v1 is').waitFor()
  expect(await violations(page)).toEqual([])
  expect(requests).toEqual([])
  expect(wrong).toEqual([])
})

test('In Swedish, search leads to Swedish pages, and to English ones where there are no others', async () => {
  await using opened = await openPage('/docs/sv')
  const { page, wrong } = opened
  await page.getByRole('button', { name: 'Sök' }).click()
  const field = page.getByRole('searchbox', { name: 'Sök i dokumentationen' })
  await field.fill('webhook')
  const english = page.getByRole('dialog').locator('a[lang="en"]').first()
  await english.getByText('på engelska').waitFor()
  await field.fill('händelser')
  await page.getByRole('dialog').locator('a[href^="/docs/sv/"]').first().waitFor()
  await field.press('Escape')
  await field.waitFor({ state: 'hidden' })
  expect(wrong).toEqual([])
})
