import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPhrases } from './phrases.ts'

// Looks in code, tests and documents for phrases that read as a translation.

const root = join(import.meta.dirname, '..')
const files =
  '{*.{md,mjs,ts},{.github,acceptance,bench,demo,deploy,docs,migrations,scripts,src,stand-ins,testing,trials,web}/**/*.{css,html,md,mjs,sh,sql,ts,tsx,yml}}'

/** Files that name such phrases, with the reason. */
const exceptions = new Map([
  ['docs/glossary.md', 'the words that are not used'],
  ['scripts/check-phrases.ts', 'the exceptions'],
  ['scripts/phrases.ts', 'the list'],
  ['scripts/test-postgres-15.sh', 'a user of the machine is called nobody'],
  ['web/src/language/texts.test.ts', 'the list for texts of the pages'],
])

/** How many may be left in a folder. */
const leftMax = new Map([
  ['docs', 2],
  ['src', 59],
])

const lines = new Map<string, string[]>()
for await (const file of glob(files, { cwd: root, exclude: ['**/node_modules', '**/dist*'] })) {
  if (exceptions.has(file)) continue
  const found = findPhrases(await readFile(join(root, file), 'utf8'))
  const [folder] = file.split('/')
  if (!lines.has(folder!)) lines.set(folder!, [])
  lines.get(folder!)!.push(...found.map(({ phrase, line }) => `${file}:${line}: ${phrase}`))
}
for (const [folder, found] of lines) {
  if (found.length <= (leftMax.get(folder) ?? 0) && !process.argv.includes('--all')) continue
  process.stderr.write(`${found.join('\n')}\n`)
  process.exitCode = 1
}
