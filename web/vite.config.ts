import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Where `npm start` serves, for the development server to ask. */
const service = process.env['NUMERA_BASE_URL'] ?? 'http://localhost:8080'

/**
 * The pages. The service serves `dist/index.html` at each page's address and `dist/assets` under `/assets/`, with a
 * content policy that allows scripts and styles from there alone: nothing is inlined but small pictures.
 */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, modulePreload: { polyfill: false } },
  server: {
    port: 5173,
    strictPort: true,
    // Everything but the pages, which are those that the development server serves itself.
    proxy: Object.fromEntries(['/console', '/demo-identity'].map((path) => [path, service])),
  },
})
