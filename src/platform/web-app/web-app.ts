import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The web app (`web/`) as it was built. */
export interface Pages {
  /** The one document. Its script shows what belongs to the address. */
  index: string
  /** What each page loads beside what the document names, by the file that begins the page; addresses of scripts. */
  scripts: Readonly<Record<string, readonly string[]>>
  /** Where the documents are, as pages (`web/docs`); undefined where there are none. */
  documentsFolder: string | undefined
  /** The document of the interactive API reference (`src/console/reference`). */
  reference: string
  /** Scripts, styles and fonts, each named after its content; undefined where there are none. */
  assetsFolder: string | undefined
}

/** For an app that is not opened in a browser: in tests, or to list its routes. */
export const noPages: Pages = {
  index: '<!doctype html>\n<title>Numera</title>\n',
  reference: '<!doctype html>\n<title>API reference</title>\n',
  scripts: {},
  documentsFolder: undefined,
  assetsFolder: undefined,
}

const builtFolder = join(import.meta.dirname, '../..', '..', 'web', 'dist')

/**
 * Reads the web app once, for as long as the service runs.
 *
 * @throws Error that says what to do where it is not built
 */
export async function readPages(folder = builtFolder): Promise<Pages> {
  const read = async (name: string): Promise<string> => {
    const path = join(folder, name)
    return readFile(path, 'utf8').catch((cause: unknown) => {
      throw new Error(`The pages are not built: there is no ${path}. Build them with: npm run build`, {
        cause,
      })
    })
  }
  return {
    index: await read('index.html'),
    reference: await read('reference.html'),
    scripts: JSON.parse(await read('page-scripts.json')),
    documentsFolder: join(folder, 'docs'),
    assetsFolder: join(folder, 'assets'),
  }
}
