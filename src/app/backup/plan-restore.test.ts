import { beforeEach, expect, test } from 'vitest'
import { release } from '../../platform/config/release.ts'
import { toMasterKey } from '../../platform/keys/master-key.ts'
import { createObjectStore } from '../../../testing/in-process/object-store.ts'
import type { Base } from './base.ts'
import { basesPrefix, toBaseName, toWalKey } from './layout.ts'
import { planRestore } from './plan-restore.ts'
import { createSealedStore, type SealedStore } from './sealed-store.ts'

const system = '7711'

let sealed: SealedStore
beforeEach(() => {
  sealed = createSealedStore(createObjectStore(), { current: toMasterKey(Buffer.alloc(32, 1)) })
})

const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 24, 10, minute))

/** @param segment of the whole base, by its last two digits */
const putBase = async (
  minute: number,
  timeline: number,
  segment: string,
  more: Partial<Base> = {},
): Promise<string> => {
  const name = `0000000${timeline}00000000000000${segment}`
  const base: Base = {
    format: 1,
    release,
    postgres: 18,
    systemIdentifier: system,
    startedAt: at(minute).toISOString(),
    endedAt: at(minute).toISOString(),
    startSegment: name,
    stopSegment: name,
    label: '',
    folders: [],
    chunks: [],
    companions: {},
    ...more,
  }
  await sealed.put(`${basesPrefix}${toBaseName(at(minute))}`, Buffer.from(JSON.stringify(base)))
  return toBaseName(at(minute))
}

const putLog = async (name: string, minute: number, content = ''): Promise<void> => {
  const head = Buffer.alloc(8)
  head.writeBigUInt64BE(BigInt(at(minute).getTime()))
  await sealed.put(toWalKey(system, name), Buffer.concat([head, Buffer.from(content)]))
}

const putSegments = async (timeline: number, from: number, to: number): Promise<void> => {
  for (let number = from; number <= to; number++)
    await putLog(
      `0000000${timeline}0000000000000${number.toString(16).padStart(3, '0').toUpperCase()}`,
      number,
    )
}

test('the newest base before the instant is used, as far as its log is there', async () => {
  const first = await putBase(2, 1, '02')
  const second = await putBase(6, 1, '06')
  await putSegments(1, 2, 9)
  expect(await planRestore(sealed, at(5))).toMatchObject({ name: first, endsAt: at(9) })
  expect(await planRestore(sealed, at(7))).toMatchObject({ name: second })
  await expect(planRestore(sealed, at(10))).rejects.toThrow('The stored log ends at 2026-11-24T10:09:00.000Z')
  await expect(planRestore(sealed, at(1))).rejects.toThrow('Nothing before the end of the first base')
})

test('a base whose own log has a gap is passed over, and a gap after it ends what can be restored', async () => {
  const first = await putBase(2, 1, '02')
  await putBase(6, 1, '06', { stopSegment: '000000010000000000000008' })
  await putSegments(1, 2, 6)
  await putSegments(1, 8, 9)
  expect(await planRestore(sealed, 'latest')).toMatchObject({ name: first, endsAt: at(6) })
  await expect(planRestore(sealed, at(8))).rejects.toThrow('The segment 000000010000000000000007 is missing')
})

test('after a restore the new timeline is followed, once it has stored something, and the old one on request', async () => {
  const first = await putBase(2, 1, '02')
  // Taken of what was given up: the copy was restored to the fifth segment.
  const givenUp = await putBase(7, 1, '07')
  await putSegments(1, 2, 9)
  await putLog('00000002.history', 5, '1\t0/5000148\tbefore\n')
  expect(await planRestore(sealed, 'latest')).toMatchObject({ name: givenUp, reach: { timeline: 1 } })
  await putSegments(2, 5, 12)
  expect(await planRestore(sealed, 'latest')).toMatchObject({
    name: first,
    endsAt: at(12),
    reach: {
      timeline: 2,
      segments: expect.arrayContaining(['000000010000000000000004', '000000020000000000000005']),
    },
  })
  expect(await planRestore(sealed, 'latest', 1)).toMatchObject({ name: givenUp, endsAt: at(9) })
})

test('a backup of a newer release or of another PostgreSQL is refused', async () => {
  await putBase(2, 1, '02', { release: '999.0.0' })
  await putSegments(1, 2, 3)
  await expect(planRestore(sealed, 'latest')).rejects.toThrow('of release 999.0.0')
  await putBase(2, 1, '02', { postgres: 17 })
  await expect(planRestore(sealed, 'latest')).rejects.toThrow('of PostgreSQL 17')
})
