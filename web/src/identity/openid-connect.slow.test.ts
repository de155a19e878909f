import { describe, expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { apiError } from '../testing/api-stub.ts'
import { collectSignIn, eventually, member, signingIn } from '../testing/bankid-scene.ts'
import { exampleOrder } from '../testing/examples.ts'
import { signedOut } from '../testing/replies.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

describe('With an OpenID Connect provider', () => {
  const oidc = { signIn: 'oidc' }
  const open_url = 'https://identity.example/authorize?request=1'

  test('the person goes there in the same window and returns signed in to the whole address', async () => {
    let isSignedIn = false
    const { page, sentTo } = await open(
      '/invitations#token-1',
      {
        'GET /console/session': () => (isSignedIn ? member() : signedOut()),
        'POST /console/sign-in': () => exampleOrder({ demo: false, presentation: { open_url } }),
        [collectSignIn]: () => {
          isSignedIn = true
          return { state: 'complete' }
        },
        'POST /console/invitations/show': () => apiError(404, 'not_found'),
      },
      { facts: oidc },
    )
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.waitForURL(open_url)
    expect(page.context().pages()).toHaveLength(1)
    await page.goto('https://numera.test/invitations')
    await eventually(() => sentTo('POST /console/invitations/show')).toEqual([{ token: 'token-1' }])
    expect(sentTo('POST /console/sign-in')).toEqual([{ return_to: '/invitations', device: 'other' }])
  })

  test('Back leads to the link again, and the order can be cancelled', async () => {
    const { page } = await open(
      '/sign-in',
      {
        ...signingIn(() => ({ state: 'pending', hint: 'outstanding', presentation: { open_url } })),
        'POST /console/sign-in': () => exampleOrder({ demo: false, presentation: { open_url } }),
      },
      { facts: oidc },
    )
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.waitForURL(open_url)
    await page.goto('https://numera.test/sign-in')
    const link = page.getByRole('link', { name: 'Continue to your electronic identity' })
    await link.waitFor()
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual([open_url, null])
    expect(await lookOver(page, 'oidc-waiting')).toEqual([])
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).waitFor()
  })

  test('an unavailable provider is announced without alarm', async () => {
    const { page } = await open(
      '/sign-in',
      signingIn(() => ({ state: 'failed', reason: 'unavailable' })),
      { facts: oidc },
    )
    await page.getByRole('button', { name: 'Sign in with electronic identity' }).click()
    await page.getByRole('alert').getByText('The electronic identity cannot be reached right now.').waitFor()
  })
})
