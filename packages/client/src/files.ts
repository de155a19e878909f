/*
 * Files and streams as documents that can be read twice: once for their hash, once to send them. Loaded by `pushFile` alone, so that
 * the rest runs where there are no files.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BrokenFile } from './records.ts'

/** A path, a `file:` URL, bytes, a `Blob`, or a stream of bytes. A stream is copied to a temporary file first. */
export type FileInput = string | URL | Uint8Array | Blob | AsyncIterable<Uint8Array>

export interface Document {
  size: number
  /** Of the whole, in hexadecimal. */
  sha256: string
  /** Reads it from the beginning. Throws if it changed after it was hashed. A chunk is valid until the next one. */
  read(): AsyncIterable<Uint8Array>
  close(): Promise<void>
}

export async function openDocument(input: FileInput, signal?: AbortSignal): Promise<Document> {
  if (typeof input === 'string' || input instanceof URL) return openPath(input, signal)
  if (input instanceof Uint8Array || input instanceof Blob) {
    const blob = input instanceof Blob ? input : new Blob([input as Uint8Array<ArrayBuffer>])
    const read = (): AsyncIterable<Uint8Array> => blob.stream() as unknown as AsyncIterable<Uint8Array>
    const hashed = await hashAll(read(), signal)
    return { ...hashed, read, close: async () => {} }
  }
  return openStream(input, signal)
}

async function hashAll(
  chunks: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of chunks) {
    signal?.throwIfAborted()
    hash.update(chunk)
    size += chunk.length
  }
  return { size, sha256: hash.digest('hex') }
}

async function openPath(path: string | URL, signal?: AbortSignal): Promise<Document> {
  const file = await open(path, 'r')
  try {
    const { size, mtimeMs } = await file.stat()
    const hashed = await hashAll(readHandle(file), signal)
    const read = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of readHandle(file)) {
        const now = await file.stat()
        if (now.size !== size || now.mtimeMs !== mtimeMs)
          throw new BrokenFile('The file changed while it was read', 0)
        yield chunk
      }
    }
    return { ...hashed, read, close: () => file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

const chunkBytes = 1024 * 1024

async function* readHandle(file: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(chunkBytes)
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function openStream(chunks: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<Document> {
  const folder = await mkdtemp(join(tmpdir(), 'numera-client-'))
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'document')
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of chunks) {
        signal?.throwIfAborted()
        await file.writeFile(chunk)
      }
    } finally {
      await file.close()
    }
    const document = await openPath(path, signal)
    const close = async (): Promise<void> => {
      await document.close()
      await remove()
    }
    return { ...document, close }
  } catch (error) {
    await remove()
    throw error
  }
}
