import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'
import { searchLogs } from './run-logs.ts'

const random = 'Vq3x_0Jr9bZkT-1sYw8LmPcE7aHdUoNf2GiR4tKzXQ5'
const derText = `MIIDXTCCAkWgAwIBAgIJ${'AKoK3QeJ'.repeat(6)}`

test.for([
  ['a credential', `{"msg":"with nsk_${random}"}`],
  ['a credential', String.raw`{"stack":"at push\nnat_abcdefgh"}`],
  ['a header that opens something', 'authorization: Bearer abcdefgh.ijkl'],
  ['a JWT', '{"id":"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln"}'],
  ['a PEM block', String.raw`{"key":"-----BEGIN PRIVATE KEY-----\nMC4C"}`],
  ['a certificate, a key or a signature in base64', `{"certificate":"${derText}"}`],
  ['a certificate, a key or a signature in base64', `PD94bWwg${'dmVyc2lvbj0i'.repeat(9)}`],
  ['a session’s cookie', 'cookie: __Host-numera_session=0123456789'],
  ['a query', 'GET /oauth/authorize?client_id=1'],
  ['a query', 'redirected to https://app.example/callback?code=abc'],
  ['a token of BankID or of OpenID Connect', String.raw`{"body":"{\"autoStartToken\":\"7c40b5c9-fa74\"}"}`],
  ['a token of BankID or of OpenID Connect', 'qrStartSecret: "d28db9a7-4cde"'],
  ['a token of BankID or of OpenID Connect', 'bankid:///?autostarttoken=7c40b5c9-fa74'],
  ['a password of the database', 'postgresql://numera:hunter2@db/numera'],
  ['a secret without a name', `{"state":"${random}"}`],
  ['a personal number', '{"personal_number":"191212121212"}'],
  ['a personal number', '{"personal_number":191212121212}'],
  ['a personal number', 'member 1212121212 is missing'],
  ['a personal number', 'member 19121212-1212 is missing'],
  ['a personal number', 'member 121212+1212 is missing'],
  ['a personal number', 'a coordination number, 197010632391, is missing'],
  ['a personal number', 'its check digit is wrong: 121212-1213'],
  ['a personal number', String.raw`{"msg":"missing:\n191212121212"}`],
  ['a personal number', 'login_hint%3D191212121212'],
] as const)('%s is found in a line, and not shown: %s', ([what, line]) => {
  const found = findSecrets(line)
  expect(found.map((each) => each.what)).toContain(what)
  for (const { excerpt } of found) expect(findSecrets(excerpt).map((each) => each.what)).not.toContain(what)
})

test.for([
  ['organisation numbers', 'company 556016-0680, 5560160680, 165560160680'],
  ['ids', '{"id":"01900000-1234-7123-8123-191212121212","requestId":"4275cc39093f-u6"}'],
  ['digests', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0191212121212'],
  ['instants', '{"time":"2026-01-15T12:00:00.123Z","ms":1795347811683,"seconds":1795347811}'],
  ['amounts and durations', '{"ratio":0.1212121212,"ms":1212121212.5}'],
  ['ten digits that no person has', 'row 1212121213 of 9912129999'],
  ['what was scrubbed', 'GET /v1/samples?… with Bearer … and nsk_… of …'],
  ['the credential that a demo publishes', 'with nsk_demo_reads_fixture_samples'],
  [
    'long names',
    'at deliverEveryDeliveryThatNobodyHasEverSeen0n (file:///src/a-long-name-of-a-file-that-is-here-01.ts:12:3)',
  ],
  ['the names of what is secret', 'NUMERA_OIDC_CLIENT_SECRET must be set; the order has no autoStartToken'],
  ['a question', 'Did it work? https://numera.example/docs/guides/push'],
] as const)('%s may stand in a log', ([, line]) => {
  expect(findSecrets(line)).toEqual([])
})

test('The logs of a folder are searched line by line, but for the commands that a demo prints', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'numera-search-'))
  try {
    const printed = `The Numera demo is running. Try:\n  curl -H 'Authorization: Bearer nsk_${random}'\nEach call is logged below.\n`
    await writeFile(join(folder, 'demo.log'), `${printed}200 GET /v1/samples\n`)
    expect(await searchLogs(folder)).toEqual([])
    await writeFile(join(folder, 'serve.log'), '{"msg":"up"}\n{"msg":"Frida is 191212121212"}\n{"msg":"cut o')
    await writeFile(join(folder, 'demo.log'), `${printed}401 nsk_${random}\n`)
    expect(await searchLogs(folder)).toEqual([
      'demo.log:4: a credential: 401 nsk███',
      'serve.log:2: a personal number: {"msg":"Frida is 191███"}',
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
