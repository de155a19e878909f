import { describe, expect, test } from 'vitest'
import { readAuthorizeRequest, type AuthorizeRequest } from './authorize-request.ts'
import { readParameters } from '../parameters.ts'
import type { RedirectErrorName } from '../redirect-error.ts'

const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const redirectUri = 'https://app.example.com/back'
const app = {
  clientId: 'app_4tGv0b7QxWZk1LmR8yNc2D',
  clientName: 'Rapportappen',
  redirectUris: [redirectUri],
}
const other = 'https://tools.example.net/mcp'
const config = {
  baseUrl: 'https://numera.example.com',
  oauth: { loopbackRedirects: false, resources: [other] },
}
const now = new Date('2026-01-15T12:00:00Z')

type Changes = Record<string, string | string[] | undefined>

const good = {
  response_type: 'code',
  client_id: app.clientId,
  redirect_uri: redirectUri,
  code_challenge: codeChallenge,
  code_challenge_method: 'S256',
}

const toQuery = (changes: Changes): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...good, ...changes })) {
    for (const each of [value ?? []].flat()) query.append(name, each)
  }
  return query.toString()
}

const readQuery = (query: string): AuthorizeRequest =>
  readAuthorizeRequest(readParameters(query), { app, redirectUri }, config, now)
const read = (changes: Changes = {}): AuthorizeRequest => readQuery(toQuery(changes))

const expectRefused = (changes: Changes, error: RedirectErrorName): void => {
  let thrown: unknown
  try {
    read(changes)
  } catch (caught) {
    thrown = caught
  }
  expect(thrown, JSON.stringify(changes)).toMatchObject({ name: 'RedirectError', error })
  // RFC 6749, 4.1.2.1: the characters that a description may have.
  expect((thrown as Error).message).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+\.$/)
}

test('a request with only the required parameters requests every permission, and suggests nothing', () => {
  expect(read()).toEqual({
    app,
    redirectUri,
    state: undefined,
    codeChallenge,
    permissions: ['company.read', 'metrics.read'],
    companies: [],
    resources: [],
  })
})

test('the query may come with its question mark', () => {
  expect(readQuery(`?${toQuery({ state: 'a' })}`).state).toBe('a')
})

