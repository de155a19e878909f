import { spawnSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const acceptance = join(import.meta.dirname, '..')
/** The programs whose blocks are skipped on a machine without them. */
const optional = ['dotnet', 'php', 'python3']

export interface Programs {
  /** A `PATH` that leads to them. */
  path: string
  /** The optional program that a script calls and this machine lacks. */
  missingIn(script: string): string | undefined
}

const isHere = (program: string): boolean =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0

/**
 * The programs that pages call, in a folder: this process's own Node, the commands `numera` and `numeractl`, and stand-ins for missing
 * curl and openssl.
 */
export const preparePrograms = async (folder: string): Promise<Programs> => {
  const put = async (name: string, words: string[], first = ''): Promise<void> => {
    const command = words.map((word) => `'${word}'`).join(' ')
    await writeFile(join(folder, name), `#!/bin/sh\n${first}exec ${command} "$@"\n`)
    await chmod(join(folder, name), 0o755)
  }
  await mkdir(folder, { recursive: true })
  const node = process.execPath
  await put('node', [node])
  await put(
    'numera',
    [node, join(acceptance, '..', 'src', 'main.ts')],
    // Without it the command would use the database in the current folder.
    ': "${DATABASE_URL:?the page is not of the scene operator}"\n',
  )
  await put(
    'numeractl',
    [node, join(acceptance, '..', 'packages', 'cli', 'src', 'main.ts')],
    // Each page logs in for itself.
    'export XDG_CONFIG_HOME="$PWD/.config"\n',
  )
  for (const tool of ['curl', 'openssl']) {
    if (!isHere(tool)) await put(tool, [node, join(acceptance, `${tool}-stand-in.ts`)])
  }
  const missing = optional.filter((program) => !isHere(program))
  return {
    path: `${folder}${delimiter}${process.env['PATH']}`,
    missingIn: (script) =>
      missing.find((program) => new RegExp(`(?:^|[\\s;&|(])${program}\\s`, 'm').test(script)),
  }
}
