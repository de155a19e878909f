import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { writeEngineLists } from './engine-lists.ts'

test('The pages have the words and rules of all aggregations and formats', async () => {
  for (const [path, text] of Object.entries(await writeEngineLists())) {
    expect(await readFile(path, 'utf8'), path).toBe(text)
  }
})
