import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** Beside each script and style stand its compressed forms, which the service sends to who takes them. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const [fileName, output] of Object.entries(bundle)) {
        if (!/\.(js|css)$/.test(fileName)) continue
        const content = output.type === 'chunk' ? output.code : output.source
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source: brotliCompressSync(content) })
        this.emitFile({ type: 'asset', fileName: `${fileName}.gz`, source: gzipSync(content) })
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
    // Those that know `light-dark()` (2024), which nothing older can be given by other means without a script.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
})
