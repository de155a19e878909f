import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seedAppConnection, seedCode, seedWebhookSource } from '../../../testing/in-process/seed.ts'
import { seedScene } from '../../../testing/in-process/scenes/scene.ts'
import { testMetric } from '../../../testing/in-process/source.ts'
import { startTestService } from '../../../testing/in-process/test-service.ts'
import { startTestWorker } from '../../../testing/in-process/test-worker.ts'
import { systemClock } from '../../client/src/transport.ts'
import { openTerminal, type Terminal } from '../testing/terminal.ts'

const { database, context, app } = await startTestService({
  environment: { NUMERA_OAUTH_LOOPBACK_REDIRECTS: 'yes' },
})
const { worker } = startTestWorker({ database, context })
const url = await app.listen({ port: 0, host: '127.0.0.1' })

/** A source with a connection, and a terminal that is logged in to it. */
const openShop = async (
  delivers: 'events' | 'statements' = 'events',
  permissions: ('sources.ingest' | 'metrics.read')[] = ['sources.ingest', 'metrics.read'],
) => {
  const scene = await seedScene(context, {
    source: { metrics: [testMetric({ group_by: ['country'] })], delivers },
    connection: { credentialKind: 'client', permissions },
  })
  const { clientId, secret } = scene.connection
  // The service's clock stands still but for this: each run gets calls of its own.
  const { sleep, random } = systemClock
  const terminal = await openTerminal({ clock: { now: () => context.clock.now(), sleep, random } })
  const { run } = terminal
  terminal.run = (...given) => {
    context.clock.advance(10_000)
    return run(...given)
  }
  const login = await terminal.run(['login', '--connection', '--url', url], `${clientId}\n${secret}\n`)
  expect(login).toMatchObject({ code: 0, err: '' })
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(terminal.folder, name)
    await writeFile(path, text)
    return path
  }
  return { ...scene, terminal, write, [Symbol.asyncDispose]: () => terminal[Symbol.asyncDispose]() }
}

const json = async (terminal: Terminal, words: string[]) =>
  (await terminal.run([...words, '--json'])).out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test('a file is checked, sent, followed and read back', async () => {
  await using shop = await openShop()
  const { terminal, source, write } = shop
  const path = await write(
    'orders.csv',
    'at;amount;country;till\n2026-01-10;99999999999999999999.999;SE;3\n2026-01-11;0.10;SE;4\n',
  )
  expect(await terminal.run(['whoami'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/permissions: sources.ingest, metrics.read\nkind: production/),
  })
  expect(await terminal.run(['check', path])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/1 +accepted +2 +0/),
  })
  expect(await terminal.run(['push', path])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/orders.csv: stored as [0-9a-f-]{36}, 2 rows\n$/),
    err: `${path}: not declared, and not stored: till\n`,
  })
  expect((await terminal.run(['push', path])).out).toContain('was stored before')
  await worker.drain()
  expect((await terminal.run(['push', path, '--until-parsed'])).out).toContain('2 rows count, 0 were refused')

  const [delivery] = await json(terminal, ['deliveries'])
  expect(delivery).toMatchObject({ state: 'parsed', rows_accepted: 2 })
  expect((await terminal.run(['deliveries', delivery.artifact_id])).out).toContain('rows_accepted: 2')
  expect(await json(terminal, ['samples', '--metric', 'revenue'])).toMatchObject([
    { period_start: '2026-01-11', value: '0.1', labels: { country: 'SE' } },
    { period_start: '2026-01-10', value: '99999999999999999999.999' },
  ])
  expect((await terminal.run(['samples'])).out).toMatch(/^█▁ {2}revenue country=SE\n\nperiod_start/)
  expect((await terminal.run(['samples', '--csv'])).out).toContain(
    `revenue,2026-01-10,99999999999999999999.999,false,${delivery.artifact_id},SE\r\n`,
  )
  const cell = ['--metric', 'revenue', '--period', '2026-01-10', '--label', 'country=SE']
  expect((await terminal.run(['trace', ...cell])).out).toMatch(/value: 99999999999999999999.999\n[^]*running/)
  expect(await terminal.run(['trace', ...cell.slice(0, 4)])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^--label country=…: /),
  })
  expect((await terminal.run(['sources', source.sourceId])).out).toMatch(/event_time: at[^]*revenue +sum/)
  // The service's own clock is not what its `Date` says.
  const doctor = await terminal.run(['doctor', '--file', path])
  expect(doctor.code).toBe(1)
  expect(doctor.out).toMatch(/clock +wrong[^]*credential +right[^]*file +right +part 1: 2 rows would count/)
})

