/**
 * Checks the migrations that are newer than the first release (`releases.json`), which git knows; none where the history
 * of that release is not there.
 */
import { execFileSync } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import releases from '../releases.json' with { type: 'json' }
import { checkMigrations } from './migration-rules.ts'

const root = join(import.meta.dirname, '..')
const [first] = releases as { version: string; commit: string }[]

function listReleased(commit: string): Set<string> | undefined {
  try {
    const names = execFileSync('git', ['ls-tree', '-r', '--name-only', commit, 'migrations'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return new Set(names.split('\n'))
  } catch {
    return undefined
  }
}

const released = first === undefined ? undefined : listReleased(first.commit)
if (released === undefined) {
  const why =
    first === undefined ? 'nothing has been released' : `the history of release ${first.version} is not here`
  process.stdout.write(`No migration was checked: ${why}.\n`)
} else {
  for (const schema of ['directory', 'access', 'shard']) {
    const folder = join('migrations', schema)
    const names = (await readdir(join(root, folder))).toSorted().map((name) => join(folder, name))
    const texts = await Promise.all(names.map((name) => readFile(join(root, name), 'utf8')))
    const from = names.filter((name) => released.has(name)).length
    for (const { index, rule, sentence } of await checkMigrations(texts, from)) {
      process.stderr.write(`${names[index]}: ${sentence} (${rule})\n`)
      process.exitCode = 1
    }
  }
}
