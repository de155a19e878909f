import { afterAll } from 'vitest'
import { type AppScene, startAppScene } from '../app-scene.ts'
import { shareBrowser } from '../../testing/browser/chromium.ts'
import { type MemberInBrowser, openMember } from '../../testing/browser/member-in-browser.ts'
import { owner } from '../../testing/process/shop.ts'

/**
 * A service for the app of one library, and a member with a browser. Call it at the top of a file; it ends after the file's
 * last test.
 */
export const startClientScene = async (): Promise<AppScene & { member: MemberInBrowser }> => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())
  const [scene, browser] = await Promise.all([
    startAppScene().then((started) => stack.use(started)),
    shareBrowser(),
  ])
  return { ...scene, member: stack.use(await openMember(browser, owner, scene.callback)) }
}
