import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import type { PageEntry } from '../src/platform/web-app/page-table.ts'
import { listPages, pagesWithoutRouter } from './src/page-table.ts'

const moduleAt = (path: string): string => join(import.meta.dirname, 'src', path)
/** What all pages with a router load. */
const shared = moduleAt('pages.tsx')
const withoutRouter = new Set<string>(Object.values(pagesWithoutRouter).map(({ file }) => file))

/** A script with all of its static imports. */
function findClosure(
  bundle: Rolldown.OutputBundle,
  fileName: string,
  found = new Set<string>(),
): Set<string> {
  const output = bundle[fileName]
  if (output?.type !== 'chunk' || found.has(fileName)) return found
  found.add(fileName)
  for (const imported of output.imports) findClosure(bundle, imported, found)
  return found
}

/** The scripts of each page by its file in `src`, and which of them the document names itself. */
export function findScripts(
  bundle: Rolldown.OutputBundle,
): Map<string, { all: Set<string>; atStart: Set<string>; exports: string[] }> {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const start = chunks.find(({ isEntry, name }) => isEntry && name === 'index')!
  const atStart = findClosure(bundle, start.fileName)
  const findChunk = (module: string) => chunks.find(({ facadeModuleId }) => facadeModuleId === module)
  const files = new Set([...listPages().values()].map(({ file }) => file))
  return new Map(
    [...files].map((file) => {
      const page = findChunk(moduleAt(file))
      if (page === undefined) throw new Error(`src/page-table.ts names ${file}, which is not in the bundle.`)
      const all = new Set(atStart)
      if (!withoutRouter.has(file)) findClosure(bundle, findChunk(shared)!.fileName, all)
      return [file, { all: findClosure(bundle, page.fileName, all), atStart, exports: page.exports }]
    }),
  )
}

/** As the service's routes have it: `$companyId` → `:company_id`. */
export function toPattern(address: string): string {
  return address.replaceAll(
    /\$(\w+)/g,
    (_, name: string) => `:${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
  )
}

/**
 * Writes `dist/pages.json`, the service's table of pages. Styles are not in it: the one file of them is named by the
 * document.
 */
export const pagesTable: Plugin = {
  name: 'pages-table',
  apply: 'build',
  generateBundle(_options, bundle) {
    const scripts = findScripts(bundle)
    const entries = [...listPages()].map(([address, page]): PageEntry => {
      const { all, atStart, exports } = scripts.get(page.file)!
      if (!exports.includes(page.component)) this.error(`${page.file} does not export ${page.component}.`)
      return {
        address: toPattern(address),
        scripts: [...all.difference(atStart)].map((file) => `/${file}`),
        calls: (page.calls ?? []).map(toPattern),
        isReturnable: page.isReturnable ?? true,
      }
    })
    this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(entries) })
  },
}
