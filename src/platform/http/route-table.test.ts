import { expect, test } from 'vitest'
import { fitsPattern, toPath } from './route-table.ts'

test('a path fits a pattern segment by segment', () => {
  expect(fitsPattern('/v1/samples', '/v1/samples')).toBe(true)
  expect(fitsPattern('/v1/samples', '/v1/samples/')).toBe(false)
  expect(fitsPattern('/v1/deliveries/:id', '/v1/deliveries/a')).toBe(true)
  expect(fitsPattern('/v1/deliveries/:id', '/v1/deliveries/')).toBe(false)
  expect(fitsPattern('/v1/deliveries/:id', '/v1/deliveries/a/b')).toBe(false)
  expect(fitsPattern('/pages/*', '/pages/a/b')).toBe(true)
})

test('a page for every path makes no address known', () => {
  expect(fitsPattern('/*', '/v1/nothing')).toBe(false)
})

test('the path of a target is its decoded path without query, also in absolute form', () => {
  expect(toPath('/v1/samples?from=x')).toBe('/v1/samples')
  expect(toPath('http://example.com/v1/samples?from=x')).toBe('/v1/samples')
  expect(toPath('/%761/samples')).toBe('/v1/samples')
  expect(toPath('/%zz')).toBeUndefined()
})
