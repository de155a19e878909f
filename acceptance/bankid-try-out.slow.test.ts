import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shareBrowser } from '../testing/browser/chromium.ts'
import { freePort } from '../testing/process/free-port.ts'
import { saveLog } from '../testing/process/run-logs.ts'

/** `npm run bankid-stand-in`, as a person tries it with two windows. */

const page = { timeout: 30_000 }

test('npm run bankid-stand-in prints its address, lets a person sign in from the app, and removes all that it created', async () => {
  const [port, appPort] = [await freePort(), await freePort()]
  const words = ['--port', String(port), '--app-port', String(appPort)]
  const environment: NodeJS.ProcessEnv = { ...process.env }
  delete environment['VITEST']
  delete environment['NODE_ENV']
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, '..', 'stand-ins', 'bankid', 'try-out.ts'), ...words],
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = once(child, 'exit')
  try {
    let output = ''
    const keep = saveLog('bankid-try-out')
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
        keep(chunk)
      })
    }
    await expect.poll(() => output, { timeout: 120_000 }).toContain('Ctrl-C stops both.')
    expect(output).toContain(`http://localhost:${port}/sign-in`)
    const folder = /The data is in (\S+),/.exec(output)![1]!
    await access(folder)

    const browser = await shareBrowser()
    const [numera, app] = await Promise.all([browser.newPage(), browser.newPage()])
    await numera.goto(`http://localhost:${port}/sign-in`)
    await numera
      .getByRole('button', { name: /electronic identity|BankID/ })
      .first()
      .click(page)
    await app.goto(`http://localhost:${appPort}/`)
    await app.getByRole('link', { name: 'Identify yourself, for Numera' }).click(page)
    await app.getByRole('button', { name: 'Scan its QR code' }).click(page)
    await app.getByRole('button', { name: 'Identify' }).click(page)
    await app.getByText('complete', { exact: true }).waitFor(page)
    await numera.waitForURL(/\/companies\//, page)

    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    await expect(access(folder)).rejects.toThrow('ENOENT')
    await expect(fetch(`http://localhost:${port}/health/live`)).rejects.toThrow('fetch failed')
  } finally {
    child.kill('SIGTERM')
    await ended
  }
})
