import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { browserSceneForTests, owner, reader } from '../testing/browser/browser-scene.ts'
import { lookOver } from '../testing/browser/screens.ts'
import type { Service } from '../testing/process/start-service.ts'

const scene = browserSceneForTests()
const { allow, answer, authorizeUrl, backAtApp, comeSignedIn, registerApp, signIn, tick } = scene
let service: Service
let page: Page
beforeEach(() => {
  ;({ service, page } = scene)
})

test('Adding shows and signs only what is new, and keeps the end', async () => {
  const app = await registerApp()
  await allow(app)
  await comeSignedIn()
  await page.goto(authorizeUrl(app, { companies: '559999-0016 559999-0024' }))
  await page
    .getByRole('heading', { level: 1, name: 'Ledger Insight wants to read more of your companies’ numbers' })
    .waitFor()
  expect(await page.getByRole('checkbox').count()).toBe(2)
  expect(await tick('Numbers').isChecked()).toBe(true)
  expect(await tick('Norrsken Kaffe AB').isChecked()).toBe(true)
  await page.getByText('What you have already allowed does not change').waitFor()
  expect(await lookOver(page, 'adding')).toEqual([])
  await tick('Norrsken Kaffe AB').uncheck()
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  expect(await page.getByRole('blockquote').textContent()).toContain('metrics.read')
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('Renewal without anything new returns a signed-in member to the app without a question', async () => {
  const app = await registerApp()
  await allow(app)
  await page.goto(authorizeUrl(app, { scope: 'company.read' }))
  await signIn()
  expect(await backAtApp()).toEqual({
    code: expect.stringMatching(/^nac_/),
    state: 'xyz',
    iss: service.url,
  })
  expect(await lookOver(page, 'renewal')).toEqual([])
})

test('A consent works with the keyboard only', async () => {
  const app = await registerApp()
  const press = async (key: string, times = 1): Promise<void> => {
    for (let pressed = 0; pressed < times; pressed++) await page.keyboard.press(key)
  }
  const focused = (): Promise<string> =>
    page.locator(':focus').evaluate((element) => (element as { innerText?: string }).innerText ?? '')
  await page.goto(authorizeUrl(app, { companies: '559999-0016' }))
  await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  await press('Tab', 2)
  expect(await focused()).toBe('Sign in with electronic identity')
  await press('Enter')
  await page.getByRole('link', { name: /demo identity/ }).waitFor()
  await answer(owner)

  // The focus moves to the new heading, so that it is read out.
  await page.getByRole('heading', { level: 1, name: /wants to read your companies/ }).waitFor()
  await expect.poll(focused).toContain('Ledger Insight')
  await press('Tab')
  await press('Space')
  expect(await tick('Your companies').isChecked()).toBe(false)
  await press('Enter')
  expect(await page.getByRole('button', { name: 'Sign and allow' }).isEnabled()).toBe(true)
  // Numbers, the choice of companies, the three companies, the link to the apps, the button.
  await press('Tab', 2)
  await press('ArrowUp')
  expect(await page.getByRole('radio', { name: 'All my companies' }).isChecked()).toBe(true)
  await press('ArrowDown')
  await press('Tab', 5)
  expect(await focused()).toBe('Sign and allow')
  await press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Sign' }).waitFor()
  expect(await focused()).toBe('Sign')
  await press('Tab')
  expect(await focused()).toContain('Open the demo identity')
  await answer(owner)
  expect(await backAtApp()).toMatchObject({ code: expect.stringMatching(/^nac_/) })
})

test('A member’s only company is ticked, and later ones may be allowed too', async () => {
  const app = await registerApp()
  await comeSignedIn(reader)
  await page.goto(authorizeUrl(app))
  await page.getByRole('button', { name: 'Sign and allow' }).waitFor()
  expect(await tick('Ekeby Handel AB').isChecked()).toBe(true)
  await page.getByRole('radio', { name: 'All my companies, including new ones' }).check()
  expect(await tick('Ekeby Handel AB').count()).toBe(0)
  await page.getByRole('button', { name: 'Sign and allow' }).click()
  await page.getByText(/all my companies, including new ones/).waitFor()
})
