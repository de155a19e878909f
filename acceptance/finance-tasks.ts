import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { comeSignedIn } from '../testing/browser/member-in-browser.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { savePicture, savesPictures, screensFolder } from '../testing/browser/screens.ts'
import { signIn } from '../testing/process/console-client.ts'
import type { Service } from '../testing/process/start-service.ts'
import { people } from './demo-people.ts'

// A finance person's ten tasks at the demo's first company. Each begins on the company's start page.

const clicksMax = 5
const timeZone = 'Europe/Stockholm'
const ekeby = 'Ekeby Handel AB'

const today = Temporal.Now.plainDateISO(timeZone)
const lastMonth = today.toPlainYearMonth().subtract({ months: 1 })
/** The month to which the demo's ledger added returns yesterday. */
const closedMonth = today.day < 8 ? lastMonth.subtract({ months: 1 }) : lastMonth
/** The last Friday that was over when it did. */
const friday = today.subtract({ days: ((today.dayOfWeek + 1) % 7) + 1 + (today.dayOfWeek === 6 ? 6 : 0) })
const inWords = (month: Temporal.PlainYearMonth): string =>
  month.toPlainDate({ day: 1 }).toLocaleString('en-GB', { month: 'long', year: 'numeric' })

/** Of a thousand kronor or more. */
const amounts = /\d{1,3}(?:,\d{3})+(?:\.\d+)?/g

interface Task {
  page: Page
  /** A click of the person's, which is counted. */
  click(target: Locator): Promise<void>
  /** The choice in a list: a click opens it, and one chooses. */
  choose(list: Locator, value: string): Promise<void>
  /** The report's card on the start page. */
  card(source: string, metric: string): Locator
}

/** Its first cell is the month, or a short form of it. */
const rowOf = (page: Page, month: Temporal.PlainYearMonth): Locator =>
  page.getByRole('row').filter({ hasText: new RegExp(`^${inWords(month).slice(0, 3)}[a-z]* ${month.year}`) })