test('refused rows end with 3, are written to a file, and are sent once they are right', async () => {
  await using shop = await openShop()
  const { terminal, write } = shop
  const path = await write(
    'orders.csv',
    'at,amount,country\n2026-01-10,1,"A, B"\n\n2026-01-10,x,"C, D"\nsoon,y,E\n',
  )
  expect(await terminal.run(['check', path])).toMatchObject({
    code: 3,
    out: expect.stringContaining('number_malformed'),
  })
  const [stored] = await json(terminal, ['push', path])
  await worker.drain()
  expect(await terminal.run(['push', path, '--until-parsed'])).toMatchObject({ code: 3 })
  expect(await terminal.run(['refused', path, '--delivery', stored.artifact_id])).toMatchObject({ code: 0 })
  const refused = `${path}.refused.csv`
  const text = await readFile(refused, 'utf8')
  expect(text).toMatch(
    /^refused_line,refused_field,refused_reason,at,amount,country\r\n4,amount,.*2026-01-10,x,"C, D"\r\n5,/,
  )
  expect(await terminal.run(['push', '--corrected', refused])).toMatchObject({ code: 3, out: '' })
  await writeFile(refused, text.replace(',x,', ',2,').replace('soon,y', '2026-01-11,3'))
  const [sent] = await json(terminal, ['push', '--corrected', refused])
  expect(sent.key).toBe(`${stored.key}:corrected-1`)
  expect((await terminal.run(['push', '--corrected', refused])).out).toContain('was stored before')
  await worker.drain()
  expect((await json(terminal, ['samples'])).map(({ value, labels }) => [value, labels.country])).toEqual([
    ['3', 'E'],
    ['1', 'A, B'],
    ['2', 'C, D'],
  ])
})

test('corrected rows are not sent to a source of statements, whose periods they would replace', async () => {
  await using shop = await openShop('statements')
  const { terminal, write } = shop
  const path = await write('january.csv', 'at,amount,country\n2026-01-10,1,SE\n2026-01-10,x,SE\n')
  const [stored] = await json(terminal, ['push', path])
  await worker.drain()
  await terminal.run(['refused', path, '--delivery', stored.artifact_id])
  const refused = `${path}.refused.csv`
  await writeFile(refused, (await readFile(refused, 'utf8')).replace(',x,', ',2,'))
  expect(await terminal.run(['push', '--corrected', refused])).toMatchObject({
    code: 1,
    err: expect.stringContaining('replace'),
  })
})

test('what is new is shown while it is followed', async () => {
  await using shop = await openShop()
  const { terminal, write } = shop
  const interrupt = new AbortController()
  terminal.io.signal = interrupt.signal
  const answered: string[] = []
  terminal.io.fetch = async (input, init) => {
    const answer = await fetch(input, init)
    answered.push(new URL(`${input as string}`).pathname)
    return answer
  }
  const following = terminal.run(['deliveries', '--follow', '--json'])
  const path = await write('orders.csv', 'at,amount,country\n2026-01-10,1,SE\n')
  await expect.poll(() => answered).toContain('/v1/deliveries')
  await terminal.run(['push', path])
  await worker.drain()
  await expect.poll(() => terminal.shown).toContain('"state":"parsed"')
  interrupt.abort()
  expect((await following).code).toBe(0)
})

