import { expect, test } from 'vitest'
import { toMasterKey } from '../../platform/keys/master-key.ts'
import { createObjectStore } from '../../../testing/in-process/object-store.ts'
import type { Base } from './base.ts'
import { toChunkKey } from './base.ts'
import { deleteOldBackups } from './delete-old-backups.ts'
import { basesPrefix, checkedPrefix, toBaseName, toWalKey } from './layout.ts'
import { createSealedStore, type SealedStore } from './sealed-store.ts'

const dayMs = 24 * 3_600_000
const nowMs = Date.UTC(2026, 10, 24, 12)
const days = 60

const toSegment = (day: number): string =>
  `0000000100000000000000${day.toString(16).padStart(2, '0').toUpperCase()}`

/** A base and two segments a day, and a chunk that is in all of them. */
const createBackup = async (
  isChecked: boolean,
): Promise<{ sealed: SealedStore; list: () => Promise<string[]> }> => {
  const store = createObjectStore()
  const sealed = createSealedStore(store, { current: toMasterKey(Buffer.alloc(32, 1)) })
  for (let day = 0; day < days; day++) {
    const startedAt = new Date(nowMs - (days - 1 - day) * dayMs)
    const name = toBaseName(startedAt)
    const base: Partial<Base> = {
      format: 1,
      systemIdentifier: '1',
      startSegment: toSegment(2 * day),
      stopSegment: toSegment(2 * day),
      chunks: ['all', `day-${day}`].map((sha256) => ({ sha256, parts: [] })),
    }
    await sealed.put(`${basesPrefix}${name}`, Buffer.from(JSON.stringify(base)))
    if (isChecked) await sealed.put(`${checkedPrefix}${name}`, Buffer.from(''))
    for (const segment of [2 * day, 2 * day + 1])
      await sealed.put(toWalKey('1', toSegment(segment)), Buffer.from(''))
    for (const { sha256 } of base.chunks!)
      await sealed.put(toChunkKey(sealed.fingerprint, sha256), Buffer.from(''))
  }
  const list = async (): Promise<string[]> => {
    const keys: string[] = []
    for await (const { key } of store.list('')) keys.push(key)
    return keys
  }
  return { sealed, list }
}

test('what no kept base needs is deleted, and everything of those that are kept is there', async () => {
  const { sealed, list } = await createBackup(true)
  const deleted = await deleteOldBackups(sealed, nowMs)
  const keys = await list()
  expect(deleted).toBeGreaterThan(100)
  const chunk = (name: string): string => toChunkKey(sealed.fingerprint, name)
  expect(keys).toContain(chunk('all'))
  const kept = keys.filter((key) => key.startsWith(basesPrefix)).length
  expect(keys.filter((key) => key.startsWith('chunks/'))).toHaveLength(kept + 1)
  // Of the last week every segment, of an older base only those without which it is none.
  for (const day of [52, 53, 59]) {
    expect(keys).toContain(chunk(`day-${day}`))
    expect(keys).toContain(toWalKey('1', toSegment(2 * day)))
    expect(keys).toContain(toWalKey('1', toSegment(2 * day + 1)))
  }
  const older = keys.filter((key) => key.startsWith(`${basesPrefix}202610`))
  expect(older).toEqual([`${basesPrefix}20261031T120000000Z.base`])
  expect(keys).toContain(toWalKey('1', toSegment(2 * 35)))
  expect(keys).not.toContain(toWalKey('1', toSegment(2 * 35 + 1)))
  expect(await deleteOldBackups(sealed, nowMs)).toBe(0)
})

test('nothing is deleted while no base was found whole', async () => {
  const { sealed, list } = await createBackup(false)
  const before = await list()
  expect(await deleteOldBackups(sealed, nowMs)).toBe(0)
  expect(await list()).toEqual(before)
})
