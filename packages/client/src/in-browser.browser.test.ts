import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowserForTests } from '../../../testing/browser/browser-for-tests.ts'

const openPage = startBrowserForTests()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-in-browser-'))
  const script = join(import.meta.dirname, '../../../scripts/build-client.ts')
  await promisify(execFile)(process.execPath, [script, folder])
})
afterAll(() => rm(folder, { recursive: true }))

const answer = {
  source_id: 's',
  window: { from: '2026-01-01', to: '2026-01-03', max_days: 731, narrowed: false },
  samples: [
    {
      metric: 'revenue',
      period_start: '2026-01-02',
      value: '12345678901234567890.5',
      labels: {},
      sandbox: false,
    },
  ],
  truncated: false,
}

test('the published package reads samples in a browser', async () => {
  const bearers: (string | undefined)[] = []
  await using opened = await openPage('/', async (route, { pathname }) => {
    if (pathname === '/') return route.fulfill({ contentType: 'text/html', body: '<title>Client</title>' })
    if (pathname === '/v1/samples') {
      bearers.push(route.request().headers()['authorization'])
      return route.fulfill({ json: answer })
    }
    const body = await readFile(join(folder, pathname), 'utf8')
    return route.fulfill({ contentType: 'text/javascript', body })
  })
  const values = await opened.page.evaluate(`(async () => {
    const { Numera } = await import('/index.js')
    const numera = new Numera({ baseUrl: location.origin, credential: 'nsk_x' })
    const values = []
    for await (const { value } of numera.samples({ metric: 'revenue' })) values.push(value.multiply(2).toString())
    return values
  })()`)
  expect(values).toEqual(['24691357802469135781'])
  expect(bearers).toEqual(['Bearer nsk_x'])
})
