import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Chunk, FilePart } from './base.ts'
import type { ClusterFiles } from './cluster-files.ts'

/**
 * The size of a chunk in bytes. A changed page costs a whole chunk in the next base, and each chunk an object: PostgreSQL writes
 * deliveries in order, but their keys in none.
 */
const chunkBytes = 262_144

/**
 * Cuts the files of a cluster into chunks: large ones by position, small ones of a folder together, so that what has not
 * changed gives the same chunks again.
 */
export function* cutIntoChunks({ files }: ClusterFiles): Generator<FilePart[], void> {
  let small: FilePart[] = []
  let smallBytes = 0
  for (const { path, bytes } of files) {
    const folder = small[0] && dirname(small[0][0])
    if (small.length > 0 && (dirname(path) !== folder || smallBytes + bytes > chunkBytes)) {
      yield small
      ;[small, smallBytes] = [[], 0]
    }
    if (bytes < chunkBytes) {
      small.push([path, 0, bytes])
      smallBytes += bytes
      continue
    }
    for (let from = 0; from < bytes; from += chunkBytes)
      yield [[path, from, Math.min(chunkBytes, bytes - from)]]
  }
  if (small.length > 0) yield small
}

/** Reads parts. What was cut off or deleted meanwhile is left out: the log has it. */
export async function readParts(
  cluster: string,
  parts: readonly FilePart[],
): Promise<{ chunk: Chunk; content: Buffer }> {
  const contents: Buffer[] = []
  const read: FilePart[] = []
  for (const [path, from, bytes] of parts) {
    const content = await readPart(join(cluster, path), from, bytes)
    if (content === undefined) continue
    contents.push(content)
    read.push([path, from, content.length])
  }
  const content = Buffer.concat(contents)
  return { chunk: { sha256: createHash('sha256').update(content).digest('hex'), parts: read }, content }
}

/** Written in one piece, but not read in one: it would not open if it were cut between the old and the new. */
const writtenOften = /\bpg_control$/

async function readPart(path: string, from: number, bytes: number): Promise<Buffer | undefined> {
  const first = await readOnce(path, from, bytes)
  if (first === undefined || !writtenOften.test(path)) return first
  for (let before = first; ;) {
    const again = await readOnce(path, from, bytes)
    if (again === undefined || again.equals(before)) return again
    before = again
  }
}

async function readOnce(path: string, from: number, bytes: number): Promise<Buffer | undefined> {
  try {
    await using file = await open(path, 'r')
    const buffer = Buffer.allocUnsafe(bytes)
    let length = 0
    while (length < bytes) {
      const { bytesRead } = await file.read(buffer, length, bytes - length, from + length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return buffer.subarray(0, length)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
