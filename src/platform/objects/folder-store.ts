import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkKey, checkPrefix, checkRange, checkSize, isKey } from './object-key.ts'
import type { ByteRange, ObjectStore, StoredObject } from './object-store.ts'

/** No key contains this sign, so no draft is mistaken for an object. */
const draftPrefix = '~'
/** Nothing is written for as long: its process died. Milliseconds. */
const draftAgeMsMax = 3_600_000
/** Folders that are remembered. */
const createdMax = 10_000

function toCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

/** Undefined where there is no such file, or a folder in its place. */
async function unlessMissing<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(toCode(error) ?? '')) return undefined
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}

async function writeDraft(draft: string, content: Uint8Array): Promise<void> {
  await using file = await open(draft, 'wx', 0o600)
  await file.writeFile(content)
  await file.sync()
}

async function removeOldDraft(path: string): Promise<void> {
  const status = await unlessMissing(stat(path))
  if (status !== undefined && Date.now() - status.mtimeMs > draftAgeMsMax) await rm(path, { force: true })
}

/** Objects as files of a folder, readable by their owner only. It is created with the first object. */
export class FolderStore implements ObjectStore, AsyncDisposable {
  readonly place: string
  readonly #root: string
  /** Those that are on disk, with all above them. */
  readonly #created = new Set<string>()

  /** @param root absolute */
  constructor(root: string) {
    this.place = pathToFileURL(root).href
    this.#root = root
  }

  async put(
    key: string,
    content: Uint8Array,
    { ifAbsent = false }: { ifAbsent?: boolean } = {},
  ): Promise<'stored' | 'present'> {
    checkKey(key)
    checkSize(key, content.byteLength)
    const path = join(this.#root, key)
    const folder = dirname(path)
    await this.#create(folder)
    const isPresent = ifAbsent && (await unlessMissing(stat(path))) !== undefined
    const outcome = isPresent ? 'present' : await this.#write(path, content, ifAbsent)
    // What is present may have been stored a moment ago.
    await syncFolder(folder)
    return outcome
  }

  async get(key: string, range?: ByteRange): Promise<Buffer | undefined> {
    checkKey(key)
    if (range !== undefined) checkRange(range)
    await using file = await unlessMissing(open(join(this.#root, key), 'r'))
    const status = await file?.stat()
    if (file === undefined || status?.isFile() !== true) return undefined
    if (range === undefined) {
      checkSize(key, status.size)
      return file.readFile()
    }
    const bytes = Math.max(0, Math.min(range.to, status.size) - range.from)
    const content = Buffer.alloc(bytes)
    if (bytes > 0 && (await file.read(content, 0, bytes, range.from)).bytesRead < bytes) {
      throw new Error(`${this.place}: ${key} ended while it was read`)
    }
    return content
  }

  async *list(prefix: string): AsyncIterable<StoredObject> {
    checkPrefix(prefix)
    yield* this.#walk('', prefix)
  }

  async delete(key: string): Promise<void> {
    checkKey(key)
    await unlessMissing(unlink(join(this.#root, key)))
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Folder by folder, so one folder's names are in memory. */
  async *#walk(folder: string, prefix: string): AsyncIterable<StoredObject> {
    const entries = (await unlessMissing(readdir(join(this.#root, folder), { withFileTypes: true }))) ?? []
    const found = entries.map((entry) => ({
      isFile: entry.isFile(),
      // With its slash, as it is in keys: `a-b` precedes `a/b`.
      path: `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`,
      name: entry.name,
    }))
    for (const { isFile, path, name } of found.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
      const full = join(this.#root, path)
      if (isFile && name.startsWith(draftPrefix)) await removeOldDraft(full)
      if (!isKey(path.replace(/\/$/, ''))) continue
      if (path.endsWith('/') && (path.startsWith(prefix) || prefix.startsWith(path)))
        yield* this.#walk(path, prefix)
      if (!isFile || !path.startsWith(prefix)) continue
      const status = await unlessMissing(stat(full))
      if (status !== undefined) yield { key: path, bytes: status.size, storedAt: status.mtime }
    }
  }

  async #write(path: string, content: Uint8Array, ifAbsent: boolean): Promise<'stored' | 'present'> {
    const draft = join(dirname(path), `${draftPrefix}${randomUUID()}`)
    try {
      await writeDraft(draft, content)
      // Unlike a rename, a link never replaces what another process has stored meanwhile.
      if (ifAbsent) await link(draft, path)
      else await rename(draft, path)
      return 'stored'
    } catch (error) {
      if (ifAbsent && toCode(error) === 'EEXIST') return 'present'
      // Its folder was deleted: the next put creates it.
      if (toCode(error) === 'ENOENT') this.#created.clear()
      throw error
    } finally {
      await rm(draft, { force: true })
    }
  }

  /** With those above it that are missing. Each is on disk before anything is created in it, by any process. */
  async #create(folder: string): Promise<void> {
    if (this.#created.has(folder)) return
    try {
      await mkdir(folder, { mode: 0o700 })
    } catch (error) {
      const code = toCode(error)
      if (code === 'EEXIST' && folder === this.#root) return
      if (code !== 'EEXIST' && code !== 'ENOENT') throw error
      if (code === 'ENOENT') {
        await this.#create(dirname(folder))
        return this.#create(folder)
      }
    }
    await syncFolder(dirname(folder))
    if (this.#created.size === createdMax) this.#created.clear()
    this.#created.add(folder)
  }
}
