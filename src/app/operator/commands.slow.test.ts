import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { runOperatorCommand as run } from '../../../testing/in-process/run-operator-command.ts'
import { testMasterKey } from '../../../testing/in-process/test-keys.ts'
import { testFields, testMetric } from '../../../testing/in-process/source.ts'

const personalNumber = '19811218-9876'

const declaration = {
  name: 'Shop',
  system_kind: 'web shop',
  fields: testFields,
  event_time: 'at',
  metrics: [testMetric()],
  delivers: 'events',
}

let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'numera-commands-'))
  vi.stubEnv('DATABASE_URL', database.url)
  vi.stubEnv('NUMERA_MASTER_KEY', testMasterKey)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await database[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

// oxlint-disable-next-line typescript/no-explicit-any -- tests read answers as they come
const json = async (...args: string[]): Promise<any> => {
  const { code, out, err } = await run([...args, '--json'])
  expect(err).toBe('')
  expect(code).toBe(0)
  return JSON.parse(out)
}

test('an operator creates a company, a member, a source and a signed connection', async () => {
  const company = await json('company', 'add', '--orgnr', '556016-0680', '--name', 'Bageriet AB')
  expect(company).toMatchObject({ orgnr: '556016-0680', time_zone: 'Europe/Stockholm' })
  const of = ['--company', '5560160680']

  const member = await json('member', 'add', ...of, '--personal-number', personalNumber, '--role', 'owner')
  expect(member).toMatchObject({ role: 'owner', name: null })

  const file = join(folder, 'declaration.json')
  await writeFile(file, JSON.stringify(declaration))
  const source = await json('source', 'add', ...of, '--file', file)
  expect(source).toMatchObject({ name: 'Shop', shape_version: 1, state: 'active' })
  const ofSource = [...of, '--source', source.source_id as string]
  await writeFile(file, JSON.stringify({ ...declaration, name: 'Butik', delivers: 'statements' }))
  expect(await json('source', 'save', ...ofSource, '--file', file)).toMatchObject({
    name: 'Butik',
    shape_version: 2,
    rebuilds: true,
  })
  expect((await run(['source', 'save', ...ofSource, '--file', file, '--expected-version', '1'])).code).toBe(1)
  expect(await json('source', 'pause', ...ofSource)).toMatchObject({ state: 'paused' })
  expect(await json('source', 'resume', ...ofSource)).toMatchObject({ state: 'active' })

  const made = await json(
    'connection',
    'add',
    ...ofSource,
    '--creator',
    personalNumber,
    '--credential',
    'client',
  )
  expect(made.connection).toMatchObject({ state: 'unsigned', source: { name: 'Butik' } })
  const ofConnection = [...of, '--connection', made.connection.connection_id as string]
  const signed = await json('connection', 'sign', ...ofConnection, '--creator', personalNumber)
  expect(signed).toMatchObject({
    connection: { state: 'signed' },
    client_secret: expect.stringMatching(/^ncs_/),
  })
  const rotated = await json('connection', 'rotate', ...ofConnection, '--overlap-hours', '0')
  expect(rotated.client_secret).toMatch(/^ncs_/)
  expect(await json('connection', 'revoke', ...ofConnection, '--yes')).toMatchObject({ state: 'revoked' })
  expect((await json('connection', 'list', ...of)).connections).toHaveLength(1)
})

test('an operator lists the connections that act on a company, and releases it from them', async () => {
  const member = ['--personal-number', '19640823-3234', '--role', 'developer']
  for (const [orgnr, name] of [
    ['556703-7485', 'Hemma AB'],
    ['556012-5790', 'Vidare AB'],
  ] as const) {
    await json('company', 'add', '--orgnr', orgnr, '--name', name)
    await json('member', 'add', '--company', orgnr, ...member)
  }
  const creator = ['--creator', '19640823-3234', '--further-companies', '5560125790']
  const made = await json('connection', 'add', '--company', '5567037485', ...creator)
  const id = made.connection.connection_id as string
  const further = ['--company', '5560125790']
  expect((await json('connection', 'list', ...further)).connections).toMatchObject([
    { connection_id: id, company: { orgnr: '556703-7485', name: 'Hemma AB' }, client_id: null },
  ])
  expect((await run(['connection', 'list', ...further])).out).toContain('Hemma AB')
  expect(
    (await run(['connection', 'release', '--company', '5567037485', '--connection', id, '--yes'])).err,
  ).toContain('revoke it instead')
  const release = ['connection', 'release', ...further, '--connection', id, '--yes'] as const
  expect(await json(...release)).toEqual({ connection_id: id, released: true })
  expect((await run([...release])).code).toBe(1)
  expect((await json('connection', 'list', ...further)).connections).toEqual([])
  const shown = await json('connection', 'show', '--company', '5567037485', '--connection', id)
  expect(shown.further_companies).toEqual([])
})

test('a signing secret is printed only by the command that creates it', async () => {
  await json('company', 'add', '--orgnr', '556036-0793', '--name', 'Hatten AB')
  const of = ['--company', '5560360793']
  const file = join(folder, 'webhook.json')
  const write = (more: object) => writeFile(file, JSON.stringify({ ...declaration, ...more }))
  const secret = /^nws_[0-9A-Za-z]{43}$/
  await write({ channel: 'webhook' })
  const source = await json('source', 'add', ...of, '--file', file)
  expect(source.signing_secret).toMatch(secret)
  const ofSource = [...of, '--source', source.source_id as string]

  // A file without a channel changes neither the channel nor the secrets.
  await write({ name: 'Butik' })
  const saved = await json('source', 'save', ...ofSource, '--file', file)
  expect(saved).toMatchObject({ name: 'Butik', channel: 'webhook' })
  expect(saved.signing_secret_created_at).toBe(source.signing_secret_created_at)
  expect(saved).not.toHaveProperty('signing_secret')

  const rotated = await json('source', 'rotate-secret', ...ofSource)
  expect(rotated.signing_secret).toMatch(secret)
  expect(rotated.signing_secret).not.toBe(source.signing_secret)
  expect((await json('source', 'show', ...ofSource)).source).toMatchObject({
    previous_signing_secret_ends_at: rotated.previous_signing_secret_ends_at,
  })
  for (const args of [
    ['list', ...of],
    ['show', ...ofSource],
    ['pause', ...ofSource],
  ]) {
    expect((await run(['source', ...args])).out).not.toContain('nws_')
  }

  await write({ channel: 'push' })
  expect(await json('source', 'save', ...ofSource, '--file', file)).toMatchObject({ channel: 'push' })
  expect((await run(['source', 'rotate-secret', ...ofSource])).err).toMatch(
    /^Only a webhook source has a signing secret\.\n/,
  )
  await write({ channel: 'webhook' })
  expect((await run(['source', 'save', ...ofSource, '--file', file])).out).toMatch(
    /^signing_secret: nws_[0-9A-Za-z]{43}$/m,
  )
})

test('an operator changes and resets a company’s limits, and recounts its usage', async () => {
  await json('company', 'add', '--orgnr', '556123-4567', '--name', 'Skorna AB')
  const of = ['--company', '5561234567']
  const limits = (args: string[]) => json('company', 'limits', ...of, ...args)
  const cells = { limit: 'cells', used: 0, max: 5_000_000 }
  expect((await limits([])).limits).toContainEqual(cells)
  const set = await limits(['--cells', '7', '--stored-bytes', '2000', '--shape-versions', '3'])
  expect(set.limits).toContainEqual({ ...cells, max: 7 })
  expect(set.limits).toContainEqual({ limit: 'stored_bytes', used: 0, max: 2_000 })
  expect(set.limits).toContainEqual({ limit: 'shape_versions', used: 0, max: 3 })
  // The other limits do not change.
  const less = await limits(['--stored-bytes', 'default'])
  expect(less.limits).toContainEqual({ ...cells, max: 7 })
  expect(less.limits).toContainEqual({ limit: 'stored_bytes', used: 0, max: 107_374_182_400 })
  expect(await json('company', 'recount', ...of)).toEqual(less)
  expect((await run(['company', 'limits', ...of])).out).toMatch(/^cells +0 +7$/m)
  for (const wrong of ['0', '-1', 'many', '1.5', '']) {
    expect((await run(['company', 'limits', ...of, '--cells', wrong])).code, wrong).toBe(1)
  }
  // Only what was changed is in the audit, which is exported from the day of the company's calendar on.
  await limits(['--cells', '7'])
  const events = (await run(['audit', 'export', ...of])).out.trimEnd().split('\n')
  expect(events.map((line) => JSON.parse(line)).map(({ action, details }) => [action, details])).toEqual([
    ['limits_changed', { cells: 7, stored_bytes: 2_000, shape_versions: 3 }],
    ['limits_changed', { stored_bytes: null }],
  ])
  const exported = (since: string) => run(['audit', 'export', ...of, '--since', since])
  expect(await exported('2098-01-01')).toMatchObject({ code: 0, out: '' })
  expect((await exported('2026-01-01')).out.split('\n')).toHaveLength(3)
  expect(await exported('yesterday')).toMatchObject({ code: 1, out: '' })
})

test('an operator stops and resumes the issuing of tokens', async () => {
  expect(await json('tokens', 'status')).toEqual({ stopped_since: null })
  const { stopped_since: since } = await json('tokens', 'stop')
  expect(Date.parse(since)).toBeGreaterThan(Date.now() - 60_000)
  expect(await json('tokens', 'stop')).toEqual({ stopped_since: since })
  expect(await json('tokens', 'status')).toEqual({ stopped_since: since })
  expect((await run(['tokens', 'status'])).out).toContain(since)
  expect(await json('tokens', 'resume')).toEqual({ stopped_since: null })
  expect(await json('tokens', 'resume')).toEqual({ stopped_since: null })
  expect((await run(['tokens', 'status'])).out).toBe('Tokens are issued.\n')
  // Each once.
  const { events } = await json('audit', 'list')
  expect(events).toMatchObject([
    { action: 'tokens_resumed', details: {} },
    { action: 'tokens_stopped', details: {} },
  ])
  expect((await run(['audit', 'list'])).out).toMatch(/^at +action +details\n20\S+ +tokens_resumed/)
})

test('an error is a sentence on standard error, with exit code 1', async () => {
  const of = ['--company', '556074-7569']
  const wrong: [string[], RegExp][] = [
    [
      ['company', 'add', '--orgnr', '556036-0794', '--name', 'X'],
      /^orgnr: This is not an organisation number\.\nExample: numera company add --orgnr 556016-0680/,
    ],
    [
      ['source', 'list', ...of],
      /^There is no company with this organisation number\.\nExample: numera source list/,
    ],
    [['member', 'add', ...of, '--personal-number', '1', '--role', 'boss'], /Allowed choices are owner/],
    [['source', 'pause', ...of, '--source', 'x'], /It is not an id/],
    [['source', 'add', ...of], /required option '--file/],
  ]
  for (const [args, message] of wrong) {
    const { code, out, err } = await run(args)
    expect({ code, out }, args.join(' ')).toEqual({ code: 1, out: '' })
    expect(err).toMatch(message)
  }
})

test('an unavailable database is reported as such', async () => {
  vi.stubEnv('DATABASE_URL', 'postgresql://postgres@127.0.0.1:1/none')
  const { code, err } = await run(['company', 'list'])
  expect(code).toBe(1)
  expect(err).toMatch(/^The database at 127\.0\.0\.1:1, which DATABASE_URL names, cannot be used/)
  expect(err).not.toContain('    at ')
})