/** @param demo the demo, and a browser that its tests share */
export const testFinanceTasks = (demo: () => { service: Service; browser: Browser }): void => {
  describe('A finance person’s tasks', () => {
    let startPage: string
    beforeAll(async () => {
      const { url } = demo().service
      const { body } = await (await signIn(url, people.owner)).get('/console/session')
      const { company_id } = body.companies.find(({ name }: { name: string }) => name === ekeby)
      startPage = `${url}/companies/${company_id}/reports`
    })

    /** Does a task as a member, counts the clicks, and takes a picture of what they see at its end. */
    const doTask = async (
      name: string,
      run: (task: Task) => Promise<void>,
      person = people.owner,
    ): Promise<void> => {
      const { service, browser } = demo()
      const { context, complaints } = await openContext(browser, { viewport: { width: 1_280, height: 900 } })
      await comeSignedIn(context, service.url, person)
      const page = await context.newPage()
      await page.goto(startPage)
      let clicks = 0
      await run({
        page,
        click: async (target) => {
          clicks += 1
          await target.click()
        },
        choose: async (list, value) => {
          clicks += 2
          await list.selectOption(value)
        },
        card: (source, metric) =>
          page
            .getByRole('main')
            .getByRole('listitem')
            .filter({ hasText: source })
            .getByRole('link', { name: metric, exact: true }),
      })
      process.stdout.write(`${name}: ${clicks} clicks\n`)
      if (savesPictures) await savePicture(page, join(screensFolder, 'finance', `${name}.webp`))
      expect(clicks).toBeLessThanOrEqual(clicksMax)
      expect(complaints).toEqual([])
      await context.close()
    }

    test('last month by country against the year before', () =>
      doTask('by-country', async ({ page, click, choose, card }) => {
        await click(card('Web shop', 'Revenue'))
        await choose(page.getByRole('combobox', { name: 'By label' }), 'country')
        await click(page.getByRole('radio', { name: 'Month' }))
        await rowOf(page, lastMonth).waitFor()
        for (const head of ['SE', 'NO', 'FI', 'Year before'])
          await page.getByRole('columnheader', { name: head }).first().waitFor()
        // Each country, their sum, and the year before.
        expect((await rowOf(page, lastMonth).innerText()).match(amounts)!.length).toBeGreaterThan(4)
      }))

    test('why it changed since Friday', () =>
      doTask('since-friday', async ({ page, click, card }) => {
        await click(card('Ledger', 'Revenue'))
        await click(page.getByRole('button', { name: 'As of now' }))
        await page.getByLabel('As of', { exact: true }).last().fill(`${friday}T18:00`)
        await click(page.getByRole('button', { name: 'Show', exact: true }))
        await page.getByRole('note', { name: /As of/ }).waitFor()
        await click(rowOf(page, closedMonth).getByRole('button').last())
        const drawer = page.getByRole('complementary')
        await drawer.getByText('Difference').first().waitFor()
        const yesterday = today.subtract({ days: 1 })
        const day = yesterday.toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
        expect(await drawer.innerText()).toContain(day)
      }))

    test('prove one number', () =>
      doTask('prove', async ({ page, click, card }) => {
        await click(card('Ledger', 'Revenue'))
        await click(rowOf(page, closedMonth).getByRole('button').last())
        await click(page.getByRole('link', { name: 'Prove this number' }))
        await page.getByText('SHA-256').first().waitFor()
      }))

    test('year to date', () =>
      doTask('year-to-date', async ({ page, click, card }) => {
        await click(card('Ledger', 'Revenue'))
        await click(page.getByRole('button', { name: /Last 12 months/ }))
        await click(page.getByRole('button', { name: /^(?:This year|Year to date)$/ }))
        await expect.poll(() => page.url()).toContain('range=year')
        await expect.poll(() => page.locator('tbody').getByRole('row').count()).toBe(today.month)
      }))

    test('all sources together', () =>
      doTask('together', async ({ page, click }) => {
        // The ledger of a month is the sum of its sources, whichever is corrected last.
        const ledger = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Ledger' })
        const [sum] = (await ledger.innerText()).match(amounts)!
        await click(page.getByRole('link', { name: 'New view' }))
        for (const source of ['Web shop', 'Wholesale', 'Returns'])
          await click(page.getByRole('checkbox', { name: `Revenue · ${source}` }))
        await click(page.getByRole('button', { name: 'Show', exact: true }))
        await rowOf(page, lastMonth).waitFor()
        expect((await rowOf(page, lastMonth).innerText()).match(amounts)![0]).toBe(sum)
      }))

    test('revenue per active user', () =>
      doTask('per-user', async ({ page, click }) => {
        await click(page.getByRole('link', { name: 'Revenue of the company' }))
        await rowOf(page, lastMonth).waitFor()
        expect(await page.getByRole('main').innerText()).toContain('Active users')
        // To four decimals.
        expect(await rowOf(page, lastMonth).innerText()).toMatch(/\d\.\d{4}(?!\d)/)
      }))

    test('a saved view opened by a colleague', () =>
      doTask(
        'view-of-a-colleague',
        async ({ page, click }) => {
          await click(page.getByRole('link', { name: 'Revenue of the company' }))
          await page.getByText('Everyone in the company sees this view.').waitFor()
          await rowOf(page, lastMonth).waitFor()
        },
        people.reader,
      ))

    test('file to Excel', () =>
      doTask('excel', async ({ page, click, card }) => {
        await click(card('Ledger', 'Revenue'))
        const downloading = page.waitForEvent('download')
        await click(page.getByRole('link', { name: 'Excel' }))
        expect((await downloading).suggestedFilename()).toMatch(/^Ekeby.*Ledger.*\.xlsx$/)
      }))

    test('a note', () =>
      doTask('note', async ({ page, click, card }) => {
        await click(card('Ledger', 'Revenue'))
        await page.getByText('Returns booked late').first().waitFor()
        await click(page.getByRole('button', { name: /^Add a note: / }).first())
        await page.getByLabel('Note', { exact: true }).fill('Seen with the auditor.')
        await click(page.getByRole('button', { name: 'Save note' }))
        await page.getByRole('listitem').filter({ hasText: 'Seen with the auditor.' }).waitFor()
      }))

    test('what needs attention', () =>
      doTask('attention', async ({ page, click }) => {
        await click(page.getByRole('link', { name: /^Attention/ }))
        const list = page.getByRole('main').getByRole('listitem')
        await list
          .filter({ hasText: new RegExp(`Ledger.* corrected .*${inWords(closedMonth)}`, 'i') })
          .waitFor()
        await list.filter({ hasText: /Returns.* is paused/ }).waitFor()
      }))
  })
}
