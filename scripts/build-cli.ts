import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { transform } from '@swc/core'

// Writes numera-cli as it is published, to `packages/cli/dist` or the folder given: JavaScript without tests, and a package.json whose
// command it is. `npm publish packages/cli/dist` follows.

const root = join(import.meta.dirname, '..')
const source = join(root, 'packages/cli')
const { positionals } = parseArgs({ allowPositionals: true })
const folder = resolve(positionals[0] ?? join(source, 'dist'))

const jsc = {
  parser: { syntax: 'typescript' },
  target: 'es2024',
  transform: { verbatimModuleSyntax: true },
  // In swc, but not in its types.
  rewriteRelativeImportExtensions: true,
} as const

await rm(folder, { recursive: true, force: true })
await mkdir(join(folder, 'src'), { recursive: true })
for (const name of await readdir(join(source, 'src'))) {
  if (name.endsWith('.test.ts')) continue
  const { code } = await transform(await readFile(join(source, 'src', name), 'utf8'), { jsc })
  await writeFile(join(folder, 'src', name.replace(/\.ts$/, '.js')), code)
}
const { private: _, ...description } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
const published = { ...description, bin: { numeractl: './src/main.js' } }
await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
await copyFile(join(source, 'README.md'), join(folder, 'README.md'))
await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
