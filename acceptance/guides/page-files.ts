import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readBlocks } from './page.ts'

/**
 * Reads the files that a page's blocks write. Gives their text by name.
 *
 * @param path of the page, in the repository
 */
export const readPageFiles = async (path: string): Promise<(file: string) => string> => {
  const blocks = readBlocks(path, await readFile(join(import.meta.dirname, '../..', path), 'utf8'))
  const files = new Map(blocks.flatMap((block) => (block.role === 'file' ? [[block.file, block.text]] : [])))
  return (file) => {
    const text = files.get(file)
    if (text === undefined) throw new Error(`${path} has no file ${file}`)
    return text
  }
}
