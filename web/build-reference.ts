import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'
import type { Plugin } from 'vite'

const folder = join(import.meta.dirname, 'src', 'reference')

/**
 * Work of the library that is skipped, a third of the time until it shows something: it coerces and validates every document against
 * its own schema, only to warn. Ours is valid (`npm run lint:openapi`), and coercion would lose information: free members of an
 * object become `additionalProperties: false`.
 */
const skipped: readonly [text: string, instead: string][] = [
  ['let e=r(`coerceValue`,()=>se(Lcn,pcn(oS(h))));r(`mergeObjects`,()=>cS(h,e))', ''],
  ['if(!Ag(Bv,h)){', 'if(!1){'],
]

function skipWork(library: string): string {
  return skipped.reduce((script, [text, instead]) => {
    const parts = script.split(text)
    if (parts.length !== 2) {
      throw new Error(
        `The library has changed: it has ${text} ${parts.length - 1} times. See build-reference.ts.`,
      )
    }
    return parts.join(instead)
  }, library)
}

/** The library's script. Its package only serves it over HTTP, uncompressed and under a fixed name. */
async function readLibrary(): Promise<string> {
  await using app = Fastify()
  await app.register(scalar, { routePrefix: '/from-package', configuration: { url: '/openapi.json' } })
  const { statusCode, payload } = await app.inject('/from-package/js/scalar.js')
  if (statusCode !== 200) throw new Error('@scalar/fastify-api-reference has no script of the API reference.')
  // The package does not contain its source map.
  return skipWork(payload.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'))
}

/** Our styles, with their imports inlined. */
function readStyle(): string {
  const style = readFileSync(join(folder, 'reference.css'), 'utf8')
  return style.replace(/@import '(.*?)';/, (_rule, path: string) => readFileSync(join(folder, path), 'utf8'))
}

/** The interactive reference: the library's script, our own, and the document that loads them (served by `src/reference/routes.ts`). */
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
          // Inlined, so that nothing moves when scripts load.
          .replace('%style%', () => readStyle())
          .replace('%page%', address(page))
          .replace('%library%', address(library)),
      })
    },
  }
}
