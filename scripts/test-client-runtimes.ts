/**
 * Runs numera-client, as it is published, in Node 22.18 or later, Deno and Bun, against a scripted service on loopback. Exits with 75
 * where one of them can neither be found nor installed.
 *
 *   node scripts/test-client-runtimes.ts
 */
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bun, deno, installRuntime, node22, useClientIn } from '../packages/client/testing/runtimes.ts'

const unavailable = 75
const project = await mkdtemp(join(tmpdir(), 'client-runtimes-'))
try {
  const folder = join(project, 'node_modules/numera-client')
  await mkdir(join(project, 'node_modules'))
  execFileSync(process.execPath, [join(import.meta.dirname, 'build-client.ts'), folder])
  for (const runtime of [node22, deno, bun]) {
    const program = await installRuntime(runtime)
    if (program === undefined) {
      process.exitCode = unavailable
      continue
    }
    await useClientIn(runtime, program, project)
    process.stdout.write(`${runtime.name}: passed\n`)
  }
} finally {
  await rm(project, { recursive: true })
}
