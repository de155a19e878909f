import { setTimeout } from 'node:timers/promises'
import type { Io } from './io.ts'

/** The process as commands see it. Everything that takes time to load is loaded when it is used. */
export function processIo(signal: AbortSignal): Io {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    signal,
    clock: {
      now: () => Date.now(),
      random: () => Math.random(),
      sleep: async (ms, signal) => setTimeout(ms, undefined, signal && { signal }),
    },
    fetch: globalThis.fetch,
    openKeyring: async () => (await import('./secret-store.ts')).openSystemKeyring(),
    prompt: process.stdin.isTTY ? promptHidden : undefined,
    openBrowser: (url) => void openBrowser(url),
  }
}

/** Prompts go to standard error, so that an answer can be piped. */
async function promptHidden(message: string): Promise<string> {
  const { default: password } = await import('@inquirer/password')
  return (await password({ message }, { output: process.stderr })).trim()
}

/** The address is also printed, for where no browser opens. */
async function openBrowser(url: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open']
  const child = spawn(program!, [...words, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
