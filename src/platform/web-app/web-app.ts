import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { consentPage, createReturnCheck, returnPage, type PageEntry } from './page-table.ts'

/** The web app (`web/`) as it was built. */
export interface Pages {
  /** The one document. Its script shows what belongs to the address. */
  index: string
  /** Every page by its address. */
  table: ReadonlyMap<string, PageEntry>
  /** See {@link createReturnCheck}. */
  isReturnable: (target: string) => boolean
  /** Where the documents are, as pages (`web/docs`); undefined where there are none. */
  documentsFolder: string | undefined
  /** The document of the interactive API reference (`src/console/reference`). */
  reference: string
  /** Scripts, styles and fonts, each named after its content; undefined where there are none. */
  assetsFolder: string | undefined
}

function withTable(entries: readonly PageEntry[]): Pick<Pages, 'table' | 'isReturnable'> {
  return {
    table: new Map(entries.map((page) => [page.address, page])),
    isReturnable: createReturnCheck(entries),
  }
}

/** For an app that is not opened in a browser, as in tests: some pages, without scripts. */
export const noPages: Pages = {
  index: '<!doctype html>\n<title>Numera</title>\n',
  reference: '<!doctype html>\n<title>API reference</title>\n',
  ...withTable(
    [
      '/',
      '/sign-in',
      '/apps',
      '/companies',
      '/companies/:company_id/connections/:connection_id',
      '/signatures',
      '/invitations',
      consentPage,
      returnPage,
    ].map((address) => ({ address, scripts: [], calls: [], isReturnable: address !== returnPage })),
  ),
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
    ...withTable(JSON.parse(await read('pages.json')) as PageEntry[]),
    documentsFolder: join(folder, 'docs'),
    assetsFolder: join(folder, 'assets'),
  }
}
