import { expect, test } from 'vitest'
import { parseSearch } from '../ui/search-params.ts'
import { parseDeliveriesSearch, toApiQuery } from './deliveries-search.ts'

const today = '2026-11-21'
const toQuery = (address: string): object => toApiQuery(parseDeliveriesSearch(parseSearch(address)), today)

test('An address without a query requests the last 30 days, including today', () => {
  expect(toQuery('')).toEqual({ from: '2026-10-23' })
})

test('Every filter of an address is sent to the service', () => {
  const source = '01900000-0000-7000-8000-0000000000a1'
  expect(
    toQuery(`?source=${source}&state=refused&channel=webhook&kind=test&range=7d&search=order-batch-`),
  ).toEqual({
    source,
    state: 'refused',
    channel: 'webhook',
    sandbox: 'true',
    from: '2026-11-15',
    search: 'order-batch-',
  })
  expect(toQuery('?kind=production&range=all')).toEqual({ sandbox: 'false' })
})

test('A range includes both days, in either order', () => {
  expect(toQuery('?range=days&from=2026-11-01&to=2026-11-03')).toEqual({
    from: '2026-11-01',
    to: '2026-11-04',
  })
  expect(toQuery('?range=days&from=2026-11-03&to=2026-11-01')).toEqual({
    from: '2026-11-01',
    to: '2026-11-04',
  })
  expect(toQuery('?range=days&to=2026-12-31')).toEqual({ to: '2027-01-01' })
})

test('A search has no time limit', () => {
  expect(toQuery('?search=%20order%20')).toEqual({ search: 'order' })
  expect(toQuery('?search=order&range=today')).toEqual({ search: 'order', from: today })
})

test('Unknown values are ignored', () => {
  expect(
    toQuery('?source=web-shop&state=lost&channel=pigeon&kind=both&range=ever&from=2026-02-31x&to=no'),
  ).toEqual({
    from: '2026-10-23',
  })
  // A read is a call, never a delivery.
  expect(toQuery('?channel=read&range=all')).toEqual({})
  expect((toQuery(`?search=${'x'.repeat(300)}`) as { search: string }).search).toHaveLength(200)
})
