import { expect, test } from 'vitest'
import * as service from '../../src/platform/web-app/page-table.ts'
import { toPattern } from '../build-pages-table.ts'
import { returnPage } from './identity/return-from-app.ts'
import { consentPage } from './identity/return-to.ts'
import { listPages, pagesWithoutRouter } from './page-table.ts'

test('the service knows the consent page and the return page by the addresses that they have', () => {
  expect(Object.keys(pagesWithoutRouter)).toEqual([service.consentPage, service.returnPage])
  expect([consentPage, returnPage]).toEqual([service.consentPage, service.returnPage])
})

test('people may be redirected to every page but the one that BankID’s app opens', () => {
  const entries = [...listPages()].map(([address, { isReturnable = true }]) => ({
    address: toPattern(address),
    scripts: [],
    calls: [],
    isReturnable,
  }))
  const check = service.createReturnCheck(entries)
  const refused = entries
    .map(({ address }) => address.replaceAll(/:\w+/g, 'x-1'))
    .filter((path) => !check(path) || !check(`${path}?a=1`) || check(`${path}#a`))
  expect(refused).toEqual(['/bankid/return'])
})
