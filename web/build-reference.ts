import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, 'src', 'reference')

/**
 * Work of the library that is left out, a third of the time until it shows something: it fits every document to its own
 * idea of the schema, and looks whether it fits, only to warn. Ours is valid (`npm run lint:openapi`), and fitting
 * makes it say less: free members of an object become `additionalProperties: false`.
 */
const leftOut: readonly [text: string, instead: string][] = [
  ['let e=r(`coerceValue`,()=>se(Lcn,pcn(oS(h))));r(`mergeObjects`,()=>cS(h,e))', ''],
  ['if(!Ag(Bv,h)){', 'if(!1){'],
]

function leaveOut(library: string): string {
  return leftOut.reduce((script, [text, instead]) => {
    const parts = script.split(text)
    if (parts.length !== 2) {
      throw new Error(
        `The library is another: it has ${text} ${parts.length - 1} times. See build-reference.ts.`,
      )
    }
    return parts.join(instead)
  }, library)
}

/** The library's own script. Its package gives it out over HTTP alone, uncompressed and under one name for ever. */
async function readLibrary(): Promise<string> {
  await using app = Fastify()
  await app.register(scalar, { routePrefix: '/from-package', configuration: { url: '/openapi.json' } })
  const { statusCode, payload } = await app.inject('/from-package/js/scalar.js')
  if (statusCode !== 200)
    throw new Error('@scalar/fastify-api-reference holds no script of the API reference.')
  // The map that it names is not in the package.
  return leaveOut(payload.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
}

/** Our own styles, with the palette that they import. */
function readStyle(): string {
  const style = readFileSync(join(folder, 'reference.css'), 'utf8')
  return style.replace(/@import '(.*?)';/, (_rule, path: string) => readFileSync(join(folder, path), 'utf8'))
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
    async buildStart() {
      page = this.emitFile({ type: 'chunk', id: join(folder, 'main.ts'), name: 'reference' })
      library = this.emitFile({ type: 'asset', name: 'scalar.js', source: await readLibrary() })
    },
    generateBundle(_options, bundle) {
      const address = (id: string): string => `/${this.getFileName(id)}`
      const icon = `/${Object.keys(bundle).find((name) => /\bicon-.*\.svg$/.test(name))!}`
      const document = readFileSync(join(folder, 'reference.html'), 'utf8')
      this.emitFile({
        type: 'asset',
        fileName: 'reference.html',
        source: document
          .replaceAll('%icon%', icon)
          // In the document, so that nothing moves once a script has brought it.
          .replace('%style%', () => readStyle())
          .replace('%page%', address(page))
          .replace('%library%', address(library)),
      })
    },
  }
}
