import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..')

const version = spawnSync('python3', ['-c', 'import sys; print(*sys.version_info[:2])'], { encoding: 'utf8' })
const [major, minor] = `${version.stdout ?? ''}`.split(' ').map(Number) as [number, number]

/** Why the Python client cannot run on this machine; undefined if it can. */
export const whyNot =
  major === 3 && minor >= 11
    ? undefined
    : `python3 is ${Number.isNaN(minor) || minor === undefined ? 'missing' : `${major}.${minor}`}; 3.11 is needed`

/** Runs Python in the folder of the package, which it can import. */
export async function runPython(
  words: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number; out: string; err: string }> {
  const child = spawn('python3', words, {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PYTHONPATH: 'src',
      PYTHONDONTWRITEBYTECODE: '1',
      PYTHONUTF8: '1',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? 1))
  })
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}
