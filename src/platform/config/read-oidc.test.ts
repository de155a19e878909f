import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import type { ConfigError } from './config-error.ts'
import { readConfig } from './read-config.ts'

const needed = {
  NUMERA_IDENTITY: 'oidc',
  NUMERA_OIDC_ISSUER: 'https://login.example.com/realms/people',
  NUMERA_OIDC_CLIENT_ID: 'numera',
  NUMERA_OIDC_CLIENT_SECRET: 'hunter2',
  NUMERA_OIDC_PERSONAL_NUMBER_CLAIM: 'ssn',
}

const toProblems = (changes: NodeJS.ProcessEnv): readonly string[] => {
  try {
    readConfig({ ...needed, ...changes })
    return []
  } catch (error) {
    return (error as ConfigError).problems
  }
}

test('an OpenID Connect provider needs four variables, and the rest has defaults', () => {
  const { config, secrets } = readConfig(needed)
  expect(config.oidc).toEqual({
    issuer: 'https://login.example.com/realms/people',
    clientId: 'numera',
    personalNumberClaim: 'ssn',
    nameClaim: 'name',
    acrValues: [],
    scopes: ['openid', 'profile'],
    assumesRecentSignIn: false,
  })
  expect(secrets.oidcClientSecret?.reveal()).toBe('hunter2')
  expect(inspect(secrets, { depth: 9 }) + JSON.stringify([config, secrets])).not.toContain('hunter2')
})

test('everything about it can be set', () => {
  const { config } = readConfig({
    ...needed,
    NUMERA_OIDC_NAME_CLAIM: 'full_name',
    NUMERA_OIDC_ACR_VALUES: 'urn:grn:authn:se:bankid:same-device, urn:grn:authn:se:bankid:another-device:qr',
    NUMERA_OIDC_SCOPES: 'openid  https://frejaeid.com/oidc/scopes/personalIdentityNumber',
  })
  expect(config.oidc).toMatchObject({
    nameClaim: 'full_name',
    acrValues: ['urn:grn:authn:se:bankid:same-device', 'urn:grn:authn:se:bankid:another-device:qr'],
    scopes: ['openid', 'https://frejaeid.com/oidc/scopes/personalIdentityNumber'],
  })
})

test.each(Object.keys(needed).filter((name) => name !== 'NUMERA_IDENTITY'))('%s must be set', (name) => {
  expect(toProblems({ [name]: '' })).toEqual([expect.stringMatching(`^${name} must be `)])
})

test('a provider is behind https, or on this machine', () => {
  for (const issuer of ['http://localhost:8090', 'http://127.0.0.1:8090/', 'http://[::1]:8090/a']) {
    expect(toProblems({ NUMERA_OIDC_ISSUER: issuer }), issuer).toEqual([])
  }
  for (const issuer of [
    'http://login.example.com',
    'login.example.com',
    'ftp://login.example.com',
    'https://login.example.com/?a=b',
    'https://login.example.com/#a',
    'https://user:hunter2@login.example.com/',
  ]) {
    const problems = toProblems({ NUMERA_OIDC_ISSUER: issuer })
    expect(problems, issuer).toEqual([expect.stringMatching(/^NUMERA_OIDC_ISSUER must be the https address/)])
    expect(problems.join()).not.toContain('hunter2')
  }
})

test('scopes and levels of assurance are names', () => {
  expect(toProblems({ NUMERA_OIDC_SCOPES: 'profile' })).toEqual([
    expect.stringMatching(/^NUMERA_OIDC_SCOPES must be scopes .* openid among them/),
  ])
  expect(toProblems({ NUMERA_OIDC_SCOPES: 'openid "x"' })).toHaveLength(1)
  expect(toProblems({ NUMERA_OIDC_ACR_VALUES: 'loa 3' })).toEqual([
    expect.stringMatching(/^NUMERA_OIDC_ACR_VALUES must be names without spaces/),
  ])
})

test('where people sign in otherwise, nothing of it is read', () => {
  const { config, secrets } = readConfig({ ...needed, NUMERA_IDENTITY: 'demo', NUMERA_OIDC_ISSUER: 'x' })
  expect([config.oidc, secrets.oidcClientSecret]).toEqual([undefined, undefined])
})
