import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPhrases } from './phrases.ts'

// Reports phrases in code, tests and documents that read as a translation.

const root = join(import.meta.dirname, '..')
const files =
  '{*.{md,mjs,ts},{.github,acceptance,bench,demo,deploy,docs,migrations,packages,scripts,src,stand-ins,testing,trials,web}/**/*.{css,html,md,mjs,sh,sql,ts,tsx,yml}}'

/** Files that name such phrases, with the reason. */
const exceptions = new Map([
  ['docs/glossary.md', 'the words that are not used'],
  ['scripts/check-phrases.ts', 'the exceptions'],
  ['scripts/phrases.ts', 'the list'],
  ['src/platform/database/embedded/unprivileged.ts', 'a user of the machine is called nobody'],
  ['web/src/language/texts.test.ts', 'the list for texts of the pages'],
])

for await (const file of glob(files, { cwd: root, exclude: ['**/node_modules', '**/dist*'] })) {
  if (exceptions.has(file)) continue
  for (const { phrase, line } of findPhrases(await readFile(join(root, file), 'utf8'))) {
    process.stderr.write(`${file}:${line}: ${phrase}\n`)
    process.exitCode = 1
  }
}
