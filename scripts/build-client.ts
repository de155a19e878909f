import { execFile } from 'node:child_process'
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { minify } from '@swc/core'

// Writes numera-client as it is published, to `packages/client/dist` or the folder given: minified JavaScript, declarations, and a
// package.json that exports these. `npm publish packages/client/dist` follows.

const root = join(import.meta.dirname, '..')
const source = join(root, 'packages/client')
const { positionals } = parseArgs({ allowPositionals: true })
const folder = resolve(positionals[0] ?? join(source, 'dist'))

await rm(folder, { recursive: true, force: true })
const compile = (...options: string[]): Promise<unknown> =>
  promisify(execFile)(join(root, 'node_modules/.bin/tsc'), [
    '-p',
    join(source, 'tsconfig.build.json'),
    '--outDir',
    folder,
    ...options,
  ])
await compile()
for (const name of await readdir(folder)) {
  const path = join(folder, name)
  // Comments are in the declarations, which editors show. Errors have the names of their classes.
  const { code } = await minify(await readFile(path, 'utf8'), {
    module: true,
    compress: false,
    mangle: { keep_classnames: true },
    format: { comments: false },
  })
  await writeFile(path, code)
}
await compile('--declaration', '--emitDeclarationOnly')

const { private: _, ...description } = JSON.parse(await readFile(join(source, 'package.json'), 'utf8'))
const published = {
  ...description,
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './files': { types: './push-file.d.ts', default: './push-file.js' },
    './outbox': { types: './outbox.d.ts', default: './outbox.js' },
  },
  sideEffects: false,
  // Browsers read; files are for the others.
  browser: { './push-file.js': false },
}
await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
await copyFile(join(source, 'README.md'), join(folder, 'README.md'))
await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
