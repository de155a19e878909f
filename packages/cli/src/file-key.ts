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
  const isLong = Array.from(name, (character) => (/[A-Za-z0-9-]/.test(character) ? 1 : 12)).reduce(
    (sum, length) => sum + length,
    0,
  )
  if (isLong <= keyCharactersMax - content.length - 1) return keyFor(name, content)
  return keyFor(createHash('sha256').update(name).digest('hex').slice(0, 32), content)
}
