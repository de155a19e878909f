import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Person } from '../testing/process/console-client.ts'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { openContext } from '../testing/browser/open-context.ts'
import { toLines, walkAsNewUser } from './new-user.ts'
import { retailFile } from './retail-file.ts'
import { type Service, startService } from '../testing/process/start-service.ts'

/** As long as the whole way may take. */
const wayMsMax = 300_000
const pace = { keyMs: 80, decisionMs: 800 }
/** Belongs to no company. */
const stranger: Person = { personalNumber: '199001012385', name: 'Frida Främling' }

let service: Service
let browser: Browser
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-new-user-'))
  ;[service, browser] = await Promise.all([
    startService({ words: ['demo'], isDatabaseNew: true, environment: { NUMERA_BASE_URL: '' } }),
    shareBrowser(),
  ])
  // Until the demo's numbers have been parsed.
  for (let looks = 0; !service.output().includes('Press Ctrl-C to stop'); looks++) {
    if (looks === 600) throw new Error(`it printed no first steps: ${service.output()}`)
    await sleep(100)
  }
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('A newcomer gets a first number of their own on a chart within five minutes, using only the pages', async () => {
  const url = `http://localhost:${new URL(service.url).port}`
  const { context, complaints } = await openContext(browser, { viewport: { width: 1_280, height: 900 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  const page = await context.newPage()
  const { steps, commands } = await walkAsNewUser({
    context,
    page,
    url,
    person: stranger,
    csvFile: await retailFile(folder),
    folder,
    pace,
  })
  process.stdout.write(`${toLines(steps).join('\n')}\n`)
  // The quick start's example row: 1,249.00 of each, multiplied.
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain('1,560,001')
  expect(commands.join('\n')).toContain(`'${url}/v1/ingest'`)
  expect(steps.reduce((sum, { ms }) => sum + ms, 0)).toBeLessThan(wayMsMax)
  expect(complaints).toEqual([])
  await context.close()
})
