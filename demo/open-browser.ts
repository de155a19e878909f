import { spawn } from 'node:child_process'

/** What opens an address in the user's browser. */
const openers: Partial<Record<NodeJS.Platform, string>> = { darwin: 'open', linux: 'xdg-open' }

/** Opens an address in the user's browser, where there is one. What goes wrong is told, and ends nothing. */
export function openBrowser(url: string): void {
  const opener = openers[process.platform]
  const tell = (): void => void process.stderr.write(`No browser could be opened. Open ${url} yourself.\n`)
  if (opener === undefined) return tell()
  spawn(opener, [url], { stdio: 'ignore', detached: true }).on('error', tell).unref()
}
