import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3StandIn, type S3StandIn } from '../../../stand-ins/s3/start-s3-stand-in.ts'
import { readConfig } from '../config/read-config.ts'
import { objectBytesMax, type ObjectStore } from './object-store.ts'
import { openObjectStore } from './open-object-store.ts'

let folder: string
let standIn: S3StandIn
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-objects-'))
  standIn = await startS3StandIn({ pageKeysMax: 10, sessionToken: 'token/of+the+trial' })
})
afterAll(async () => {
  await standIn[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const open = (environment: Record<string, string>) => {
  const { config, secrets } = readConfig(environment)
  return openObjectStore(config.backup!, secrets.backupCredentials)
}
const openInFolder = () => open({ NUMERA_BACKUP: `file://${folder}/new/backup` })
const openInS3 = () => open(standIn.environment)
const collect = async (store: ObjectStore, prefix: string) => Array.fromAsync(store.list(prefix))

describe.each([
  ['a folder', openInFolder],
  ['S3', openInS3],
])('In %s,', (_, open) => {
  test('what was put is there when the place is opened again', async () => {
    const content = randomBytes(100_000)
    {
      await using store = open()
      expect(await store.get('first')).toBeUndefined()
      expect(await store.put('first', content)).toBe('stored')
      expect(await store.put('empty', Buffer.alloc(0))).toBe('stored')
    }
    await using store = open()
    expect(await store.get('first')).toEqual(content)
    expect(await store.get('empty')).toEqual(Buffer.alloc(0))
  })

  test('an object is replaced, except where it must be absent', async () => {
    await using store = open()
    expect(await store.put('a/b', Buffer.from('one'), { ifAbsent: true })).toBe('stored')
    expect(await store.put('a/b', Buffer.from('two'), { ifAbsent: true })).toBe('present')
    expect(await store.get('a/b')).toEqual(Buffer.from('one'))
    expect(await store.put('a/b', Buffer.from('three'))).toBe('stored')
    expect(await store.get('a/b')).toEqual(Buffer.from('three'))
  })

  test('of many that put one object together, one stores it', async () => {
    await using store = open()
    const contents = Array.from({ length: 20 }, (_, index) => Buffer.from(`content ${index}`))
    const outcomes = await Promise.all(
      contents.map((content) => store.put('raced/by/many', content, { ifAbsent: true })),
    )
    const winner = outcomes.indexOf('stored')
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1)
    expect(await store.get('raced/by/many')).toEqual(contents[winner])
  })

  test('a range is cut out, and ends with the object', async () => {
    await using store = open()
    await store.put('digits', Buffer.from('0123456789'))
    expect(String(await store.get('digits', { from: 0, to: 1 }))).toBe('0')
    expect(String(await store.get('digits', { from: 3, to: 10 }))).toBe('3456789')
    expect(String(await store.get('digits', { from: 8, to: 99 }))).toBe('89')
    expect(await store.get('digits', { from: 10, to: 11 })).toEqual(Buffer.alloc(0))
    expect(await store.get('no-digits', { from: 0, to: 1 })).toBeUndefined()
    for (const range of [
      { from: 1, to: 1 },
      { from: -1, to: 1 },
      { from: 0, to: objectBytesMax + 1 },
    ]) {
      await expect(store.get('digits', range)).rejects.toThrow(RangeError)
    }
  })

  test('a large object comes back whole, and is too large only beyond the limit', async () => {
    await using store = open()
    const content = randomBytes(40 * 1_048_576)
    expect(await store.put('large', content, { ifAbsent: true })).toBe('stored')
    expect((await store.get('large'))!.equals(content)).toBe(true)
    expect(await store.get('large', { from: 33_000_000, to: 33_000_100 })).toEqual(
      content.subarray(33_000_000, 33_000_100),
    )
    expect(await store.put('large', content.subarray(1), { ifAbsent: true })).toBe('present')
    expect((await collect(store, 'large')).map(({ bytes }) => bytes)).toEqual([content.length])
    const tooLarge = Buffer.alloc(objectBytesMax + 1)
    await expect(store.put('larger', tooLarge)).rejects.toThrow(`at most ${objectBytesMax}`)
  })

  test('objects are listed in the order of their keys, with sizes and times, over several pages', async () => {
    await using store = open()
    const keys = Array.from({ length: 25 }, (_, index) => `list/many/${String(index).padStart(2, '0')}`)
    const odd = ['list/a', 'list/a-b', 'list/a.b', 'list/a0/c', 'list/B', 'list/a_b/c/d', 'list/..a', 'lisu']
    const beforeMs = Date.now()
    for (const key of [...keys, ...odd]) await store.put(key, Buffer.from(key))
    const listed = await collect(store, 'list/')
    expect(listed.map(({ key }) => key)).toEqual([...keys, ...odd.slice(0, -1)].toSorted())
    for (const { key, bytes, storedAt } of listed) {
      expect(bytes).toBe(key.length)
      expect(Math.abs(storedAt.getTime() - beforeMs)).toBeLessThan(60_000)
    }
    expect((await collect(store, 'list/many/1')).map(({ key }) => key)).toEqual(keys.slice(10, 20))
    expect((await collect(store, 'list/a')).map(({ key }) => key)).toEqual(
      odd.filter((key) => key.startsWith('list/a')).toSorted(),
    )
    expect(await collect(store, 'nothing/here')).toEqual([])
    expect((await collect(store, '')).length).toBeGreaterThan(30)
  })

  test('a deleted object is gone, and may be deleted again', async () => {
    await using store = open()
    await store.put('c/d', Buffer.from('x'))
    await store.delete('c/d')
    await store.delete('c/d')
    await store.delete('c/never/was')
    expect(await store.get('c/d')).toBeUndefined()
    expect(await collect(store, 'c/')).toEqual([])
  })

  test.each([
    '',
    '/a',
    'a/',
    'a//b',
    '.',
    '..',
    'a/../b',
    './a',
    'a b',
    'ä',
    'a\0',
    'a\\b',
    '~a',
    'a'.repeat(256),
  ])('%j is no key', async (key) => {
    await using store = open()
    await expect(store.put(key, Buffer.alloc(1))).rejects.toThrow('is no key of an object')
    await expect(store.get(key)).rejects.toThrow(RangeError)
    await expect(store.delete(key)).rejects.toThrow(RangeError)
  })

  test.each(['/', '../', 'a/../b', 'a b', '*'])('%j is no beginning of a key', async (prefix) => {
    await using store = open()
    await expect(collect(store, prefix)).rejects.toThrow(RangeError)
  })
})

test('A place is named for the operator without its credentials', async () => {
  await using inFolder = openInFolder()
  await using inS3 = openInS3()
  expect(inFolder.place).toBe(`file://${folder}/new/backup`)
  expect(inS3.place).toBe('s3://numera-trial/numera')
})
