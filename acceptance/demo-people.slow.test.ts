import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ConsoleClient, signIn } from '../testing/process/console-client.ts'
import { call } from '../testing/process/call.ts'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { people } from './demo-people.ts'
import { testFinanceTasks } from './finance-tasks.ts'
import { freePort } from '../testing/process/free-port.ts'
import { isTooWide, lookOver, violations } from '../testing/browser/screens.ts'
import { type Service, startService } from '../testing/process/start-service.ts'

const demoCredential = 'nsk_demo_reads_fixture_samples'

let service: Service
let browser: Browser
let owner: ConsoleClient
beforeAll(async () => {
  ;[service, browser] = await Promise.all([
    startService({ words: ['demo'], isDatabaseNew: true }),
    shareBrowser(),
  ])
  owner = await signIn(service.url, people.owner)
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
})

const readRoles = async (person: keyof typeof people): Promise<string[]> => {
  const { body } = await (await signIn(service.url, people[person])).get('/console/session')
  return body.companies.map(({ name, role }: { name: string; role: string }) => `${role} of ${name}`)
}

test('a visitor can sign in as each person with one click', async () => {
  for (const [role, person] of Object.entries(people)) {
    const context: BrowserContext = await browser.newContext({ locale: 'en-GB' })
    context.setDefaultTimeout(30_000)
    const page: Page = await context.newPage()
    await page.goto(`${service.url}/sign-in`)
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    const opening = context.waitForEvent('page')
    await page.getByRole('link', { name: /demo identity/ }).click()
    const window = await opening
    expect(await lookOver(window, `demo-identity-${role}`)).toEqual([])
    await window.getByRole('button', { name: person.name }).click()
    await window.getByText('You can close this page').waitFor()
    await window.close()
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText(person.name).first().waitFor()
    await context.close()
  }
  expect(await readRoles('owner')).toEqual(['owner of Ekeby Handel AB', 'owner of Norrsken Kaffe AB'])
  expect(await readRoles('developer')).toEqual(['developer of Ekeby Handel AB'])
  expect(await readRoles('reader')).toEqual(['reader of Ekeby Handel AB'])
  expect(await readRoles('invited')).toEqual(['developer of Ekeby Handel AB'])
  expect(await readRoles('stranger')).toEqual([])
})

test('a visitor of the documents reads with the demo credential, and pushes with one of their own', async () => {
  const context = await browser.newContext({ locale: 'en-GB' })
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  const wrong: string[] = []
  context.on('weberror', (error) => wrong.push(String(error.error())))
  context.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text())
  })
  await page.goto(`${service.url}/docs`)
  const run = page.getByRole('button', { name: 'Run it here' })
  const answers = page.getByRole('status')
  await run.click()
  await answers.filter({ hasText: '"metric": "revenue"' }).waitFor()
  await page.getByRole('button', { name: 'Get a sandbox credential' }).click()
  await run.nth(1).click()
  await answers.filter({ hasText: '"sandbox": true' }).first().waitFor()
  const back = answers.filter({ hasText: '"sandbox": true' }).filter({ hasText: '"value": "200"' })
  for (let attempt = 0; attempt < 20 && (await back.count()) === 0; attempt++) {
    await run.nth(2).click()
    await sleep(500)
  }
  expect(await back.count()).toBe(1)
  expect(await violations(page)).toEqual([])
  expect(await isTooWide(page)).toBe(false)
  expect(wrong).toEqual([])
  await context.close()
})

const isFresh = ({ received_at }: { received_at: string }): boolean =>
  Date.parse(received_at) > Date.now() - 10 * 60_000

test('the demo has today’s deliveries soon after the start', async () => {
  const until = Date.now() + 30_000
  const companies = (await owner.get('/console/session')).body.companies as { company_id: string }[]
  let fresh = 0
  while (fresh === 0 && Date.now() < until) {
    for (const { company_id } of companies) {
      const { deliveries } = (await owner.get(`/console/companies/${company_id}/deliveries?limit=20`)).body
      fresh += deliveries.filter(isFresh).length
    }
    await sleep(500)
  }
  expect(await readFile(join(service.dataFolder, 'demo.sent-until'), 'utf8')).toMatch(/^\d{4}-/)
  // There are no sales before seven in the morning.
  if (Temporal.Now.zonedDateTimeISO('Europe/Stockholm').hour >= 9) expect(fresh).toBeGreaterThan(0)
})

testFinanceTasks(() => ({ service, browser }))

/** Runs `numera` on the demo's folder, and gives how it ended. */
const numera = (words: string[]): Promise<{ code: number | null; err: string }> =>
  new Promise((resolve) => {
    const entry = join(import.meta.dirname, '../src/main.ts')
    const child = execFile(
      process.execPath,
      [entry, ...words],
      { env: service.environment, timeout: 60_000 },
      (_error, _out, err) => resolve({ code: child.exitCode, err }),
    )
  })

test('--reset recreates the demo without earlier data: not while it runs, and not without confirmation', async () => {
  const made = await owner.post('/console/demo-companies', { name: 'Mitt eget AB' })
  expect(made.status).toBe(201)
  // On a free port: a used one is reported before the folder is checked.
  expect(await numera(['demo', '--reset', '--yes', '--port', String(await freePort())])).toMatchObject({
    code: 1,
    err: expect.stringContaining('in use by another Numera service'),
  })
  await service.stop()
  expect(await numera(['demo', '--reset'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no terminal for a confirmation'),
  })
  await service.start()
  const before = await signIn(service.url, people.owner)
  expect((await before.get('/console/session')).body.companies).toHaveLength(3)
  await service.stop()

  const recreated = await startService({
    words: ['demo', '--reset', '--yes'],
    dataFolder: service.dataFolder,
    isDatabaseNew: true,
  })
  try {
    const after = await signIn(recreated.url, people.owner)
    expect((await after.get('/console/session')).body.companies).toHaveLength(2)
    const read = await call(`${recreated.url}/v1/samples?metric=revenue`, { credential: demoCredential })
    expect(read.body.samples.length).toBeGreaterThan(100)
  } finally {
    await recreated[Symbol.asyncDispose]()
  }
}, 900_000)

test('with --reset-at the demo is recreated at that time, by the same process', async () => {
  const at = new Date(Date.now() + 3 * 60_000).toTimeString().slice(0, 5)
  await service.stop()
  const nightly = await startService({
    words: ['demo', '--reset-at', at],
    // Creating one may take longer than the time until then.
    ...(service.isDatabaseOwn && { dataFolder: service.dataFolder }),
    isDatabaseNew: true,
  })
  try {
    const { pid } = nightly.process()
    const before = await signIn(nightly.url, people.owner)
    expect((await before.post('/console/demo-companies', { name: 'Mitt eget AB' })).status).toBe(201)
    expect((await call(`${nightly.url}/docs/demo`)).body).toMatchObject({ resets_at: at })
    const isGone = async (): Promise<boolean> => {
      try {
        const { body } = await (await signIn(nightly.url, people.owner)).get('/console/session')
        return body.companies.length === 2
      } catch {
        return false
      }
    }
    const until = Date.now() + 9 * 60_000
    while (!(await isGone())) {
      if (Date.now() > until) throw new Error(`it was not recreated:\n${nightly.output()}`)
      await sleep(2_000)
    }
    expect(nightly.process().pid).toBe(pid)
    expect(nightly.process().exitCode).toBeNull()
  } finally {
    await nightly[Symbol.asyncDispose]()
  }
}, 900_000)
