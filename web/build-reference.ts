import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, 'src', 'reference')

/** The packaged library keeps the script that it would serve as a text of its own; it gives it out by no other way. */
const scriptInPackage = /^var standalone_default = (".*");$/m

function readLibrary(): string {
  const path = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))
  const found = scriptInPackage.exec(readFileSync(path, 'utf8'))
  if (found === null) throw new Error(`${path} holds no script of the API reference.`)
  // The map that it names is not in the package.
  return (JSON.parse(found[1]!) as string).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}

/**
 * The interactive reference: the library's script and our own, each named after its content, and the document that loads
 * them (`src/reference/routes.ts` serves it).
 */
export function reference(): Plugin {
  let page: string
  let library: string
  return {
    name: 'reference',
    apply: 'build',
    buildStart() {
      page = this.emitFile({ type: 'chunk', id: join(folder, 'main.ts'), name: 'reference' })
      library = this.emitFile({ type: 'asset', name: 'scalar.js', source: readLibrary() })
    },
    generateBundle() {
      const address = (id: string): string => `/${this.getFileName(id)}`
      const document = readFileSync(join(folder, 'reference.html'), 'utf8')
      this.emitFile({
        type: 'asset',
        fileName: 'reference.html',
        source: document.replace('%page%', address(page)).replace('%library%', address(library)),
      })
    },
  }
}
