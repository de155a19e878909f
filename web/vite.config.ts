import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'

/** Scripts of a page with all that it loads, compressed with brotli: of what is seen first, and of any other. */
const firstViewBytesMax = 150_000
const pageBytesMax = 300_000

/** A script with all that it imports at once. */
function closureOf(bundle: Rolldown.OutputBundle, fileName: string, found = new Set<string>()): Set<string> {
  const output = bundle[fileName]
  if (output?.type !== 'chunk' || found.has(fileName)) return found
  found.add(fileName)
  for (const imported of output.imports) closureOf(bundle, imported, found)
  return found
}

/**
 * The size of each page's scripts, by the page: the start, what all pages share, and the page itself. The consent stands
 * alone.
 */
function sizesOf(bundle: Rolldown.OutputBundle, bytesOf: Map<string, number>): [string, number][] {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const start = chunks.find(({ isEntry }) => isEntry)!
  const shared = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/pages.tsx'))!
  return chunks
    .filter(({ facadeModuleId }) => facadeModuleId?.endsWith('-page.tsx'))
    .map((page) => {
      const files = closureOf(bundle, start.fileName)
      if (page.name !== 'consent-page') closureOf(bundle, shared.fileName, files)
      closureOf(bundle, page.fileName, files)
      return [page.name, [...files].reduce((sum, file) => sum + bytesOf.get(file)!, 0)]
    })
}

/**
 * Beside each script and style stand its compressed forms, which the service sends to who takes them. A build whose pages are
 * larger than they may be fails.
 */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const bytesOf = new Map<string, number>()
      for (const [fileName, output] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(fileName)) continue
        const content = output.type === 'chunk' ? output.code : output.source
        const brotli = brotliCompressSync(content)
        bytesOf.set(fileName, brotli.length)
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotli })
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content) })
      }
      for (const [page, bytes] of sizesOf(bundle, bytesOf)) {
        this.info(`${page}: ${(bytes / 1_000).toFixed(1)} kB of scripts`)
        const bytesMax = page === 'reports-page' ? firstViewBytesMax : pageBytesMax
        if (bytes > bytesMax) this.error(`The scripts of ${page} are ${bytes} bytes; at most ${bytesMax}.`)
      }
    },
  },
}

/**
 * The pages. The service serves `dist/index.html` at each page's address and `dist/assets` under `/assets/`, with a
 * content policy that allows scripts and styles from there alone: nothing is inlined but small pictures.
 */
export default defineConfig({
  root: import.meta.dirname,
  // The workspace has one folder of packages.
  cacheDir: '../node_modules/.vite',
  plugins: [react(), compressed],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // Those that know `light-dark()` and `popover` (2024), which nothing older can be given by other means.
    cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
  },
})
