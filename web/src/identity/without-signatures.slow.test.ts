import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { ekeby } from '../testing/bankid-scene.ts'
import { exampleConnection, exampleConsent, exampleSession } from '../testing/examples.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

const made = exampleConnection({
  state: 'unsigned',
  signature_id: null,
  signed_at: null,
  signed_with: null,
  expires_at: null,
  credentials: [],
})
const connectionPath = `/companies/${ekeby.company_id}/connections/${made.connection_id}`

const noSigning = () =>
  exampleSession({ companies: [ekeby], identity: { provider: 'oidc', demo: false, signs: false } })

describe('Without signatures', () => {
  test.each([
    ['the list of connections', `/companies/${ekeby.company_id}/connections`],
    ['a new connection', `/companies/${ekeby.company_id}/connections/new`],
    ['an unsigned connection', connectionPath],
  ])('%s says so and explains why', async (_name, path) => {
    const { page } = await open(path, {
      'GET /console/session': noSigning,
      'GET /console/companies/{company_id}/connections/{connection_id}': () => made,
      'GET /console/companies/{company_id}/connections': () => ({ connections: [made], next_cursor: null }),
      'GET /console/companies/{company_id}/sources': () => ({ sources: [], next_cursor: null }),
    })
    await page.getByRole('note').getByText('the electronic identity used here cannot sign').waitFor()
    expect(await page.getByRole('button', { name: /^(Create and sign|Sign with)/ }).count()).toBe(0)
  })

  test('a consent says so before anything is ticked, and returns to the app', async () => {
    const callback = 'https://ledger.example/callback?error=access_denied'
    const { page } = await open('/oauth/authorize?client_id=app-1', {
      'GET /console/session': noSigning,
      'POST /console/authorize': () => exampleConsent(),
      'POST /console/authorize/deny': () => ({ location: callback }),
    })
    await page.getByRole('note').getByText('Nothing can be allowed here.').waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await lookOver(page, 'consent-cannot-sign')).toEqual([])
    await page.getByRole('button', { name: /Go back to the app|Gå tillbaka till appen/ }).click()
    await page.waitForURL(callback)
  })
})
