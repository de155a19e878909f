import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Ran } from '../shell-tools.ts'
import { differenceFrom } from './expected-output.ts'
import { fillIn, withAddress } from './fill-in.ts'
import type { Block, Page } from './page.ts'
import type { Programs } from './programs.ts'
import type { Scene } from './scene.ts'
import { openShell, type ShellSession } from './shell-session.ts'

/** How long a block may take, in milliseconds: seconds on a machine with nothing else to do. */
const blockMsMax = 180_000

/** How long a 503 asks callers to wait, in milliseconds. */
const busyMs = 2_000

/** Whether a call could not be taken. Together, readers may need more threads than there are; they send it again, as they are asked to. */
const isBusy = ({ text }: Block, { out }: Ran): boolean =>
  text.match(/\bcurl\b/g)?.length === 1 && out.includes('The service cannot take this now')

const indented = (text: string): string => text.trimEnd().replaceAll(/^/gm, '    ')

/** What its author needs to see. */
const toFault = (page: Page, block: Block, reason: string, ran?: Ran): Error => {
  const parts = [`${page.path}:${block.line}: ${reason}`, indented(block.text)]
  if (ran !== undefined) {
    parts.push('it printed', indented(ran.out))
    if (ran.err !== '') parts.push('and to standard error', indented(ran.err))
  }
  const error = new Error(parts.join('\n'))
  // Where it is raised tells nothing.
  error.stack = error.message
  return error
}

const toMessage = (error: unknown): string => (error as Error).message

const authorizeUrl = /https?:\/\/\S+\/oauth\/authorize\?[^\s"']+/

/** The terminal that a reader pastes pages into. */
export const openTerminal = async (
  { environment }: Pick<Scene, 'environment'>,
  programs: Programs,
  pages: readonly Page[],
): Promise<ShellSession> => {
  const { TMPDIR, LANG } = process.env
  return openShell({
    environment: {
      PATH: programs.path,
      TMPDIR,
      LANG,
      ...(pages.some(({ path }) => path.startsWith('packages/python/')) && {
        PYTHONPATH: join(import.meta.dirname, '../../packages/python/src'),
        PYTHONDONTWRITEBYTECODE: '1',
      }),
      ...environment,
    },
    // Only the page about apps uses a library, which it names, and those of packages use these.
    packages: pages.some(({ scene, path }) => scene === 'app' || path.startsWith('packages/'))
      ? join(import.meta.dirname, '../../node_modules')
      : undefined,
    blockMsMax,
  })
}

/**
 * Pastes a page's blocks one after the other, as a reader does.
 *
 * @returns the blocks that could not be run on this machine, as `path:line (program)`
 * @throws at the first block that does not do what the page says
 */
export const runPage = async (
  page: Page,
  scene: Scene,
  programs: Programs,
  shell: ShellSession,
): Promise<string[]> => {
  const skipped: string[] = []
  let ran: Ran | undefined
  /** The address that the reader's browser was last sent to. */
  let back: URL | undefined

  const getValue = async (name: string): Promise<string | undefined> => {
    if (name === 'CALLBACK') return back?.href
    return scene.getValue(name)
  }

  const run = async (block: Block): Promise<Ran | undefined> => {
    const missing = programs.missingIn(block.text)
    if (missing !== undefined) {
      skipped.push(`${page.path}:${block.line} (${missing})`)
      return undefined
    }
    const script = await fillIn(block.text, scene.url, getValue)
    let result = await shell.run(script)
    if (isBusy(block, result)) {
      await sleep(busyMs)
      result = await shell.run(script)
    }
    if (result.code !== 0) throw toFault(page, block, `it ended with ${result.code}`, result)
    const [authorization] = authorizeUrl.exec(result.out) ?? []
    if (authorization !== undefined) back = await scene.allow(authorization)
    await scene.settle()
    return result
  }

  const write = async (file: string, text: string): Promise<void> => {
    const path = join(shell.folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, withAddress(text, scene.url), { mode: file.endsWith('.sh') ? 0o755 : 0o644 })
  }

  for (const block of page.blocks) {
    try {
      if (block.role === 'file') await write(block.file, block.text)
      else if (block.role === 'run') ran = await run(block)
      else if (block.role === 'output' && ran !== undefined) {
        const difference = differenceFrom(block.language, withAddress(block.text, scene.url), ran.out)
        if (difference !== undefined) throw toFault(page, block, `this is not what came: ${difference}`, ran)
      }
    } catch (error) {
      throw toMessage(error).startsWith(page.path) ? error : toFault(page, block, toMessage(error))
    }
  }
  return skipped
}
