import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = await readFile(join(root, 'docs/decisions/processes.md'), 'utf8')

/** What keeps something from one call to the next. */
const holders =
  /new LRUCache|create(?:AnswerCache|Batcher|RateLimiter|ThreadPool|RecordBatches)(?:<[^(]*>)?\(|setInterval\(|new AsyncLocalStorage|new WeakMap/

test('docs/decisions/processes.md names every file that keeps something for its process', async () => {
  const names = await readdir(join(root, 'src'), { recursive: true })
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const found = await Promise.all(
    files.map(async (name) => (holders.test(await readFile(join(root, 'src', name), 'utf8')) ? name : [])),
  )
  expect(found.flat().filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('every file that it names exists', async () => {
  const names = await readdir(join(root, 'src'), { recursive: true })
  const named = [...page.matchAll(/`([\w/-]+\.ts)`/g)].map(([, name]) => name!)
  expect(named.filter((name) => !names.includes(name))).toEqual([])
})
