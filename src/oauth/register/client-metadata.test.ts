import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readClientMetadata, readJsonObject } from './client-metadata.ts'
import { madeUpCases } from '../../../testing/cases/made-up-cases.ts'

const uri = 'https://app.example.com/callback'
const good = { client_name: 'Ledger Insight', redirect_uris: [uri] }

const register = (fields: object, loopbackRedirects = false) =>
  readClientMetadata({ ...good, ...fields }, { loopbackRedirects })

/** The `error` that the fields are refused with, `registered` where they are not. */
const outcome = (fields: object, loopbackRedirects = false): string => {
  try {
    register(fields, loopbackRedirects)
    return 'registered'
  } catch (error) {
    const { error: name, message, status } = error as { error: string; message: string; status: number }
    expect(status).toBe(400)
    // RFC 6749, 5.2: what an error_description may hold.
    expect(message).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+\.$/)
    return name
  }
}
const outcomeOfUri = (address: unknown, loopbackRedirects = false): string =>
  outcome({ redirect_uris: [address] }, loopbackRedirects)

const metadata = 'invalid_client_metadata'
const redirect = 'invalid_redirect_uri'

test('the two required fields are enough; the others have their defaults', () => {
  expect(register({})).toEqual({
    client_name: 'Ledger Insight',
    redirect_uris: [uri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  })
})

test('invalid_client_metadata and invalid_redirect_uri: the description names the field', () => {
  const wrong = {
    client_name: 7,
    redirect_uris: 'https://app.example.com/callback',
    grant_types: ['implicit'],
    response_types: ['token'],
    token_endpoint_auth_method: 'client_secret_basic',
    jwks_uri: 'https://app.example.com/jwks.json',
  }
  for (const [name, value] of Object.entries(wrong)) {
    expect(() => register({ [name]: value })).toThrow(new RegExp(`^${name} `))
  }
  expect(() => register({ redirect_uris: [uri, 'http://app.example.com'] })).toThrow(/^redirect_uris\[1\] /)
})

describe('client_name', () => {
  test.each([
    ['left out', undefined],
    ['null', null],
    ['empty', ''],
    ['a number', 7],
    ['a list', ['App']],
  ])('is required: %s', (_name, client_name) => {
    expect(outcome({ client_name })).toBe(metadata)
  })

  test('has at most 100 characters, counted in code points', () => {
    expect(outcome({ client_name: '🧮'.repeat(100) })).toBe('registered')
    expect(outcome({ client_name: '🧮'.repeat(101) })).toBe(metadata)
    expect(outcome({ client_name: 'a'.repeat(101) })).toBe(metadata)
  })

  test.each([
    ['NUL', '\0'],
    ['a line feed', '\n'],
    ['delete', '\x7f'],
    ['a C1 control', '\u0085'],
    ['a soft hyphen', '\u00ad'],
    ['a right-to-left override', '\u202e'],
    ['a left-to-right mark', '\u200e'],
    ['an Arabic letter mark', '\u061c'],
    ['an isolate', '\u2066'],
    ['a zero-width space', '\u200b'],
    ['a zero-width joiner', '\u200d'],
    ['a word joiner', '\u2060'],
    ['a byte order mark', '\ufeff'],
    ['a tag character', '\u{e0041}'],
    ['an interlinear annotation', '\ufff9'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
    ['a lone high surrogate', '\ud83d'],
    ['a lone low surrogate', '\ude00'],
  ])('contains no control or formatting characters: %s', (_name, character) => {
    expect(outcome({ client_name: `Bank${character}app` })).toBe(metadata)
    expect(outcome({ client_name: `Bank${character}` })).toBe(metadata)
  })

  test.each(['   ', '\u00a0\u3000', '\u3164', '\u115f\ufe0f', '\u2800'])(
    'must be visible: %j',
    (client_name) => {
      expect(outcome({ client_name })).toBe(metadata)
    },
  )

  test.each(['Räkna & Se', '会计', 'Ṿ̌', 'שלום', 'Acme ❤️', '<b>"it\'s"</b>', ' a ', 'e\u0301'])(
    'is stored as it was sent: %s',
    (client_name) => {
      expect(register({ client_name }).client_name).toBe(client_name)
    },
  )
})

describe('redirect_uris', () => {
  test.each([
    ['left out', undefined],
    ['null', null],
    ['a string', uri],
    ['an object', { 0: uri }],
    ['no address', []],
    ['eleven addresses', Array.from({ length: 11 }, (_, index) => `${uri}/${index}`)],
    ['a number among them', [uri, 7]],
    ['null among them', [uri, null]],
  ])('are a list of one to ten addresses: %s', (_name, redirect_uris) => {
    expect(outcome({ redirect_uris })).toBe(redirect)
  })

  test('ten addresses are registered', () => {
    const redirect_uris = Array.from({ length: 10 }, (_, index) => `${uri}/${index}`)
    expect(register({ redirect_uris }).redirect_uris).toEqual(redirect_uris)
  })

  test('an address that is listed twice is registered once', () => {
    expect(register({ redirect_uris: [uri, `${uri}/b`, uri] }).redirect_uris).toEqual([uri, `${uri}/b`])
  })

  test.each([
    'https://app.example.com',
    'https://APP.Example.com/Cb',
    'https://app.example.com:8443/callback',
    'https://app.example.com:443/callback',
    'https://app.example.com/a/../b/%7euser?x=1&y=%20',
    'https://app.example.com/?',
    'https://app.example.com/@me?to=a@b',
    'HTTPS://app.example.com/',
    'https://xn--rksmrgs-5wao1o.example/cb',
    'https://192.0.2.1/cb',
    'https://[2001:db8::1]:8443/cb',
    'https://localhost/cb',
    `https://app.example.com/${'a'.repeat(1_976)}`,
  ])('an https address is stored byte for byte: %s', (address) => {
    expect(register({ redirect_uris: [address] }).redirect_uris).toEqual([address])
  })

  test.each([
    ['empty', ''],
    ['no address', 'callback'],
    ['relative', '/callback'],
    ['without scheme', '//app.example.com/callback'],
    ['http', 'http://app.example.com/callback'],
    ['http of this machine', 'http://localhost:3000/callback'],
    ['http of a loopback address', 'http://127.0.0.1/callback'],
    ['a scheme of its own', 'com.example.app:/callback'],
    ['a script', 'javascript:alert(1)//https://app.example.com'],
    ['data', 'data:text/html,https://app.example.com'],
    ['one slash', 'https:/app.example.com/callback'],
    ['no slash', 'https:app.example.com/callback'],
    ['three slashes', 'https:///app.example.com/callback'],
    ['no host', 'https://'],
    ['no host but a query', 'https://?app.example.com'],
    ['no host but a port', 'https://:443/callback'],
    ['a port that is none', 'https://app.example.com:port/callback'],
    ['a port too high', 'https://app.example.com:65536/callback'],
    ['a fragment', 'https://app.example.com/callback#part'],
    ['an empty fragment', 'https://app.example.com/callback#'],
    ['a user name', 'https://member@app.example.com/callback'],
    ['a password', 'https://member:secret@app.example.com/callback'],
    ['an empty user name', 'https://@app.example.com/callback'],
    ['an empty user name and password', 'https://:@app.example.com/callback'],
    ['another host before the at sign', 'https://bank.example:443@evil.example/callback'],
    ['a non-ASCII host', 'https://räksmörgås.example/callback'],
    ['a host with a Cyrillic letter', 'https://аpp.example.com/callback'],
    ['a full-width host', 'https://ａpp.example.com/callback'],
    ['an ideographic full stop', 'https://app。example.com/callback'],
    ['a non-ASCII path', 'https://app.example.com/återkomst'],
    ['a percent-encoded host', 'https://%61pp.example.com/callback'],
    ['a number for a host', 'https://2130706433/callback'],
    ['a short address', 'https://127.1/callback'],
    ['a wildcard', 'https://*.example.com/callback'],
    ['an empty label', 'https://app..example.com/callback'],
    ['a space', 'https://app.example.com/call back'],
    ['a space before', ' https://app.example.com/callback'],
    ['a line feed', 'https://app.example.com/\ncallback'],
    ['a tab in the host', 'https://app.exam\tple.com/callback'],
    ['NUL', 'https://app.example.com/callback\0'],
    ['a zero-width space', 'https://app.example.com/\u200bcallback'],
    ['a lone surrogate', 'https://app.example.com/\ud800'],
    ['a backslash', 'https://app.example.com\\@evil.example/callback'],
    ['a backslash in the path', 'https://app.example.com/a\\b'],
    ['2,001 characters', `https://app.example.com/${'a'.repeat(1_977)}`],
  ])('an address that is no proper https address is refused: %s', (_name, address) => {
    expect(outcomeOfUri(address)).toBe(redirect)
    expect(outcome({ redirect_uris: [uri, address] })).toBe(redirect)
  })

  test.each([
    'http://localhost/callback',
    'http://localhost:3000/callback',
    'http://127.0.0.1:49152/callback',
    'http://[::1]:3000/callback',
  ])('http of this machine where the deployment allows it: %s', (address) => {
    expect(outcomeOfUri(address, true)).toBe('registered')
    expect(outcomeOfUri(address, false)).toBe(redirect)
  })

  test.each([
    'http://app.example.com/callback',
    'http://localhost.example.com/callback',
    'http://127.0.0.1.example.com/callback',
    'http://localhost@example.com/callback',
    'http://192.168.0.1/callback',
    'http://2130706433/callback',
    'http://localhost/callback#',
    'ftp://localhost/callback',
  ])('no other http address where the deployment allows that: %s', (address) => {
    expect(outcomeOfUri(address, true)).toBe(redirect)
  })

  test('a browser reads a registered address as the host that is written', () => {
    const piece = fc.constantFrom(
      'https://',
      'app',
      '.',
      'example',
      ':',
      '8',
      '@',
      '/',
      '\\',
      '?',
      '#',
      '%2e',
      '[::1]',
      ' ',
      'é',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const address = `https://${pieces.join('')}`
        if (outcomeOfUri(address) !== 'registered') return
        const url = new URL(address)
        expect(address.toLowerCase().startsWith(`https://${url.hostname}`)).toBe(true)
        expect([url.username, url.password, url.hash]).toEqual(['', '', ''])
      }),
      { numRuns: madeUpCases(5_000) },
    )
  })
})

