import { basesPrefix, checkedPrefix, compareSegments, isSegment, walPrefix } from './layout.ts'
import { listBases, listChecked, readBase, toChunkKey } from './base.ts'
import { selectKept } from './retention.ts'
import type { SealedStore } from './sealed-store.ts'

/** Chunks that were never part of a base, of one that failed, are deleted after this time. Milliseconds. */
const strayMs = 24 * 3_600_000

/**
 * Deletes bases that are no longer kept, and the chunks and segments that no other one needs. Deletes nothing older than a
 * base that was not checked. No base may be taken meanwhile.
 *
 * @returns how many objects were deleted
 */
export async function deleteOldBackups(
  sealed: SealedStore,
  nowMs: number,
  signal?: AbortSignal,
): Promise<number> {
  const { store, keys } = sealed
  const all = await listBases(sealed)
  const { bases, whole } = selectKept(all, await listChecked(sealed), nowMs)
  if (whole === undefined) return 0
  const needed: { system: string; from: string; to: string | undefined }[] = []
  const chunks = new Set<string>()
  for (const { name, startedAt } of bases) {
    const base = await readBase(sealed, name)
    needed.push({
      system: base.systemIdentifier,
      from: base.startSegment,
      to: startedAt >= whole.startedAt ? undefined : base.stopSegment,
    })
    for (const { sha256 } of base.chunks)
      for (const key of [keys.current, keys.previous])
        if (key !== undefined) chunks.add(toChunkKey(key.fingerprint.toString('hex'), sha256))
  }
  let deleted = 0
  const remove = async (key: string): Promise<void> => {
    signal?.throwIfAborted()
    await store.delete(key)
    deleted++
  }
  for (const base of all) {
    if (bases.includes(base)) continue
    await remove(`${basesPrefix}${base.name}`)
    await remove(`${checkedPrefix}${base.name}`)
  }
  for await (const { key } of store.list(walPrefix)) {
    const [system, name] = key.slice(walPrefix.length).split('/') as [string, string]
    const isNeeded = needed.some(
      (base) =>
        base.system === system &&
        compareSegments(name, base.from) >= 0 &&
        (base.to === undefined || compareSegments(name, base.to) <= 0),
    )
    if (isSegment(name) && !isNeeded) await remove(key)
  }
  for await (const { key, storedAt } of store.list('chunks/'))
    if (!chunks.has(key) && storedAt.getTime() < nowMs - strayMs) await remove(key)
  return deleted
}