test('a webhook is signed as the service verifies it', async () => {
  await using shop = await openShop()
  const { terminal, company, write } = shop
  const source = await seedWebhookSource(context, company.companyId)
  const path = await write('order.json', '{"at":"2026-01-10","amount":"5","country":"Åland"}')
  const words = ['webhook', 'send', path, '--source', source.sourceId]
  expect(await terminal.run(words, source.signingSecret)).toMatchObject({
    code: 0,
    out: expect.stringContaining('queued'),
  })
  expect(await terminal.run(words, 'nsk_x')).toMatchObject({ code: 2 })
  expect(await terminal.run(words, 'nws_wrong')).toMatchObject({ code: 1 })
})

test('a member allows the command to read; its tokens are renewed, and end with the logout', async () => {
  await using shop = await openShop()
  const { terminal, company, owner } = shop
  let openedUrl = ''
  // The member's browser, and what the service writes when they sign.
  const allow = async (href: string): Promise<void> => {
    openedUrl = href
    const given = Object.fromEntries(new URL(href).searchParams) as Record<string, string>
    const { client_id: clientId, redirect_uri: redirectUri, code_challenge: challenge, state } = given
    const app = {
      clientId: clientId!,
      clientName: 'numeractl',
      redirectUris: [redirectUri!],
      redirectUri: redirectUri!,
    }
    const connection = await seedAppConnection(context, {
      app,
      member: owner,
      resources: [given['resource']!],
    })
    const { code, tokenFamilyId } = await seedCode(context, connection)
    await context.pool.query(
      'update authorization_codes set code_challenge = $1 where token_family_id = $2',
      [challenge, tokenFamilyId],
    )
    expect((await fetch(`${redirectUri}?code=${code}&state=other`)).status).toBe(404)
    const iss = context.config.baseUrl
    const back = await fetch(`${redirectUri}?${new URLSearchParams({ code, state: state!, iss })}`)
    expect(await back.text()).toContain('You can close this page')
  }
  terminal.io.openBrowser = (href) => void allow(href)
  const login = await terminal.run(['login', '--url', url, '--profile', 'reader'])
  expect(login).toMatchObject({ code: 0, out: expect.stringContaining('for reading') })
  expect(login.err).toContain(openedUrl)
  expect((await terminal.run(['whoami'])).out).toMatch(
    new RegExp(`permissions: metrics.read[^]*token_minutes_left: (59|60)\\n[^]*${company.name}`),
  )
  context.clock.advance(3_600_000)
  expect(await Promise.all([1, 2].map(() => terminal.run(['sources'])))).toMatchObject([
    { code: 0 },
    { code: 0 },
  ])
  expect(await terminal.run(['push', terminal.folder])).toMatchObject({ code: 2 })
  expect(await terminal.run(['logout'])).toMatchObject({ code: 0 })

  const registered = new URL(openedUrl).searchParams.get('client_id')
  await terminal.run(['login', '--url', url, '--profile', 'reader'])
  expect(new URL(openedUrl).searchParams.get('client_id')).not.toBe(registered)
  const again = new URL(openedUrl)
  terminal.io.openBrowser = (href) => {
    const { redirect_uri: back, client_id: id, state } = Object.fromEntries(new URL(href).searchParams)
    expect(id).toBe(again.searchParams.get('client_id'))
    const refusal = { error: 'access_denied', state: state!, iss: context.config.baseUrl }
    void fetch(`${back}?${new URLSearchParams(refusal)}`)
  }
  expect(await terminal.run(['login', '--url', url, '--profile', 'reader'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Nothing was allowed: access_denied'),
  })
})

test.each([
  ['sources.ingest', 'production'],
  ['metrics.read', '-'],
] as const)('`whoami` finds out that a connection has %s alone', async (permission, kind) => {
  await using shop = await openShop('events', [permission])
  const { out } = await shop.terminal.run(['whoami'])
  expect(out).toContain(`permissions: ${permission}\nkind: ${kind}\n`)
})