describe('grant_types', () => {
  test.each([
    [['authorization_code'], ['authorization_code']],
    [
      ['refresh_token', 'authorization_code'],
      ['authorization_code', 'refresh_token'],
    ],
    [['refresh_token', 'refresh_token'], ['refresh_token']],
    [[], ['authorization_code', 'refresh_token']],
    [null, ['authorization_code', 'refresh_token']],
  ])('may name authorization_code and refresh_token: %j', (grant_types, kept) => {
    expect(register({ grant_types }).grant_types).toEqual(kept)
  })

  test.each([
    [['client_credentials']],
    [['authorization_code', 'implicit']],
    ['authorization_code'],
    [[null]],
    [{}],
  ])('may name nothing else: %j', (grant_types) => {
    expect(outcome({ grant_types })).toBe(metadata)
  })
})

describe('response_types', () => {
  test('may name code', () => {
    expect(register({ response_types: ['code'] }).response_types).toEqual(['code'])
  })

  test.each([[['token']], [['code', 'id_token']], [['code id_token']], ['code'], [[1]]])(
    'may name nothing else: %j',
    (response_types) => {
      expect(outcome({ response_types })).toBe(metadata)
    },
  )
})

describe('token_endpoint_auth_method', () => {
  test.each(['none', null, undefined])('may be none: %j', (token_endpoint_auth_method) => {
    expect(register({ token_endpoint_auth_method }).token_endpoint_auth_method).toBe('none')
  })

  test.each(['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'NONE', '', ['none'], 0])(
    'may be nothing else: %j',
    (token_endpoint_auth_method) => {
      expect(outcome({ token_endpoint_auth_method })).toBe(metadata)
    },
  )
})

test.each([
  ['jwks_uri', 'https://app.example.com/jwks.json'],
  ['jwks', { keys: [] }],
  ['request_uris', []],
  ['sector_identifier_uri', 'https://app.example.com/sector.json'],
  ['software_statement', 'eyJhbGciOiJub25lIn0..'],
])('%s is refused', (name, value) => {
  expect(outcome({ [name]: value })).toBe(metadata)
  expect(outcome({ [name]: null })).toBe('registered')
})

test('other fields are ignored', () => {
  const kept = register({
    client_id: 'app_mine',
    client_secret: 'ncs_mine',
    client_uri: 'not an address',
    logo_uri: 'javascript:alert(1)',
    scope: 'sources.ingest',
    contacts: 7,
    application_type: 'native',
    software_id: 'x',
    ['__proto__']: { client_name: 'Other' },
  })
  expect(Object.keys(kept)).toEqual(Object.keys(register({})))
  expect(kept).toEqual(register({}))
})

const readBody = (type: string | undefined, body?: string | Uint8Array) =>
  readJsonObject(type, typeof body === 'string' ? Buffer.from(body) : body)
const text = JSON.stringify(good)

describe('the body', () => {
  test.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8'])('is %s', (type) => {
    expect(readBody(type, text)).toEqual(good)
  })

  test.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json; charset=utf-16',
  ])('is of no other media type: %s', (type) => {
    expect(() => readBody(type, text)).toThrow(expect.objectContaining({ error: metadata }))
  })

  test.each([
    ['none', undefined],
    ['empty', ''],
    ['cut off', text.slice(0, -1)],
    ['a form', 'client_name=App'],
    ['null', 'null'],
    ['a list', `[${text}]`],
    ['a text', '"app"'],
    ['not UTF-8', Buffer.from([...Buffer.from('{"client_name":"'), 0xff, ...Buffer.from('"}')])],
  ])('is one JSON object, not: %s', (_name, body) => {
    expect(() => readBody('application/json', body)).toThrow(expect.objectContaining({ error: metadata }))
  })
})
