import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { type PageOptions, startPages } from '../testing/start-pages.ts'

const openPage = startPages('kit')

/** All components on one page. */
async function openKit(options?: PageOptions): Promise<Page> {
  const { page } = await openPage('/src/testing/kit.html', {}, options)
  await page.getByRole('heading', { level: 1, name: 'The kit' }).waitFor()
  return page
}

const focused = (page: Page): Promise<string | null> =>
  page.locator(':focus').evaluate((element) => element.getAttribute('aria-label') ?? element.textContent)

test('Every component fits on a phone and is accessible, light and dark, in each language', async () => {
  const page = await openKit()
  expect(await lookOver(page, 'kit')).toEqual([])
})

test('Every component fits into 320 px', async () => {
  const page = await openKit({ viewport: { width: 320, height: 640 } })
  expect(
    await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0)
})

test('Every control is at least 24 px high and wide', async () => {
  const page = await openKit()
  for (const control of await page
    .locator('button, select, input:not([type=checkbox], [type=radio])')
    .all()) {
    const box = await control.boundingBox()
    if (box === null) continue
    const name = await control.evaluate((element) => element.outerHTML.slice(0, 80))
    expect(box.height, name).toBeGreaterThanOrEqual(24)
    expect(box.width, name).toBeGreaterThanOrEqual(24)
  }
})

test('A busy button keeps the focus and ignores presses; so does a disabled one', async () => {
  const page = await openKit()
  const line = page.getByText(/^pressed \d+ times$/)
  await page.getByRole('button', { name: 'Saving' }).focus()
  await page.keyboard.press('Enter')
  expect(await focused(page)).toBe('Saving')
  expect(await line.textContent()).toBe('pressed 0 times')
  await page.getByRole('button', { name: 'Save', exact: true }).press('Enter')
  expect(await line.textContent()).toBe('pressed 1 times')
})

test('The time to wait is counted down before a call can be retried', async () => {
  const page = await openKit()
  const again = page.getByRole('button', { name: /^Try again/ })
  expect(await again.isDisabled()).toBe(true)
  await page.clock.runFor(30_000)
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await page.getByText('pressed 10 times').waitFor()
})

test('Choices work by keyboard, and announce what is chosen', async () => {
  const page = await openKit()
  const line = page.getByText(/^(year|month) (day|week|month) /)
  await page.getByRole('combobox', { name: 'Range' }).selectOption('month')
  await page.getByRole('radio', { name: 'Month' }).focus()
  await page.keyboard.press('ArrowLeft')
  expect(await page.getByRole('radio', { name: 'Week' }).isChecked()).toBe(true)
  const toggle = page.getByRole('button', { name: 'Year before' })
  await toggle.press('Space')
  expect(await toggle.getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('checkbox', { name: 'Personal' }).press('Space')
  await page.getByText('developer', { exact: true }).click()
  expect(await line.textContent()).toBe('month week true false developer')
  await page.getByRole('radio', { name: 'owner' }).check()
  await page.getByRole('group', { name: 'Role' }).getByText('There are owners enough.').waitFor()
})

test('A form’s problems are summed up with the focus, and each links to its field, which repeats it', async () => {
  const page = await openKit()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await page.getByRole('button', { name: 'Check' }).click()
  const summary = page.getByRole('alert').filter({ hasText: '1 problem' })
  await expect.poll(() => summary.evaluate((element) => element.matches(':focus'))).toBe(true)
  await summary.getByRole('link', { name: 'Write a name.' }).click()
  expect(await name.evaluate((element) => element.matches(':focus'))).toBe(true)
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  const described = (await name.getAttribute('aria-describedby'))!.split(' ')
  expect(await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).textContent()))).toEqual([
    'Write a name.',
    'As your colleagues call the system',
  ])
})

