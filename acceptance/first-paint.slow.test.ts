import { expect, test } from 'vitest'
import { browserSceneForTests } from '../testing/browser/browser-scene.ts'
import { readShifts, watchShifts } from '../testing/browser/layout-shifts.ts'

const scene = browserSceneForTests()

/** 400 kbit/s, as bytes a second. */
const slowBytes = 50_000
const paintedMsMax = 1_000

test.each([
  ['a page of a company', () => `${scene.service.url}/companies/${scene.companyId}/reports`, 'Reports'],
  ['signing in', () => `${scene.service.url}/sign-in`, 'Sign in'],
  ['the interactive reference', () => `${scene.service.url}/docs/api`, undefined],
])(
  'On a slow network the frame of %s is painted within a second, and does not shift afterwards',
  async (_name, getAddress, title) => {
    const { page } = scene
    if (title === 'Reports') await scene.comeSignedIn()
    await watchShifts(page)
    const session = await scene.context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: slowBytes,
      uploadThroughput: slowBytes,
    })
    await page.goto(getAddress(), { waitUntil: 'commit' })
    const paintedAt = (): Promise<number> =>
      page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    await expect.poll(paintedAt).toBeGreaterThan(0)
    expect(await paintedAt()).toBeLessThan(paintedMsMax)
    if (title === undefined) {
      // A library of a megabyte comes in time.
      await session.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput: -1,
      })
      await page.locator('#reference main').waitFor({ timeout: 60_000 })
    } else {
      const heading = page.getByRole('heading', { level: 1, name: title })
      expect(await heading.count()).toBe(0)
      await heading.waitFor({ timeout: 30_000 })
    }
    expect(await readShifts(page)).toBe(0)
  },
)
