import { describe, expect, test } from 'vitest'
import { createReturnCheck } from './page-table.ts'

const company = '/companies/01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11'

const toEntry = (address: string) => ({ address, scripts: [], calls: [], isReturnable: true })
const isReturnable = createReturnCheck([
  ...[
    '/',
    '/sign-in',
    '/signatures',
    '/consent',
    '/companies/:company_id',
    '/companies/:company_id/reports/:source_id/:metric',
    '/companies/:company_id/sources/:source_id/settings',
    '/companies/:company_id/connections/:connection_id',
  ].map(toEntry),
  { ...toEntry('/bankid/return'), isReturnable: false },
])

describe('People may be redirected', () => {
  test.each([
    '/',
    '/sign-in',
    '/sign-in/',
    '/signatures?a=%C3%A4&b=%23&c=//elsewhere.example',
    '/consent?client_id=app-1&redirect_uri=https://app.example/callback&state=a%20b',
    company,
    `${company}/reports/01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11/revenue?from=2026-01-01`,
    `${company}/sources/01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11/settings`,
    `${company}/connections/new`,
  ])('to the page %s', (target) => {
    expect(isReturnable(target)).toBe(true)
  })

  test.each([
    // Addresses that redirect, or that programs call.
    '/oauth/authorize?client_id=app-1',
    '/oauth',
    '/v1/samples',
    '/console/session',
    '/sign-in/callback?code=1',
    '/docs/api/callback',
    '/.well-known/oauth-authorization-server',
    // Opened by BankID's app only.
    '/bankid/return',
    '/bankid/return/',
    // A fragment, plain or percent-encoded.
    '/sign-in#',
    '/sign-in?a=1#b',
    '/oauth/authorize?client_id=app-1#',
    '/sign-in%23',
    // Another host.
    '//elsewhere.example',
    '//',
    '///elsewhere.example',
    '/\\elsewhere.example',
    '\\\\elsewhere.example',
    'https://elsewhere.example/',
    '@elsewhere.example',
    // Another path than it seems to be.
    '/sign-in/../oauth/authorize',
    '/sign-in/..',
    '/companies/../oauth/authorize',
    '/companies/..',
    '/companies/%2e%2e/oauth',
    '/companies/.%2e',
    `${company}/connections/..%2f..%2foauth`,
    '/consent/../v1',
    '/consent\\..\\v1',
    // Characters that are not visible ASCII.
    '/sign-in?a=ä',
    '/sіgn-in',
    '/sign-in\u2044x',
    '/sign-in ',
    '/sign-in?a=b c',
    '/sign-in\r\nset-cookie: a=b',
    '/sign-in\t',
    '/sign-in\u0000',
    '/unknown',
    'sign-in',
    '',
  ])('not to %j', (target) => {
    expect(isReturnable(target)).toBe(false)
  })
})

test.each(['/v1/samples', '/oauth', '/console', '/assets', '/a/../b', '/a.b', '//', '/a|/oauth', '/.*', 'a'])(
  'no table of pages may contain %j',
  (address) => {
    expect(() => createReturnCheck([toEntry(address)])).toThrow('cannot be the address of a page')
  },
)
