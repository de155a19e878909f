import { expect, test } from 'vitest'
import { chooseCompanies } from './split-shard.ts'

const choose = (bytes: number[], ofOther: number): number[] =>
  chooseCompanies(
    bytes.map((each, index) => ({ companyId: String(index), bytes: each })),
    ofOther,
  ).map((company) => company.bytes)

test('both shards have about as many bytes afterwards, and few companies move', () => {
  expect(choose([50, 30, 20], 0)).toEqual([50])
  expect(choose([40, 30, 20, 10], 0)).toEqual([40, 10])
  expect(choose([40, 30, 20, 10], 60)).toEqual([20])
})

test('a company that is larger than the difference stays, and so does everything if there is none', () => {
  expect(choose([100, 4, 0], 0)).toEqual([4])
  expect(choose([100], 0)).toEqual([])
  expect(choose([10, 10], 20)).toEqual([])
  expect(choose([10, 10], 30)).toEqual([])
  expect(choose([], 0)).toEqual([])
})
