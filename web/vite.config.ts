import { execFile } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { findScripts, pagesTable } from './build-pages-table.ts'
import { reference } from './build-reference.ts'

/** The most that a page's scripts may weigh, compressed with brotli: the first view, and any other page. */
const firstViewBytesMax = 150_000
const pageBytesMax = 300_000

/** Brotli's highest levels take ten times as long for 5 % fewer bytes: ten seconds for a library of megabytes. */
const bestCompressedBytesMax = 1_000_000

function compress(content: string | Uint8Array): Buffer {
  const quality = content.length > bestCompressedBytesMax ? 9 : constants.BROTLI_MAX_QUALITY
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

const moduleAt = (path: string): string => join(import.meta.dirname, 'src', path)
const main = moduleAt('main.tsx')
const pages = moduleAt('pages.tsx')
const consent = moduleAt('consent/consent-page.tsx')
const firstView = moduleAt('reports/reports-page.tsx')

/** Modules that only the reports need. */
const reportsPattern = /\/src\/(?:reports\/|language\/reports\.)|\/node_modules\/(?:d3-|internmap)/

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null
}

/** The static imports of each root module. */
const importedBy = new Map<string, Set<string>>()

function isImportedBy(root: string, id: string, graph: ModuleGraph): boolean {
  const known = importedBy.get(root)
  if (known !== undefined) return known.has(id)
  const found = new Set<string>()
  const open = [root]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...(graph.getModuleInfo(next)?.importedIds ?? []))
  }
  importedBy.set(root, found)
  return found.has(id)
}

/**
 * The file of a module of the first view; null for others, which the bundler places. By default it would create a file for each
 * set of modules that the same pages share: thirty for the first view, with a request for each. So there are three: what every
 * page needs, including the consent; what the pages in the frame need; and the reports' own.
 */
function chooseFile(id: string, graph: ModuleGraph): 'start' | 'frame' | 'reports' | null {
  if ([main, pages, consent, firstView].includes(id)) return null
  const isIn = (root: string): boolean => isImportedBy(root, id, graph)
  const isSeenFirst = isIn(pages) || isIn(firstView)
  if (isIn(main) || (isIn(consent) && isSeenFirst)) return 'start'
  if (!isSeenFirst) return null
  return !isIn(pages) && reportsPattern.test(id) ? 'reports' : 'frame'
}

/** In order of priority, so that none includes modules of another. */
const groups = (['start', 'frame', 'reports'] as const).map((file, index) => ({
  name: (id: string, graph: ModuleGraph) => (chooseFile(id, graph) === file ? file : null),
  priority: 3 - index,
}))

/** Adds a compressed form of each script and style. Fails where a page's scripts are too large. */
const delivered: Plugin = {
  name: 'delivered',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const bytesByFile = new Map<string, number>()
      for (const [fileName, output] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(fileName)) continue
        const content = output.type === 'chunk' ? output.code : output.source
        const brotli = compress(content)
        bytesByFile.set(fileName, brotli.length)
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotli })
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content) })
      }
      for (const [page, { all }] of findScripts(bundle)) {
        const bytes = [...all].reduce((sum, file) => sum + bytesByFile.get(file)!, 0)
        this.info(`${page}: ${(bytes / 1_000).toFixed(1)} kB of ${all.size} scripts`)
        const bytesMax = moduleAt(page) === firstView ? firstViewBytesMax : pageBytesMax
        if (bytes > bytesMax) this.error(`The scripts of ${page} are ${bytes} bytes; at most ${bytesMax}.`)
      }
    },
  },
}

/** Replaces the bundler's own helper around every `import()`: see `importPatiently`. */
const patientImports: Plugin = {
  name: 'patient-imports',
  enforce: 'pre',
  apply: 'build',
  load: {
    filter: { id: /vite\/preload-helper/ },
    handler: () =>
      `export { importPatiently as __vitePreload } from ${JSON.stringify(moduleAt('api/import-patiently.ts'))}`,
  },
}

/**
 * Moves the styles behind the document's own frame, since a browser paints nothing before the styles in the head have loaded. Scripts
 * still wait for them.
 */
const stylesAfterFrame: Plugin = {
  name: 'styles-after-frame',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => {
      const [styles = ''] = /^ *<link rel="stylesheet".*\n/m.exec(html) ?? []
      return html.replace(styles, '').replace(/^ *<noscript>/m, (noscript) => `${styles}${noscript}`)
    },
  },
}

/** Built in parallel by `docs/build.ts`, and moved into place at the end. */
function documents(): Plugin {
  let folder: string
  let built: Promise<unknown>
  return {
    name: 'documents',
    apply: 'build',
    configResolved({ root, build }) {
      folder = resolve(root, build.outDir)
    },
    async buildStart() {
      await rm(`${folder}.docs`, { recursive: true, force: true })
      const builder = join(import.meta.dirname, 'docs', 'build.ts')
      const options = { cwd: join(import.meta.dirname, '..') }
      const running = promisify(execFile)(process.execPath, [builder, `${folder}.docs`], options)
      process.on('exit', () => running.child.kill())
      built = running.catch(({ stderr }: { stderr: string }) => {
        throw new Error(stderr.trim())
      })
      // Failures are reported at the end.
      built.catch(() => undefined)
    },
    async writeBundle() {
      await built
      await rename(`${folder}.docs`, join(folder, 'docs'))
    },
  }
}

/**
 * The service serves `dist/index.html` at each page's address and `dist/assets` under `/assets/`. Its content policy allows scripts
 * and styles only from there, so nothing is inlined but small pictures and the styles of the document's own frame.
 */
export default defineConfig({
  root: import.meta.dirname,
  // With the packages, in the workspace's root.
  cacheDir: '../node_modules/.vite',
  plugins: [patientImports, stylesAfterFrame, react(), reference(), pagesTable, delivered, documents()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // All styles are 11 kB: cheaper than a request for each page.
    cssCodeSplit: false,
    // The first with `light-dark()` and `popover` (2024), which cannot be polyfilled.
    cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
