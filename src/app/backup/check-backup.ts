import { BackupError } from './backup-error.ts'
import { listBases, readBase } from './base.ts'
import { forEachConcurrently } from './for-each-concurrently.ts'
import { checkedPrefix, faultyKey, toWalKey } from './layout.ts'
import { readFinishedAt, readStoredLog, toReach, type StoredLog } from './plan-restore.ts'
import { readChunk } from './restore-files.ts'
import type { SealedStore } from './sealed-store.ts'

/** Objects that are read at the same time. */
const objectsMax = 8

export interface CheckedBackup {
  /** The newest base that is whole. */
  base: string | undefined
  /** Up to when everything can be restored from it. */
  restorableTo: Date | undefined
  /** Objects that were read, opened and compared with their hashes. */
  objects: number
  /** What is wrong, a sentence each, at most `faultsMax`. */
  faults: string[]
}

const faultsMax = 100

/** How long every instant can be restored, counted back from the newest base. Milliseconds. */
export const wholeMs = 7 * 24 * 3_600_000

/** What is wrong with each object, if anything; several bases may need it. */
type Seen = Map<string, Promise<string | undefined>>

/** What is wrong with an object that `read` reads, in a sentence. */
async function findFault(read: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await read()
    return undefined
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    return error.message
  }
}

/** The stored log of each cluster, listed once. */
type Logs = Map<string, Promise<StoredLog>>

/** Whether everything of a base is there, and where the log after it ends. */
async function checkBase(
  sealed: SealedStore,
  { name, isRecent }: { name: string; isRecent: boolean },
  { seen, logs }: { seen: Seen; logs: Logs },
  addFault: (text: string) => void,
): Promise<{ isWhole: boolean; end: string | undefined }> {
  const base = await readBase(sealed, name)
  const { systemIdentifier: system } = base
  const log = logs.get(system) ?? readStoredLog(sealed, system)
  logs.set(system, log)
  const reach = toReach(base, await log)
  const stop = reach.segments.indexOf(base.stopSegment)
  let isWhole = stop >= 0
  if (reach.missing !== undefined && (isRecent || !isWhole))
    addFault(`${name}: the segment ${reach.missing} is missing.`)
  const check = async (key: string, act: () => Promise<unknown>): Promise<void> => {
    const reading = seen.get(key) ?? findFault(act)
    seen.set(key, reading)
    const fault = await reading
    if (fault === undefined) return
    isWhole = false
    addFault(`${name}: ${fault}`)
  }
  await forEachConcurrently(base.chunks, objectsMax, (chunk) =>
    check(chunk.sha256, () => readChunk(sealed, chunk)),
  )
  await forEachConcurrently(
    isRecent ? reach.segments : reach.segments.slice(0, stop + 1),
    objectsMax,
    (segment) => check(toWalKey(system, segment), () => readFinishedAt(sealed, toWalKey(system, segment))),
  )
  const end = reach.segments.at(-1)
  return { isWhole, end: end && toWalKey(system, end) }
}

async function listFaulty(seen: Seen): Promise<string[]> {
  const faulty: string[] = []
  for (const [key, fault] of seen) if ((await fault) !== undefined) faulty.push(key)
  return faulty
}

/**
 * Reads every object of the bases that are kept and of the log after the recent ones, once each. A base that is whole is
 * marked so: only then older ones may be deleted.
 */
export async function checkBackup(sealed: SealedStore): Promise<CheckedBackup> {
  const faults: string[] = []
  const addFault = (text: string): void => {
    if (faults.length < faultsMax && !faults.includes(text)) faults.push(text)
  }
  const seen: Seen = new Map()
  const logs: Logs = new Map()
  const bases = (await listBases(sealed)).toReversed()
  if (bases.length === 0) addFault(`There is no base in ${sealed.store.place}.`)
  const checked: CheckedBackup = { base: undefined, restorableTo: undefined, objects: 0, faults }
  for (const { name, startedAt } of bases) {
    const isRecent = bases[0]!.startedAt.getTime() - startedAt.getTime() <= wholeMs
    try {
      const { isWhole, end } = await checkBase(sealed, { name, isRecent }, { seen, logs }, addFault)
      if (!isWhole) continue
      await sealed.put(`${checkedPrefix}${name}`, Buffer.from(new Date().toISOString()))
      if (checked.base !== undefined) continue
      checked.base = name
      checked.restorableTo = await readFinishedAt(sealed, end!)
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      addFault(error.message)
    }
  }
  checked.objects = seen.size
  await sealed.put(faultyKey, Buffer.from(JSON.stringify(await listFaulty(seen))))
  return checked
}
