import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderStore } from './folder-store.ts'

let folder: string
let store: FolderStore
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-objects-'))
  store = new FolderStore(join(folder, 'backup'))
})
afterEach(() => rm(folder, { recursive: true }))

const listKeys = async (): Promise<string[]> => (await Array.fromAsync(store.list(''))).map(({ key }) => key)
const bits = async (path: string): Promise<number> => (await stat(join(folder, path))).mode & 0o777

test('Nothing is created before the first object', async () => {
  expect(await store.get('a')).toBeUndefined()
  expect(await listKeys()).toEqual([])
  await store.delete('a')
  expect(await readdir(folder)).toEqual([])
})

test('Objects and their folders are for their owner only, and no draft remains', async () => {
  await store.put('a/b', Buffer.from('x'))
  await store.put('a/b', Buffer.from('y'), { ifAbsent: true })
  expect([await bits('backup'), await bits('backup/a'), await bits('backup/a/b')]).toEqual([
    0o700, 0o700, 0o600,
  ])
  expect(await readdir(join(folder, 'backup/a'))).toEqual(['b'])
})

test('A draft is never listed, and is removed once it is older than an hour', async () => {
  await store.put('a/b', Buffer.from('x'))
  const [recent, old] = ['~recent', '~old'].map((name) => join(folder, 'backup/a', name))
  await writeFile(recent!, 'half')
  await writeFile(old!, 'half')
  await utimes(old!, new Date(), new Date(Date.now() - 3_700_000))
  expect(await listKeys()).toEqual(['a/b'])
  expect((await readdir(join(folder, 'backup/a'))).toSorted()).toEqual(['b', '~recent'])
})

test('What is no object is not listed and not followed', async () => {
  await store.put('a', Buffer.from('x'))
  const foreign = join(folder, 'backup', 'lost+found')
  await mkdir(foreign)
  await writeFile(join(foreign, 'b'), 'x')
  await writeFile(join(folder, 'backup', 'with space'), 'x')
  await symlink(folder, join(folder, 'backup', 'link'))
  expect(await listKeys()).toEqual(['a'])
  expect(await store.get('link')).toBeUndefined()
})

test('A folder that was deleted meanwhile is created again at the second put', async () => {
  await store.put('a/b', Buffer.from('x'))
  await rm(join(folder, 'backup'), { recursive: true })
  await expect(store.put('a/c', Buffer.from('y'))).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await store.put('a/c', Buffer.from('y'))).toBe('stored')
  expect(await readFile(join(folder, 'backup/a/c'), 'utf8')).toBe('y')
})
