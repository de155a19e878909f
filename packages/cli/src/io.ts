import type { Clock } from 'numera-client'
import type { Readable } from 'node:stream'
import type { Keyring } from './secret-store.ts'

export interface Output {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** What a command may reach of its process; tests give their own. */
export interface Io {
  stdin: Readable & { isTTY?: boolean }
  stdout: Output
  stderr: Output
  environment: Readonly<Record<string, string | undefined>>
  /** Aborted by Ctrl-C. */
  signal: AbortSignal
  clock: Clock
  fetch: typeof fetch
  /** The system's keyring; undefined where there is none. */
  openKeyring(): Promise<Keyring | undefined>
  /** Reads a secret without an echo; undefined where there is no terminal. */
  prompt: ((message: string) => Promise<string>) | undefined
  openBrowser(url: string): void
}
