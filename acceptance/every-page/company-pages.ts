import { test } from 'vitest'
import { approve } from '../../testing/process/console-client.ts'
import { people } from '../../testing/browser/pages-scene.ts'
import { at, press, scene, waitForDialog, walk } from './walk.ts'

/** The first day of the month before this one. */
const lastMonth = (): string => {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 10)
}

const example = `sold_at,amount,till,customer_email
2026-11-20T09:12:00+01:00,349.00,Kista,anna@example.se
2026-11-20T09:31:00+01:00,"1 249,00",Kista,bo@example.se
2026-11-20T10:02:00+01:00,89.00,Solna,
`

/** The pages of a company with sources, connections and deliveries. */
export const testCompanyPages = (): void => {
  test('the reports have nothing wrong', async () => {
    const { company, sources } = scene()
    await walk('reports', 'owner', async ({ page, open, look, lookOnPhone, takeForReadme }) => {
      await open(`${company}/reports`)
      await look('all')
      await lookOnPhone('menu', () => press(page, /^Men[uy]$/))
      await page.keyboard.press('Control+k')
      await waitForDialog(page)
      await page.keyboard.type('led')
      await look('search')
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await waitForDialog(page)
      await look('keys')
      const revenue = `${company}/reports/${sources.shop}/revenue`
      await open(`${revenue}?grain=month`)
      await look('one')
      await open(`${revenue}?by=country&grain=month`)
      await look('one-by-country')
      await takeForReadme('report')
      await lookOnPhone('one-choices', () => press(page, /^(More options|Fler val)/))
      await open(`${revenue}?by=country&grain=month&trace=${lastMonth()}`)
      await page.getByRole('complementary').getByRole('link').first().waitFor()
      await look('one-traced')
      await open(`${revenue}?by=country&grain=day&range=30d&where.country=SE&where.country=NO`)
      await look('one-by-day-filtered')
      await open(`${company}/reports/${sources.ledger}/revenue`)
      await look('one-restated')
      await open(`${company}/reports/${sources.ledger}/revenue?as_of=${scene().asOf}`)
      await look('one-as-it-was-known')
      await open(`${company}/reports/${sources.ledger}/revenue/evidence?trace=${lastMonth()}&grain=month`)
      await page.getByRole('article').waitFor()
      await look('evidence')
      await open(`${company}/reports/${sources.shop}/active_users`)
      await look('one-distinct')
    })
  })

  test('the views have nothing wrong', async () => {
    const { company, sources } = scene()
    await walk('views', 'owner', async ({ page, open, look }) => {
      await open(`${company}/views/new`)
      await look('new')
      await open(`${company}/views/new?line=${sources.shop}.revenue&line=${sources.ledger}.revenue`)
      await look('unsaved')
      await press(page, 'Save view')
      await waitForDialog(page)
      await page.getByLabel('Name').fill('All revenue')
      await look('saving')
      await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
      await page.getByRole('heading', { level: 1, name: 'All revenue' }).waitFor()
      await look('one')
    })
  })

  test('what needs attention has nothing wrong', async () => {
    const { company } = scene()
    await walk('attention', 'owner', async ({ page, open, look }) => {
      await open(`${company}/attention`)
      await look('all')
      await press(page, 'New feed')
      await waitForDialog(page)
      await look('new-feed')
    })
  })

  test('the sources have nothing wrong', async () => {
    const { company, sources } = scene()
    await walk('sources', 'owner', async ({ page, open, look }) => {
      await open(`${company}/sources`)
      await look('all')
      const first = `${company}/sources/${sources.first}`
      await open(first)
      await look('one')
      await press(page, 'Pause')
      await waitForDialog(page)
      await look('one-pausing')
      await open(`${first}/metrics`)
      await look('one-metrics')
      await open(`${first}/versions`)
      await look('one-versions')
      await open(`${first}/settings`)
      await look('one-settings')
      await press(page, 'Rebuild')
      await waitForDialog(page)
      await look('one-rebuilding')
      await open(`${company}/sources/${sources.till}`)
      await look('one-waiting')
      await open(`${company}/sources/${sources.till}/settings`)
      await look('one-secrets')
      await press(page, 'Rotate')
      await waitForDialog(page)
      await look('one-rotating')
      await open(`${company}/sources/${sources.returns}`)
      await look('one-paused')
    })
  })

  test('creating and changing a source has nothing wrong', async () => {
    const { company, sources } = scene()
    await walk('source-form', 'owner', async ({ page, open, look }) => {
      const next = () => press(page, 'Next')
      await open(`${company}/sources/new`)
      await look('name')
      await next()
      await page.getByRole('alert').first().waitFor()
      await look('name-missing')
      await page.getByLabel('Name', { exact: true }).fill('Solna store')
      await page.getByLabel('Type of system').fill('Till')
      await next()
      await page.getByRole('radio', { name: 'Push' }).check()
      await look('channel')
      await next()
      await look('fields-none')
      await page.getByLabel('Paste a few rows').fill(example)
      await press(page, 'Read example')
      await page.getByText('1 row would be refused').waitFor()
      await look('fields')
      await next()
      await look('event-time')
      await next()
      await page.getByRole('radio', { name: 'Events' }).check()
      await look('events-or-statements')
      await next()
      await look('metrics-proposed')
      await press(page, 'Add metric')
      await page.getByLabel('Metric', { exact: true }).selectOption('revenue')
      await page.getByLabel('Calculation').selectOption('sum')
      await page.getByLabel('Sum of').selectOption('amount')
      await page.getByLabel('Labels').selectOption('till')
      await page.getByText('349').last().waitFor()
      await look('metrics')
      await open(`${company}/sources/${sources.first}/change?step=metrics`)
      await page.getByText('349').last().waitFor()
      await look('change')
    })
  })

  test('the connections have nothing wrong', async () => {
    const { company, connections } = scene()
    await walk('connections', 'owner', async ({ page, open, look }) => {
      await open(`${company}/connections`)
      await look('all')
      const rotated = `${company}/connections/${connections.rotated}`
      await open(rotated)
      await look('one')
      await open(`${rotated}?ask=rotate`)
      await look('one-rotating')
      await open(`${rotated}?ask=revoke`)
      await look('one-revoking')
      await open(`${company}/connections/${connections.made}`)
      await look('one-made')
      await open(`${company}/connections/new`)
      await look('new')
      await press(page, 'Create and sign')
      await page.getByRole('alert').first().waitFor()
      await look('new-missing')
      await page.getByLabel('Name').fill('Solna nightly')
      await page.getByRole('checkbox', { name: 'Send' }).check()
      await page.getByLabel('Source', { exact: true }).selectOption('Web shop')
      await look('new-filled')
      await press(page, 'Create and sign')
      await page.getByRole('blockquote').waitFor()
      await look('signing')
      const identity = await page.getByRole('link', { name: /demo identity/ }).getAttribute('href')
      await approve(scene().url, identity!, people.owner)
      await page.getByRole('heading', { level: 1, name: 'Save the secret now' }).waitFor()
      await look('shown-once')
    })
  })

  test('the deliveries have nothing wrong', async () => {
    const { company, deliveries } = scene()
    await walk('deliveries', 'developer', async ({ page, open, look, lookOnPhone, takeForReadme }) => {
      await open(`${company}/deliveries`)
      await look('all')
      await lookOnPhone('filters', () => press(page, /^Filter/))
      await takeForReadme('deliveries')
      await open(`${company}/deliveries?search=nothing-begins-like-this`)
      await look('none-found')
      await open(`${company}/deliveries?tab=calls`)
      await look('refused-calls')
      await open(`${company}/deliveries/${deliveries.refused}`)
      await look('one-refused')
      await open(`${company}/deliveries/${deliveries.refused}?curl=open`)
      await look('one-corrected')
      await open(`${company}/deliveries/${deliveries.statement}`)
      await look('one-statement')
      await open(`${company}/deliveries/${deliveries.test}`)
      await look('one-test')
    })
  })

  test('the members have nothing wrong', async () => {
    const { company } = scene()
    await walk('members', 'owner', async ({ page, open, look }) => {
      await open(`${company}/members`)
      await look('all')
      await open(`${company}/members?ask=invite`)
      await look('inviting')
      await page.getByRole('dialog').getByText('By link').click()
      await press(page, 'Create link for a reader')
      await page.getByLabel('Link, shown once').waitFor()
      await look('link-shown-once')
      for (const [question, name] of [
        ['Change role', 'changing-role'],
        ['Remove', 'removing'],
      ] as const) {
        await open(`${company}/members`)
        await press(page, /Actions: .*Disa Utvecklare/)
        await page.getByRole('link', { name: question }).click()
        await waitForDialog(page)
        await look(name)
      }
      await open(`${company}/members?part=apps`)
      await look('apps')
      await open(`${company}/members?part=history`)
      await look('history')
      await open(`${company}/members?part=company`)
      await look('export-and-deletion')
    })
  })

  test('the demo’s companies have nothing wrong', async () => {
    const { company, foreignCompany, sources } = scene()
    await walk('demo', 'owner', async ({ page, open, look }) => {
      const year = new Date().getFullYear() - 1
      const toTheDay = `grain=day&from=${year}-11-15&to=${year}-12-31`
      await open(`${company}/reports/${sources.shop}/revenue?${toTheDay}`)
      await look('black-week-and-december')
      const now = new Date()
      const may = now.getMonth() > 4 ? now.getFullYear() : year
      await open(`${company}/reports/${sources.shop}/revenue?grain=day&from=${may}-05-01&to=${may}-05-31`)
      await look('two-days-missing-in-may')
      await open(`${foreignCompany}/reports`)
      await look('coffee-reports')
      await open(`${foreignCompany}/deliveries`)
      await look('coffee-deliveries')
      for (const state of ['refused', 'unreadable']) {
        const answer = await page.request.get(
          at(`/console${foreignCompany}/deliveries?state=${state}&limit=1`),
        )
        const { deliveries } = await answer.json()
        await open(`${foreignCompany}/deliveries/${deliveries[0].artifact_id}`)
        await look(`coffee-${state}`)
      }
    })
  })
}
