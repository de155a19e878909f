import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  fault,
  type Reply,
  type ScriptedService,
  startScriptedService,
  stored,
  token,
} from '../../client/testing/scripted-service.ts'
import { openTerminal, type Terminal } from '../testing/terminal.ts'

/*
 * The specification's rules for senders, as the command ends: see packages/client/src/rules.test.ts for the rules themselves. The clock
 * is the test's, so nothing waits.
 */

const noSources: Reply = { status: 200, body: { sources: [], next_cursor: null } }
const file = 'at,amount\n2026-11-22,1\n2026-11-23,2\n'

async function openShop(
  ...replies: ScriptedService['replies']
): Promise<AsyncDisposable & { service: ScriptedService; terminal: Terminal; path: string }> {
  const stack = new AsyncDisposableStack()
  const service = stack.use(await startScriptedService(noSources, ...replies))
  const terminal = stack.use(await openTerminal(service))
  const login = await terminal.run(['login', '--connection', '--url', service.url], 'nsk_secret\n')
  expect(login).toMatchObject({ code: 0, err: '' })
  service.received.length = 0
  const path = join(terminal.folder, 'orders.csv')
  await writeFile(path, file)
  return { service, terminal, path, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

test.each<[string, ScriptedService['replies'], number, RegExp]>([
  ['is stored', [stored], 0, /orders.csv: stored as 0190a2b4-58cc-7372-a567-0e02b2c3d479, 2 rows/],
  [
    'waits for as long as a 429 says',
    [fault(429, 'rate_limited', { 'retry-after': '7' }), stored],
    0,
    /stored/,
  ],
  ['tries again after a 429 without a wait', [fault(429, 'rate_limited'), stored], 0, /stored/],
  [
    'tries again after 503, 408 and cut connections',
    [fault(503, 'internal'), fault(408, 'internal'), 'cut', 'cut within', stored],
    0,
    /stored/,
  ],
  [
    'says when to try again after 15 minutes of 429',
    [fault(429, 'rate_limited', { 'retry-after': '60' })],
    75,
    /again in 60 s/,
  ],
  ['says to try again after 15 minutes of 503', [fault(503, 'internal')], 75, /counts once[^]*Request r-1/],
  ['is not reachable', ['cut'], 4, /numeractl doctor/],
  ['takes a proxy’s page for no answer', [{ status: 202, body: '<html>' }], 4, /doctor/],
  ['stops at a refused credential', [fault(401, 'unauthenticated')], 1, /numeractl login/],
  ['stops at a paused source', [fault(409, 'source_paused')], 1, /Nothing was stored. Resume/],
  ['stops at a key that was used', [fault(409, 'key_reused')], 1, /errors#key_reused/],
  ['stops at what is too large', [fault(413, 'too_large')], 1, /too_large/],
  ['stops at another type', [fault(415, 'unsupported_media_type')], 1, /unsupported_media_type/],
])('a push %s', async (_, replies, code, says) => {
  await using shop = await openShop(...replies)
  const { service, terminal, path } = shop
  const ended = await terminal.run(['push', path])
  expect(ended).toMatchObject({ code })
  expect(ended.out + ended.err).toMatch(says)
  expect(ended.out + ended.err).not.toContain('nsk_secret')
  const sent = service.received.map(({ body, headers }) => `${headers['idempotency-key']} ${body}`)
  expect(new Set(sent).size).toBe(1)
  expect(sent[0]).toMatch(/^orders_2Ecsv:[0-9a-f]{32} at,amount\n/)
})

test('a client secret gets one more token after a 401, and a second 401 is final', async () => {
  await using service = await startScriptedService(
    token('nat_1'),
    noSources,
    token('nat_2'),
    fault(401, 'unauthenticated'),
  )
  await using terminal = await openTerminal(service)
  const id = '0190a2b4-58cc-7372-a567-0e02b2c3d479'
  expect(
    await terminal.run(['login', '--connection', '--url', service.url], `${id}\nncs_secret\n`),
  ).toMatchObject({ code: 0 })
  const path = join(terminal.folder, 'orders.csv')
  await writeFile(path, file)
  service.replies.splice(
    0,
    9,
    token('nat_2'),
    fault(401, 'unauthenticated'),
    token('nat_3'),
    fault(401, 'unauthenticated'),
  )
  service.received.length = 0
  expect(await terminal.run(['push', path])).toMatchObject({ code: 1, out: '' })
  expect(service.received.map((call) => call.path)).toEqual([
    '/oauth/token',
    '/v1/ingest',
    '/oauth/token',
    '/v1/ingest',
  ])
})

test('a refused login keeps nothing', async () => {
  await using service = await startScriptedService(fault(401, 'unauthenticated'))
  await using terminal = await openTerminal(service)
  expect(await terminal.run(['login', '--connection', '--url', service.url], 'nsk_secret')).toMatchObject({
    code: 1,
  })
  expect(await terminal.run(['profiles'])).toMatchObject({ code: 0, out: 'There are no logins.\n' })
})

test('the secret is in a file that its owner alone may read, which is checked, or in the keyring', async () => {
  await using shop = await openShop(noSources)
  const { service, terminal } = shop
  const secrets = join(terminal.folder, 'config/numeractl/credentials.json')
  expect((await stat(secrets)).mode & 0o777).toBe(0o600)
  expect(await readFile(join(terminal.folder, 'config/numeractl/profiles.json'), 'utf8')).not.toContain(
    'nsk_',
  )
  await chmod(secrets, 0o644)
  expect(await terminal.run(['sources'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('chmod 600'),
  })
  await chmod(secrets, 0o600)

  const kept = new Map<string, string>()
  terminal.io.openKeyring = async () => ({
    get: async (account) => kept.get(account),
    set: async (account, secret) => void kept.set(account, secret),
    delete: async (account) => kept.delete(account),
  })
  const login = await terminal.run(
    ['login', '--connection', '--url', service.url, '--profile', 'other'],
    'nsk_other',
  )
  expect(login.out).toContain('keyring')
  expect(Object.fromEntries(kept)).toEqual({ other: 'nsk_other' })
  service.received.length = 0
  await terminal.run(['sources'])
  await terminal.run(['sources', '--profile', 'default'])
  expect(service.received.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer nsk_other',
    'Bearer nsk_secret',
  ])
  expect(await terminal.run(['logout'])).toMatchObject({ code: 0 })
  expect(kept.size).toBe(0)
  expect((await terminal.run(['profiles', '--json'])).out).toMatch(/^\{"profile":"default","current":true/)
})

test.each([
  [['push'], 'Name the files'],
  [['push', 'absent.csv'], 'absent.csv does not exist'],
  [['push', 'a', 'b', '--key', 'k'], 'names one file'],
  [['push', 'orders.csv', '--key', 'service:1'], 'reserved'],
  [['push', '--shape-version', 'x', 'orders.csv'], 'whole number'],
  [['samples', '--profile', 'absent'], 'There are: default'],
  [['login', '--connection', '--url', 'ftp://x'], '--url is'],
  [['samples', '--url', 'https://other.example'], "unknown option '--url'"],
  [['login', 'nsk_secret'], 'too many arguments'],
  [['login', '--connection', '--url', 'https://a@b'], '--url is'],
  [['sampels'], 'Did you mean samples?'],
])('%s is used wrongly, and says how', async (words, says) => {
  await using shop = await openShop(stored)
  const { service, terminal, path } = shop
  const ended = await terminal.run(words.map((word) => (word === 'orders.csv' ? path : word)))
  expect(ended).toMatchObject({ code: 2, out: '' })
  expect(ended.err).toContain(says)
  expect(ended.err).not.toContain('nsk_secret')
  expect(service.received).toEqual([])
})

test('an error in JSON has its code, and its exit code', async () => {
  await using shop = await openShop(fault(409, 'source_paused'))
  const { err } = await shop.terminal.run(['push', shop.path, '--json'])
  expect(JSON.parse(err)).toMatchObject({ code: 'source_paused', request_id: 'r-1', exit_code: 1 })
})

test('a push that was interrupted sends the same parts under the same keys when it is run again', async () => {
  await using shop = await openShop(stored)
  const { service, terminal, path } = shop
  await writeFile(path, `at,amount\n${'2026-11-22,1\n'.repeat(700_000)}`)
  const interrupt = new AbortController()
  terminal.io.signal = interrupt.signal
  const push = () => terminal.run(['push', path, '--allow-split'])
  service.replies.unshift(stored, () => {
    interrupt.abort()
    return stored
  })
  expect(await push()).toMatchObject({
    code: 75,
    out: expect.stringContaining('part 1'),
    err: expect.stringContaining('Interrupted'),
  })
  const keys = () => service.received.splice(0).map(({ headers }) => headers['idempotency-key'])
  const before = keys()
  expect(before).toEqual([expect.stringContaining('#1/'), expect.stringContaining('#2/')])
  terminal.io.signal = new AbortController().signal
  expect(await push()).toMatchObject({ code: 0, out: expect.stringMatching(/part 1: .*\n.*part 2: .*\n$/) })
  expect(keys()).toEqual(before)
})

test('a file that is broken is said with its byte', async () => {
  await using shop = await openShop(stored)
  await writeFile(shop.path, 'at,amount\n2026-11-22,"1\n')
  expect(await shop.terminal.run(['push', shop.path])).toMatchObject({
    code: 1,
    err: expect.stringContaining('byte 21'),
  })
})

test('the doctor says what is wrong, up to what it can look at', async () => {
  await using shop = await openShop({ status: 200, body: { hello: 'world' } })
  const { code, out } = await shop.terminal.run(['doctor'])
  expect(code).toBe(4)
  expect(out).toMatch(/name +right[^]*connection +wrong +Something answers 200, and it is not Numera/)
  await shop.service[Symbol.asyncDispose]()
  const closed = await shop.terminal.run(['doctor'])
  expect(closed).toMatchObject({ code: 4, out: expect.stringMatching(/connection +wrong +ECONNREFUSED/) })
})

test('`--help` names every command and the exit codes', async () => {
  await using terminal = await openTerminal()
  const { code, out } = await terminal.run(['--help'])
  expect(code).toBe(0)
  for (const word of [
    'login',
    'check',
    'push',
    'refused',
    'deliveries',
    'samples',
    'trace',
    'doctor',
    '75 try again',
  ]) {
    expect(out).toContain(word)
  }
})
