import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { toHashedName } from './links.ts'

/** Addresses of the files that every page loads. */
export interface Assets {
  style: string
  icon: string
  colours: string
  main: string
}

const entries = { main: 'client/main.ts', colours: 'client/colours.ts' }

const address = (path: string): string => `/docs/${path}`

/**
 * Builds the scripts and the style of the documents, named after their content.
 *
 * @param files receives them, by path in the built folder
 */
export async function buildAssets(files: Map<string, Uint8Array>): Promise<Assets> {
  const { output } = (await build({
    root: import.meta.dirname,
    configFile: false,
    base: '/docs/',
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: false,
      reportCompressedSize: false,
      // As for the company's pages (`web/vite.config.ts`).
      cssTarget: ['chrome123', 'firefox125', 'safari17.5'],
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(entries).map(([name, path]) => [name, join(import.meta.dirname, path)]),
        ),
      },
    },
  })) as Rolldown.RolldownOutput
  const icon = await readFile(join(import.meta.dirname, '..', 'src', 'ui', 'display', 'icon.svg'))
  const iconPath = `assets/${toHashedName('icon.svg', icon)}`
  files.set(iconPath, icon)
  for (const file of output) {
    const content = file.type === 'chunk' ? file.code : file.source
    files.set(file.fileName, typeof content === 'string' ? new TextEncoder().encode(content) : content)
  }
  const script = (name: keyof typeof entries): string =>
    address(output.find((file) => file.type === 'chunk' && file.isEntry && file.name === name)!.fileName)
  return {
    style: address(output.find(({ fileName }) => fileName.endsWith('.css'))!.fileName),
    icon: address(iconPath),
    colours: script('colours'),
    main: script('main'),
  }
}
