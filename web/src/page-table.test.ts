import { expect, test } from 'vitest'
import { createReturnCheck } from '../../src/platform/web-app/page-table.ts'
import { toPattern } from '../build-pages-table.ts'
import { listPages } from './page-table.ts'

test('people may be redirected to every page but the one that BankID’s app opens', () => {
  const entries = [...listPages()].map(([address, { isReturnable = true }]) => ({
    address: toPattern(address),
    scripts: [],
    calls: [],
    isReturnable,
  }))
  const check = createReturnCheck(entries)
  const refused = entries
    .map(({ address }) => address.replaceAll(/:\w+/g, 'x-1'))
    .filter((path) => !check(path) || !check(`${path}?a=1`) || check(`${path}#a`))
  expect(refused).toEqual(['/bankid/return'])
})
