import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { keyFor } from 'numera-client'

/** What a key of a file that is cut may have, before the number of the part. */
const keyCharactersMax = 160

/**
 * The key of a file, from its name and content: the same file gives the same key on any machine, so that it counts once however often
 * it is sent.
 */
export async function keyOfFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  const content = hash.digest('hex').slice(0, 32)
  const name = basename(path)
  // As `keyFor` writes it: three characters for each byte of what is neither a letter, a digit nor a dash.
  const written = Buffer.from(name)
    .toString('latin1')
    .replaceAll(/[^A-Za-z0-9-]/g, '___')
  const isLong = written.length + 1 + content.length > keyCharactersMax
  return keyFor(isLong ? createHash('sha256').update(name).digest('hex').slice(0, 32) : name, content)
}
