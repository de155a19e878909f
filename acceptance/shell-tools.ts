import { execFile, execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

export interface Ran {
  code: number
  out: string
  err: string
}

/** A shell whose tool calls are recorded, and whose time advances only when it sleeps, without delay. */
export interface ShellTools extends AsyncDisposable {
  /** For files that a script takes. */
  readonly folder: string
  /** Runs a script with its arguments. */
  run(script: string, args: string[]): Promise<Ran>
  /** Sets what `date +%s` says. */
  setSeconds(seconds: number): Promise<void>
  /** The command lines of a tool, one a line. */
  commandLines(): Promise<string>
}

/** The recorded tools. Those that a machine may lack have a stand-in. */
const standIns: Record<string, string | undefined> = {
  curl: 'curl-stand-in.ts',
  openssl: 'openssl-stand-in.ts',
}
const watched = ['cat', 'curl', 'head', 'od', 'openssl', 'sed', 'tail', 'tr']

const find = (tool: string): string | undefined => {
  try {
    return execFileSync('sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim()
  } catch {
    return undefined
  }
}

export const createShellTools = async (): Promise<ShellTools> => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-shell-'))
  const [lines, seconds] = [join(folder, 'lines'), join(folder, 'seconds')]
  await Promise.all([writeFile(lines, ''), writeFile(seconds, '0\n')])
  const bin = join(folder, 'bin')
  await mkdir(bin)
  const put = async (name: string, script: string): Promise<void> => {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`)
    await chmod(join(bin, name), 0o755)
  }
  for (const tool of watched) {
    const found = find(tool)
    const standIn = standIns[tool]
    if (found === undefined && standIn === undefined) throw new Error(`there is no ${tool} here`)
    const real = found ?? `${process.execPath}" "${join(import.meta.dirname, standIn!)}`
    await put(tool, `printf '%s\\n' "${tool} $*" >>"${lines}"\nexec "${real}" "$@"`)
  }
  await put('date', `read -r now <"${seconds}"\necho "$now"`)
  await put('sleep', `read -r now <"${seconds}"\necho $((now + $1)) >"${seconds}"`)

  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env['PATH']}` }
  return {
    folder,
    run: (script, args) =>
      new Promise((resolve) => {
        execFile('sh', [script, ...args], { env }, (error, out, err) =>
          resolve({ code: error === null ? 0 : Number(error.code), out, err }),
        )
      }),
    setSeconds: (now) => writeFile(seconds, `${now}\n`),
    commandLines: () => readFile(lines, 'utf8'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
