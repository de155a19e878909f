import { expect, test } from 'vitest'
import { createLog } from './log.ts'

const logged = (write: (log: ReturnType<typeof createLog>) => void): string => {
  let written = ''
  write(createLog({ level: 'info', destination: { write: (line) => (written += line) } }))
  return written
}

test('A line is JSON, with its instant, level and message', () => {
  const line = JSON.parse(logged((log) => log.info({ requestId: 'abc-1' }, 'stored')))
  expect(line).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    pid: process.pid,
    requestId: 'abc-1',
    msg: 'stored',
  })
})

test.for([
  ['a static credential', 'nsk_0123456789abcdef', '0123456789abcdef'],
  ['a token in a header', 'Authorization: Bearer abcdefgh.ijkl', 'abcdefgh'],
  ['a webhook secret', '{"secret":"nws_abc_def"}', 'abc_def'],
  ['the token of a link that invites', '{"token":"niv_abcdef"}', 'abcdef'],
  ['a database’s password', 'postgresql://numera:hunter2@db/numera', 'hunter2'],
  ['a URL’s query', 'GET /v1/samples?orgnr=1&from=x', 'orgnr='],
  ['an organisation number', '556036-0793', '0793'],
  ['an organisation number without its dash', 'company 5560360793 made', '5560360793'],
  ['a personal number', '19121212-1212', '1212'],
  ['a personal number as twelve digits', '191212121212', '1212'],
  ['a sole trader’s past a hundred', '121212+1212', '1212'],
  ['a certificate', '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmg\nAwIB\n-----END CERTIFICATE-----', 'IB'],
  ['a key that is cut off', '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQ\nYDK2', 'YDK2'],
  ['an answer to OCSP', `{"ocspResponse":"MIIHfgoBAKCCB3cwggdz${'BgkrBgEFBQcw'.repeat(9)}"}`, 'BgkrBgE'],
  ['a JWT', 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'c2lnbmF0'],
  ['a session', 'cookie: numera_session=q1w2e3r4t5; numera_order=z9x8', 'r4t5'],
  ['a credential on a line of its own', 'sent\nnsk_0123456789abcdef', '0123456789abcdef'],
  ['a personal number on a line of its own', 'sent\n191212121212', '191212'],
  ['a personal number with its sign on a line of its own', 'sent\n19121212-1212', '1212'],
])('Of %s nothing is logged', ([, text, secret]) => {
  const line = logged((log) => log.info({ outer: { inner: text } }, `about ${text}`))
  expect(line).not.toContain(secret)
  // It is still a line of JSON, with the rest of the message.
  expect(JSON.parse(line)).toMatchObject({ msg: expect.stringMatching(/^about ./) })
})

test('Ids, instants and numbers are left as they are', () => {
  const harmless = {
    id: '01900000-1234-7123-8123-191212121212',
    other: '12121212-1212-7123-8123-000000000000',
    at: '2026-01-15T12:00:00.123Z',
    ms: 1_700_000_000_123,
    bytes: 8_388_608,
    ratio: 0.5560360793,
  }
  expect(JSON.parse(logged((log) => log.info(harmless)))).toMatchObject(harmless)
})

test('A database error loses the data that it quotes, and keeps its cause', () => {
  const cause = Object.assign(new Error('duplicate key'), {
    code: '23505',
    detail: 'Key (name)=(Anna) exists',
  })
  const line = logged((log) => log.error(new Error('could not store', { cause })))
  expect(line).not.toContain('Anna')
  expect(JSON.parse(line).err).toMatchObject({ message: 'could not store', cause: { code: '23505' } })
})
