import { execFile } from 'node:child_process'
import { rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { reference } from './build-reference.ts'

/** Scripts of a page with all that it loads, compressed with brotli: of what is seen first, and of any other. */
const firstViewBytesMax = 150_000
const pageBytesMax = 300_000

/** Brotli's last two steps take ten times as long, of a library of megabytes ten seconds, for a twentieth. */
const compressedAtOnceBytesMax = 1_000_000

function compress(content: string | Uint8Array): Buffer {
  const quality = content.length > compressedAtOnceBytesMax ? 9 : constants.BROTLI_MAX_QUALITY
  return brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } })
}

const moduleAt = (path: string): string => join(import.meta.dirname, 'src', path)
const main = moduleAt('main.tsx')
const pages = moduleAt('pages.tsx')
const consent = moduleAt('consent/consent-page.tsx')
const firstView = moduleAt('reports/reports-page.tsx')

/** What no other page needs of it. */
const ofReports = /\/src\/(?:reports\/|language\/reports\.)|\/node_modules\/(?:d3-|internmap)/

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: string[] } | null
}

/** Of each of these, all that it imports at once. */
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
 * The file of a module of the first view; null for any other, which goes where the bundler puts it. Left alone, it makes a file
 * of each set of modules that the same pages share, thirty for the first view, and each costs a request. So it has
 * three, beside those that begin them: what every page needs, the consent too; what the pages in the frame need; the reports' own.
 */
function fileOf(id: string, graph: ModuleGraph): 'start' | 'frame' | 'reports' | null {
  if ([main, pages, consent, firstView].includes(id)) return null
  const isOf = (root: string): boolean => isImportedBy(root, id, graph)
  const isSeenFirst = isOf(pages) || isOf(firstView)
  if (isOf(main) || (isOf(consent) && isSeenFirst)) return 'start'
  if (!isSeenFirst) return null
  return !isOf(pages) && ofReports.test(id) ? 'reports' : 'frame'
}

/** In the order in which they are made, so that none takes along what is another's. */
const groups = (['start', 'frame', 'reports'] as const).map((file, index) => ({
  name: (id: string, graph: ModuleGraph) => (fileOf(id, graph) === file ? file : null),
  priority: 3 - index,
}))

/** A script with all that it imports at once. */
function closureOf(bundle: Rolldown.OutputBundle, fileName: string, found = new Set<string>()): Set<string> {
  const output = bundle[fileName]
  if (output?.type !== 'chunk' || found.has(fileName)) return found
  found.add(fileName)
  for (const imported of output.imports) closureOf(bundle, imported, found)
  return found
}

/**
 * The scripts of each page, by the page: the start, what all pages share, and the page itself. The consent stands alone.
 */
function scriptsOf(bundle: Rolldown.OutputBundle): Map<string, { all: Set<string>; atStart: Set<string> }> {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const start = chunks.find(({ isEntry, name }) => isEntry && name === 'index')!
  const shared = chunks.find(({ facadeModuleId }) => facadeModuleId === pages)!
  const atStart = closureOf(bundle, start.fileName)
  return new Map(
    chunks
      .filter(({ facadeModuleId }) => facadeModuleId?.endsWith('-page.tsx'))
      .map((page) => {
        const all = new Set(atStart)
        if (page.facadeModuleId !== consent) closureOf(bundle, shared.fileName, all)
        return [page.name, { all: closureOf(bundle, page.fileName, all), atStart }]
      }),
  )
}

/**
 * Beside each script and style stand its compressed forms, which the service sends to who takes them, and beside the document
 * what each page loads that the document does not name, which the service tells with it. A build whose pages are
 * larger than they may be fails.
 */
const delivered: Plugin = {
  name: 'delivered',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const bytesOf = new Map<string, number>()
      for (const [fileName, output] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(fileName)) continue
        const content = output.type === 'chunk' ? output.code : output.source
        const brotli = compress(content)
        bytesOf.set(fileName, brotli.length)
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotli })
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content) })
      }
      const told: Record<string, string[]> = {}
      for (const [page, { all, atStart }] of scriptsOf(bundle)) {
        const bytes = [...all].reduce((sum, file) => sum + bytesOf.get(file)!, 0)
        this.info(`${page}: ${(bytes / 1_000).toFixed(1)} kB of ${all.size} scripts`)
        const bytesMax = page === 'reports-page' ? firstViewBytesMax : pageBytesMax
        if (bytes > bytesMax) this.error(`The scripts of ${page} are ${bytes} bytes; at most ${bytesMax}.`)
        told[page] = [...all.difference(atStart)].map((file) => `/${file}`)
      }
      this.emitFile({ type: 'asset', fileName: 'page-scripts.json', source: JSON.stringify(told) })
    },
  },
}

/** In the place of the bundler's own, around every `import()`: see `importPatiently`. */
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
 * The styles come after the frame of the document, which has its own: a browser paints nothing before the styles that its head names
 * have arrived. Scripts wait for them all the same.
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

/** Made beside the pages by a program of their own (`docs/build.ts`), and put among them at the end. */
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
      // It is waited for at the end; until then nobody hears of a failure.
      built.catch(() => undefined)
    },
    async writeBundle() {
      await built
      await rename(`${folder}.docs`, join(folder, 'docs'))
    },
  }
}

/**
 * The pages. The service serves `dist/index.html` at each page's address and `dist/assets` under `/assets/`, with a
 * content policy that allows scripts and styles from there alone: nothing is inlined but small pictures, and the styles of the
 * document's own frame.
 */
export default defineConfig({
  root: import.meta.dirname,
  // The workspace has one folder of packages.
  cacheDir: '../node_modules/.vite',
  plugins: [patientImports, stylesAfterFrame, react(), reference(), delivered, documents()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // All styles are 11 kB: less than what a request for each page's own costs.
    cssCodeSplit: false,
    // Those that know `light-dark()` and `popover` (2024), which nothing older can be given by other means.
    cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
})
