/**
 * Runs scripts of package.json in parallel, one per core, in the given order (the longest first). The output of a failed
 * script is printed when it ends; the others still run. Exits with 1 if any failed.
 *
 *   node scripts/run-side-by-side.mjs typecheck:service lint …
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`

const waiting = process.argv.slice(2)
const unknown = waiting.filter((name) => scripts[name] === undefined)
if (unknown.length > 0) throw new Error(`package.json has no script ${unknown.join(', ')}`)

const runNext = async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const startedMs = performance.now()
    const child = spawn(scripts[name], {
      cwd: root,
      env: { ...process.env, PATH },
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
    const [code] = await once(child, 'close')
    const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
    process.stdout.write(`${code === 0 ? '✓' : '✗'} ${name} (${seconds} s)\n`)
    if (code === 0) continue
    process.exitCode = 1
    process.stdout.write(Buffer.concat(output))
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext))
