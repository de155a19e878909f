import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { Person } from '../testing/process/console-client.ts'

/** How quickly a hand goes. */
export interface Pace {
  /** From one key to the next, milliseconds. */
  keyMs: number
  /** From seeing something to having pressed it, milliseconds. */
  decisionMs: number
}

/** A part of the walk, and its duration. */
export interface Step {
  name: string
  ms: number
  /** The part of it that was spent waiting for the service and the browser. */
  waitedMs: number
}

/** Uses pages as a person does, and measures the time spent waiting. */
class Hand {
  readonly steps: Step[] = []
  readonly #pace: Pace
  #waitedMs = 0

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /** Measures what is done in a step. */
  async step(name: string, act: () => Promise<void>): Promise<void> {
    const [startedMs, waitedMs] = [performance.now(), this.#waitedMs]
    await act()
    this.steps.push({ name, ms: performance.now() - startedMs, waitedMs: this.#waitedMs - waitedMs })
  }

  /** The actions of other people count as waiting. */
  async wait<T>(awaited: Promise<T>): Promise<T> {
    const startedMs = performance.now()
    const result = await awaited
    this.#waitedMs += performance.now() - startedMs
    return result
  }

  see(thing: Locator): Promise<void> {
    return this.wait(thing.waitFor())
  }

  decide(): Promise<void> {
    return sleep(this.#pace.decisionMs)
  }

  async press(thing: Locator): Promise<void> {
    await this.see(thing)
    await this.decide()
    await thing.click()
  }

  async write(field: Locator, text: string): Promise<void> {
    await this.press(field)
    await field.pressSequentially(text, { delay: this.#pace.keyMs })
  }
}

/** A shell function that replaces a missing curl, with the features that the shown commands use. */
const curl = `command -v curl >/dev/null || curl() { "${process.execPath}" "${import.meta.dirname}/curl-stand-in.ts" "$@"; }`

/** Pastes commands into a shell, one after the other. Gives what they printed. */
const paste = async (commands: readonly string[], folder: string): Promise<string> => {
  const shell = spawn('sh', [], { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (text) => (printed += String(text)))
  shell.stdin.end([curl, ...commands, ''].join('\n'))
  await once(shell, 'close')
  return printed
}

export interface NewUser {
  context: BrowserContext
  page: Page
  /** The service's own. */
  url: string
  person: Person
  /** What the person's system exports. */
  csvFile: string
  /** The folder of the person's shell and downloads. */
  folder: string
  pace: Pace
}

/**
 * Acts as a newcomer, only on the pages: from signing in to the first number on a chart
 * of an own company, from an own source.
 *
 * @returns the steps, and the commands that the pages showed
 */
export const walkAsNewUser = async (user: NewUser): Promise<{ steps: Step[]; commands: string[] }> => {
  const { context, page, url, person, csvFile, folder, pace } = user
  const hand = new Hand(pace)
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: true })
  const link = (name: string | RegExp): Locator => page.getByRole('link', { name, exact: true })
  const field = (name: string): Locator => page.getByLabel(name, { exact: true })
  const heading = (name: string | RegExp): Locator => page.getByRole('heading', { name })
  const next = (): Promise<void> => hand.press(button('Next'))

  /** In the window that the page's link opens. */
  const identify = async (): Promise<void> => {
    const opening = context.waitForEvent('page')
    await hand.press(page.getByRole('link', { name: /demo identity/ }))
    const identity = await hand.wait(opening)
    await hand.write(identity.getByLabel('Personal identity number'), person.personalNumber)
    await hand.write(identity.getByLabel('Name'), person.name)
    await hand.press(identity.getByRole('button', { name: /^Sign/ }))
    await hand.see(identity.getByText('You can close this page'))
    await hand.decide()
    await identity.close()
  }

  await hand.step('sign in', async () => {
    await hand.wait(page.goto(url))
    await hand.press(button('Sign in with electronic identity'))
    await identify()
    await hand.see(heading('Try with a company of your own'))
  })

  await hand.step('own company', async () => {
    await hand.write(field('Company name'), 'Strandvägens Handel')
    await hand.press(button('Create company'))
    await hand.see(heading(/five minutes/))
  })

  await hand.step('own source, from the file', async () => {
    await hand.press(link('New source').first())
    await hand.write(field('Name'), 'Web shop')
    await hand.write(field('Type of system'), 'E-commerce')
    await next()
    await hand.see(page.getByRole('radio', { name: 'Push' }))
    await next()
    const choosing = page.waitForEvent('filechooser')
    await hand.press(button('Choose file'))
    await (await choosing).setFiles(csvFile)
    await hand.see(page.getByText(/was read as CSV/))
    await next()
    await hand.see(page.getByRole('radio', { name: 'InvoiceDate' }))
    await next()
    await hand.press(page.getByRole('radio', { name: 'Events' }))
    await next()
    await hand.press(button('Add Revenue'))
    await hand.see(page.getByText('Adds up Quantity × UnitPrice of every row').first())
    await hand.press(button('Create source'))
    await hand.see(heading('1. Choose a connection'))
  })

  await hand.step('own connection, signed', async () => {
    await hand.press(link('New connection'))
    await hand.write(field('Name'), 'Web shop nightly')
    await hand.press(page.getByRole('radio', { name: 'Production' }))
    await hand.press(button('Create and sign'))
    await hand.see(page.getByRole('blockquote'))
    await identify()
    const downloading = page.waitForEvent('download')
    await hand.press(button('Download .env'))
    const file = await hand.wait(downloading)
    await file.saveAs(join(folder, file.suggestedFilename()))
    await hand.press(page.getByRole('checkbox', { name: /^I have saved the secret/ }))
    await hand.press(link(/^Go to the quick start of/))
  })

  const commands: string[] = []
  await hand.step('first delivery, with the shown commands', async () => {
    await hand.see(page.getByText('Waiting for your first delivery …'))
    await hand.see(button('Copy').first())
    for (const copy of await page.getByRole('button', { name: /^(Copy|Copied)$/ }).all()) {
      await hand.press(copy)
      // To the shell, and back.
      await hand.decide()
      commands.push(await page.evaluate('navigator.clipboard.readText()'))
    }
    const printed = await hand.wait(paste(commands, folder))
    if (!printed.includes('"artifact_id"')) throw new Error(`the commands sent nothing: ${printed}`)
    await hand.see(heading('Your first delivery has arrived'))
    await hand.see(page.getByText('1 accepted, 0 refused'))
  })

  await hand.step('first number on a chart', async () => {
    await hand.press(link('View in reports'))
    await hand.see(page.getByRole('slider', { name: /^Revenue by/ }))
  })
  return { steps: hand.steps, commands }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

const toLine = (name: string, ms: number, waitedMs: number): string =>
  `${name.padEnd(42)} ${seconds(ms).padStart(8)}, of it waiting ${seconds(waitedMs).padStart(7)}`

/** A line a step, then the whole. */
export const toLines = (steps: readonly Step[]): string[] => {
  const sum = (of: 'ms' | 'waitedMs'): number => steps.reduce((all, step) => all + step[of], 0)
  return [
    ...steps.map(({ name, ms, waitedMs }) => toLine(name, ms, waitedMs)),
    toLine('in all', sum('ms'), sum('waitedMs')),
  ]
}