test('An unsaved edit asks before it is left, and staying keeps it', async () => {
  const page = await openKit()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Web shop')
  await page.getByRole('link', { name: 'Above' }).click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Web shop')
  await page.getByRole('link', { name: 'Above' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.getByText('Left').waitFor()
})

test('A table is sorted by exact values, and announces the direction', async () => {
  const page = await openKit()
  const table = page.getByRole('table', { name: 'Figures' })
  const months = (): Promise<string[]> => table.locator('tbody').getByRole('rowheader').allInnerTexts()
  const firsts = async (): Promise<string[]> => (await months()).map((text) => text.slice(0, 3))
  expect(await firsts()).toEqual(['Sep', 'Oct', 'Aug'])
  const head = table.getByRole('columnheader', { name: 'All' })
  expect(await head.getAttribute('aria-sort')).toBe('ascending')
  await head.getByRole('button').press('Enter')
  expect(await head.getAttribute('aria-sort')).toBe('descending')
  expect(await firsts()).toEqual(['Aug', 'Oct', 'Sep'])
  await page.getByText('There is nothing here.').waitFor()
})

test('A menu opens with its button, is used with the arrow keys, and restores the focus', async () => {
  const page = await openKit()
  const button = page.getByRole('button', { name: 'Actions: figures' })
  const panel = page.getByRole('group', { name: 'Actions: figures' })
  await button.press('Enter')
  await panel.waitFor()
  await expect.poll(() => focused(page)).toBe('Copy all')
  await page.keyboard.press('ArrowUp')
  expect(await focused(page)).toBe('Your apps')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'hidden' })
  await expect.poll(() => focused(page)).toBe('Actions: figures')
  // The next key, however early, is the first item’s.
  const focusedAfterOpening = await button.evaluate((opener) => {
    ;(opener as HTMLElement).click()
    return document.activeElement?.textContent
  })
  expect(focusedAfterOpening).toBe('Copy all')
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('copied').waitFor({ state: 'attached' })
  expect(await panel.isVisible()).toBe(false)
})

test('A dialog from a menu traps the focus, starts at its field, and restores it to the menu’s button', async () => {
  const page = await openKit()
  await page.getByRole('button', { name: 'Actions: figures' }).press('Enter')
  await page.getByRole('button', { name: 'Remove' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Remove it?' })
  await dialog.waitFor()
  await expect.poll(() => page.locator(':focus').getAttribute('type')).toBe('text')
  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press('Tab')
    // From the last button, the focus leaves for the browser's controls and returns.
    expect(await page.locator('main :focus').and(page.locator(':not(dialog *)')).count()).toBe(0)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Actions: figures')
})

test('A drawer opens next to the page if there is room, and covers it on a phone', async () => {
  const page = await openKit({ viewport: { width: 1280, height: 840 } })
  const opener = page.getByRole('button', { name: 'Open the drawer' })
  await opener.press('Enter')
  const side = page.getByRole('complementary', { name: 'Sweden, September 2026' })
  await side.waitFor()
  expect((await side.boundingBox())!.width).toBe(416)
  await expect.poll(() => focused(page)).toBe('Sweden, September 2026')
  await page.keyboard.press('Escape')
  await side.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('Open the drawer')

  await page.setViewportSize({ width: 390, height: 844 })
  await opener.press('Enter')
  const covering = page.getByRole('dialog', { name: 'Sweden, September 2026' })
  await covering.waitFor()
  expect((await covering.boundingBox())!.width).toBe(390)
  await covering.getByRole('button', { name: 'Close' }).click()
  await covering.waitFor({ state: 'detached' })
})

test('Copying is announced, and so is a failure', async () => {
  const page = await openKit()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy Source ID' }).click()
  await page.getByRole('status').getByText('Copied').first().waitFor({ state: 'attached' })
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('01900000-0000-7000-8000-0000000000a1')
  await page.clock.runFor(2_500)
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))")
  await page.getByRole('button', { name: 'Copy as table' }).click()
  await page.getByRole('status').getByText('Not copied').first().waitFor({ state: 'attached' })
})

test('Reduced motion is respected', async () => {
  const page = await openKit({ reducedMotion: 'reduce' })
  const moving = await page.evaluate('document.getAnimations().length')
  expect(moving).toBe(0)
})