describe('authorize parameters', () => {
  test('response_type: code', () => {
    expectRefused({ response_type: undefined }, 'invalid_request')
    expectRefused({ response_type: '' }, 'invalid_request')
    for (const type of ['token', 'id_token', 'code token', 'none', 'CODE']) {
      expectRefused({ response_type: type }, 'unsupported_response_type')
    }
  })

  test('code_challenge: 43 base64url characters without padding', () => {
    expectRefused({ code_challenge: undefined }, 'invalid_request')
    expectRefused({ code_challenge: '' }, 'invalid_request')
    for (const challenge of [
      codeChallenge.slice(1),
      `${codeChallenge}A`,
      `${codeChallenge}=`,
      `${codeChallenge.slice(1)}=`,
      `${codeChallenge.slice(1)}+`,
      `${codeChallenge.slice(1)}/`,
      `${codeChallenge.slice(1)}å`,
      `${codeChallenge}\n`,
    ]) {
      expectRefused({ code_challenge: challenge }, 'invalid_request')
    }
  })

  test('code_challenge_method: S256; plain is refused', () => {
    // Absent means plain (RFC 7636, 4.3).
    for (const method of [undefined, '', 'plain', 's256', 'S512']) {
      expectRefused({ code_challenge_method: method }, 'invalid_request')
    }
  })

  test('state: returned unchanged', () => {
    for (const state of ['xyz', 'a b+c&d=e', '<script>"\'%00', 'åäö 漢字 🍞', '{"a":[1]}', '0', '~!*()']) {
      expect(read({ state }).state).toBe(state)
    }
    expect(read({ state: '' }).state).toBeUndefined()
  })

  test('scope: space-separated permissions; absent means every permission an app may hold', () => {
    expect(read({ scope: 'metrics.read' }).permissions).toEqual(['metrics.read'])
    expect(read({ scope: 'metrics.read company.read' }).permissions).toEqual(['company.read', 'metrics.read'])
    expect(read({ scope: ' metrics.read  metrics.read ' }).permissions).toEqual(['metrics.read'])
    expect(read({ scope: '' }).permissions).toEqual(['company.read', 'metrics.read'])
  })

  test('companies: organisation numbers suggested, separated by spaces or commas, at most 100', () => {
    const kept = ['5560125790', '5592804784']
    for (const companies of [
      '556012-5790 559280-4784',
      '5560125790,5592804784',
      '165560125790, 559280-4784,',
      '556012-5790,5560125790 559280-4784',
    ]) {
      expect(read({ companies }).companies, companies).toEqual(kept)
    }
    expect(read({ companies: '198112189876' }).companies).toEqual(['198112189876'])
    expect(read({ companies: '' }).companies).toEqual([])
    for (const companies of [
      '556012-5791',
      '556012-5790;559280-4784',
      '556012-5790\t559280-4784',
      'Bageriet',
      '811218-9876',
    ]) {
      expectRefused({ companies }, 'invalid_request')
    }
    expect(read({ companies: '5560125790 '.repeat(100) }).companies).toEqual(['5560125790'])
    expectRefused({ companies: '5560125790 '.repeat(101) }, 'invalid_request')
  })

  test('resource: another server the token is for; may repeat', () => {
    expect(read({ resource: other }).resources).toEqual([other])
    expect(read({ resource: [other, `${config.baseUrl}/v1/samples`, other, ''] }).resources).toEqual([other])
    for (const own of ['', '/', '/v1', '/v1/samples']) {
      expect(read({ resource: `${config.baseUrl}${own}` }).resources).toEqual([])
    }
  })

  test('resource: the tools of this service, which are no other server; with the service itself, all of it', () => {
    const tools = `${config.baseUrl}/mcp`
    expect(read({ resource: [tools, other] })).toMatchObject({ resources: [other], ownResource: tools })
    expect(read({ resource: [tools, config.baseUrl] }).ownResource).toBe(undefined)
    expectRefused({ resource: `${tools}/` }, 'invalid_target')
  })

  test('request and request_uri are refused', () => {
    expectRefused({ request: 'eyJhbGciOiJub25lIn0.e30.' }, 'invalid_request')
    expectRefused({ request_uri: 'https://app.example.com/request' }, 'invalid_request')
    expect(read({ request: '', request_uri: '' }).codeChallenge).toBe(codeChallenge)
  })
})

describe('redirect errors', () => {
  test('invalid_request: parameter missing, malformed or repeated', () => {
    for (const name of ['response_type', 'state', 'scope', 'code_challenge', 'companies', 'nonsense']) {
      expectRefused({ [name]: ['a', 'a'] }, 'invalid_request')
      expectRefused({ [name]: ['a', ''] }, 'invalid_request')
    }
    expectRefused({ code_challenge_method: ['S256', 'S256'] }, 'invalid_request')
  })

  test('unsupported_response_type: not code', () => {
    expectRefused({ response_type: 'token' }, 'unsupported_response_type')
  })

  test('invalid_scope: a permission an app may not hold or that does not exist', () => {
    for (const scope of [
      'sources.ingest',
      'ledger.read.nin',
      'ledger.read.terms',
      'self.write',
      'auth.login',
      'connections.manage',
      'openid',
      'metrics.read openid',
      'metrics.read,company.read',
      'METRICS.READ',
      'metrics.read\tcompany.read',
      ' ',
    ]) {
      expectRefused({ scope }, 'invalid_scope')
    }
  })

  test('invalid_target: resource for a server this issuer does not issue tokens for', () => {
    for (const resource of [
      'https://evil.example/',
      `${other}/`,
      other.toUpperCase(),
      `${config.baseUrl}/v2`,
      `${config.baseUrl}.evil.example`,
      'not an address',
      [other, 'https://evil.example/'],
    ]) {
      expectRefused({ resource }, 'invalid_target')
    }
  })
})

test('unknown parameters are ignored', () => {
  expect(read({ response_mode: 'fragment', prompt: 'none', nonce: 'n', ui_locales: 'sv' })).toEqual(read())
})
