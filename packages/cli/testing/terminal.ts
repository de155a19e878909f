import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Clock } from 'numera-client'
import type { Io } from '../src/io.ts'
import { processIo } from '../src/process-io.ts'
import { run } from '../src/run.ts'

export interface Ended {
  code: number
  out: string
  err: string
}

/** A folder, a configuration of its own, and the command in this process. */
export interface Terminal extends AsyncDisposable {
  folder: string
  /** @param stdin what is piped into it */
  run(words: readonly string[], stdin?: string): Promise<Ended>
  /** What all commands have written to standard output so far. */
  shown: string
  io: Io
}

export async function openTerminal({ clock }: { clock?: Clock } = {}): Promise<Terminal> {
  const folder = await mkdtemp(join(tmpdir(), 'numeractl-'))
  const real = processIo(new AbortController().signal)
  const io: Io = {
    ...real,
    environment: { XDG_CONFIG_HOME: join(folder, 'config') },
    clock: clock ?? real.clock,
    prompt: undefined,
    openKeyring: async () => undefined,
  }
  const terminal: Terminal = {
    folder,
    io,
    shown: '',
    run: async (words, stdin = '') => {
      const written = { out: '', err: '' }
      const code = await run(words, {
        ...terminal.io,
        stdin: Readable.from([Buffer.from(stdin)]),
        stdout: {
          write: (text) => {
            written.out += text
            terminal.shown += text
          },
        },
        stderr: { write: (text) => (written.err += text), isTTY: terminal.io.stderr.isTTY === true },
      })
      return { code, ...written }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
  return terminal
}
