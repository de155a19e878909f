import { test } from 'vitest'
import { at, opens, press, scene, settle, waitForDialog, walk } from './walk.ts'

/** The pages outside a company, and those of companies that have nothing yet or may not be opened. */
export const testMemberPages = (): void => {
  test('signing in and the consent have nothing wrong', async () => {
    await walk('sign-in', undefined, async ({ page, context, open, look }) => {
      await open('/sign-in')
      await look('start')
      await press(page, 'Sign in with electronic identity')
      const demo = page.getByRole('link', { name: /demo identity/ })
      await demo.waitFor()
      await look('waiting')
      await open((await demo.getAttribute('href'))!)
      await look('demo-identity')
      await open(scene().authorizeUrl)
      await look('for-an-app')
      await open(scene().authorizeUrl.replace(/client_id=\w+/, 'client_id=app_0123456789abcdefghijkl'))
      await look('unknown-app')
      await open('/nowhere')
      await look('unknown-page')
      await context.clearCookies()
    })
    await walk('consent', 'owner', async ({ page, open, look, takeForReadme }) => {
      await open(scene().authorizeUrl)
      await look('requested')
      await takeForReadme('consent', 600)
      await press(page, 'Sign and allow')
      await page.getByRole('alert').first().waitFor()
      await look('nothing-chosen')
      await page.getByRole('radio', { name: /^All my companies/ }).check()
      await press(page, 'Sign and allow')
      await page.getByRole('blockquote').waitFor()
      await look('signing')
    })
  })

  test('choosing and creating a connection for the API reference has nothing wrong', async () => {
    await walk('sandbox-connection', 'owner', async ({ page, open, look }) => {
      await open('/sandbox-connection')
      await look('choose')
      await press(page, /^Use .*Trying out/)
      await page.getByLabel('Credential').waitFor()
      await look('shown-once')
      await page.getByRole('link', { name: 'New sandbox connection' }).first().click()
      await settle(page)
      await look('new')
    })
    await walk('sandbox-connection-to-a-reader', 'reader', async ({ open, look }) => {
      await open('/sandbox-connection')
      await look('no-company')
    })
  })

  test('the demo’s sole trader has nothing wrong', async () => {
    await walk('demo-sole-trader', 'soleTrader', async ({ page, open, look }) => {
      await open('/companies')
      await page.getByRole('main').getByRole('link', { name: 'Foto Lindqvist' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor()
      await settle(page)
      await look('reports')
    })
  })

  test('the documents have nothing wrong', async () => {
    await walk('docs', undefined, async ({ page, open, lookInEnglish }) => {
      await lookInEnglish('front', async () => {
        await open('/docs')
        await press(page, 'Run it here')
        await page.getByRole('status').filter({ hasText: '"metric": "revenue"' }).waitFor()
      })
      for (const name of ['start-here', 'concepts', 'webhooks', 'errors']) {
        await lookInEnglish(name, () => open(`/docs/${name}`))
      }
      await lookInEnglish('search', async () => {
        await open('/docs')
        await page.keyboard.press('Control+k')
        await page.keyboard.type('idempotency')
        await page
          .getByRole('link', { name: /idempotency/i })
          .first()
          .waitFor()
      })
      await lookInEnglish('api', async () => {
        await open('/docs/api')
        await page.getByText('Push one delivery').first().waitFor({ state: 'attached' })
      })
    })
  })

  test('a member’s own pages have nothing wrong', async () => {
    await walk('own', 'owner', async ({ page, open, look }) => {
      await open('/')
      await look('companies')
      await open('/apps')
      await look('apps')
      await press(page, /^Show calls/)
      await page.getByText('Listed your companies').waitFor()
      await look('apps-calls')
      await press(page, /^End access/)
      await waitForDialog(page)
      await look('apps-ending')
      await open('/signatures')
      await look('signatures')
      await open('/sessions')
      await look('sessions')
    })
    await walk('newcomer', 'newcomer', async ({ open, look }) => {
      await open('/')
      await look('companies')
      await open('/apps')
      await look('apps')
      await open('/signatures')
      await look('signatures')
      await open('/sessions')
      await look('sessions')
      await open(scene().invitation)
      await look('invitation')
    })
  })

  test('an empty company has nothing wrong', async () => {
    const { emptyCompany } = scene()
    await walk('empty', 'owner', async ({ open, look }) => {
      for (const part of opens.owner) {
        await open(`${emptyCompany}/${part}`)
        await look(part)
      }
    })
    await walk('empty-to-a-reader', 'reader', async ({ open, look }) => {
      await open(`${emptyCompany}/reports`)
      await look('reports')
    })
  })

  test('error pages have nothing wrong', async () => {
    const { company, foreignCompany } = scene()
    await walk('mishaps', 'developer', async ({ page, context, open, look }) => {
      await open(`${company}/members`)
      await look('role-needed')
      await open(`${foreignCompany}/reports`)
      await look('foreign-company')
      await open(`${company}/no-such-page`)
      await look('unknown-page')
      const reports = '**/console/companies/*/reports*'
      await page.route(reports, (route) =>
        route.fulfill({
          status: 503,
          json: { code: 'unavailable', message: 'Later.' },
          headers: { 'retry-after': '60' },
        }),
      )
      await open(`${company}/reports`)
      await look('service-away')
      await page.unroute(reports)
      await page.route(reports, () => {})
      await page.goto(at(`${company}/reports`))
      await page.getByRole('status').filter({ hasText: 'One moment' }).waitFor({ state: 'attached' })
      await look('loading')
      await page.unroute(reports)
      await open(`${company}/deliveries`)
      await context.setOffline(true)
      await page.getByText('You are offline. What you see').waitFor()
      await look('offline')
      await context.setOffline(false)
      await open(`${company}/connections/new`)
      await page.getByLabel('Name').fill('Solna nightly')
      await context.clearCookies()
      await page.getByRole('checkbox', { name: 'Send' }).check()
      await page.getByLabel('Source', { exact: true }).selectOption('Web shop')
      await press(page, 'Create and sign')
      await waitForDialog(page)
      await look('signed-out')
    })
  })
}
