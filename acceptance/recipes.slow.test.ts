import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase } from '../testing/process/create-database.ts'
import { openShop, revenue, type Shop, sourceBody } from '../testing/process/shop.ts'
import { readSamples } from '../testing/process/numera-api.ts'
import { type Service, startService } from '../testing/process/start-service.ts'
import { readPageFiles } from './guides/page-files.ts'
import { preparePrograms } from './guides/programs.ts'

// The recipes of docs/guides/recipes.md, each as pasted.

const readRecipe = await readPageFiles('docs/guides/recipes.md')
const readPushFile = await readPageFiles('docs/guides/push.md')
const readWebhookFile = await readPageFiles('docs/guides/webhooks.md')

let folder: string
let service: Service
let shop: Shop
let path: string
const started: ChildProcess[] = []
const inFolder = (name: string): string => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'numera-recipes-'))
  path = (await preparePrograms(inFolder('bin'))).path
  await symlink(join(import.meta.dirname, '../node_modules'), inFolder('node_modules'))
  for (const file of ['shop-orders.ts', 'days.sql', 'nightly.sh', 'sie-folder.ts', 'till.sh']) {
    await writeFile(inFolder(file), readRecipe(file))
  }
  await writeFile(inFolder('push-document.sh'), readPushFile('push-document.sh'), { mode: 0o755 })
  await writeFile(inFolder('webhook-sender.sh'), readWebhookFile('webhook-sender.sh'))
  service = await startService()
  shop = await openShop(service)
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await service?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const connect = async (declaration: object): Promise<string> =>
  (await shop.connect({ source_id: await shop.createSource(declaration) })).credential

/** A source as a guide's file declares it. */
const connectDeclared = async (text: string): Promise<string> => {
  const { name: _name, ...declaration } = JSON.parse(text)
  return connect(declaration)
}

const read = async (credential: string): Promise<Record<string, string>> => {
  const { samples } = await readSamples(service.url, credential, { from: '2026-01-01', to: '2027-12-31' })
  return Object.fromEntries(
    samples.map(({ period_start: day, value, labels }) => [[day, ...Object.values(labels)].join(' '), value]),
  )
}

/** Runs a recipe to its end. */
const run = (command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const environment = { ...process.env, PATH: path, ...env }
    execFile(command, args, { cwd: folder, env: environment }, (error, out, err) =>
      error === null ? resolve(out) : reject(new Error(`${error.code}: ${err}`)),
    )
  })

const start = (command: string, args: string[], env: NodeJS.ProcessEnv): ChildProcess => {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, PATH: path, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  started.push(child)
  return child
}

const sign = (secret: string, body: string): string =>
  createHmac('sha256', secret).update(body).digest('base64')
const wooOrder = (id: string, total: string): string =>
  `{"id":${id},"status":"processing","date_paid_gmt":"2026-03-01T10:00:00","total":"${total}","billing":{"country":"SE"}}`
const shopifyOrder = (id: string, total: string): string =>
  `{"id":${id},"processed_at":"2026-03-02T10:00:00+01:00","total_price":${total},"billing_address":{"country_code":"NO"}}`

test('orders of two shops are stored once, and nothing that a shop did not sign', async () => {
  const credential = await connect({ metrics: [revenue({ group_by: ['country'] })] })
  const secrets = { WOOCOMMERCE_SECRET: 'woo', SHOPIFY_SECRET: 'shopify' }
  const connector = start('node', ['shop-orders.ts'], {
    NUMERA: service.url,
    CREDENTIAL: credential,
    PORT: '0',
    ...secrets,
  })
  const [line] = await once(createInterface({ input: connector.stdout! }), 'line')
  const url = `http://127.0.0.1:${/port: (\d+)/.exec(line)![1]}`
  const post = async (address: string, headers: Record<string, string>, body: string): Promise<number> =>
    (await fetch(`${url}${address}`, { method: 'POST', headers, body })).status
  const sendWoo = (body: string, secret = 'woo', topic = 'order.updated') =>
    post('/woocommerce', { 'X-WC-Webhook-Signature': sign(secret, body), 'X-WC-Webhook-Topic': topic }, body)
  const sendShopify = (body: string, id: string) =>
    post(
      '/shopify',
      {
        'x-shopify-hmac-sha256': sign('shopify', body),
        'X-SHOPIFY-TOPIC': 'orders/paid',
        'X-Shopify-Webhook-Id': id,
      },
      body,
    )

  expect(await post('/woocommerce', {}, 'webhook_id=12')).toBe(200)
  for (let attempt = 0; attempt < 2; attempt++) {
    expect(await sendWoo(wooOrder('7001', '249.50'))).toBe(200)
    // Two orders whose ids are the same float, with a total that no float has.
    for (const id of ['820982911946154508', '820982911946154509']) {
      expect(await sendShopify(shopifyOrder(id, '90071992547409.93'), `attempt-${attempt}`)).toBe(200)
    }
  }
  expect(await sendWoo(wooOrder('7002', '1.00'), 'woo', 'product.updated')).toBe(200)
  expect(await sendWoo(wooOrder('7003', '1.00').replace('"2026-03-01T10:00:00"', 'null'))).toBe(200)
  // A changed total of a paid order: the first one stands.
  expect(await sendWoo(wooOrder('7001', '250.00'))).toBe(200)
  expect(await sendWoo(wooOrder('7004', '1.00'), 'another secret')).toBe(401)
  expect(await post('/woocommerce', {}, wooOrder('7004', '1.00'))).toBe(401)
  expect(await sendWoo('x'.repeat(3 * 1024 * 1024))).toBe(413)
  expect(await post('/another', {}, '{}')).toBe(404)
  await expect
    .poll(() => read(credential))
    .toEqual({ '2026-03-01 SE': '249.5', '2026-03-02 NO': '180143985094819.86' })
  connector.kill('SIGTERM')
  expect(await once(connector, 'exit')).toEqual([0, null])
})

const hasPsql = (() => {
  try {
    execFileSync('sh', ['-c', 'command -v psql'])
    return true
  } catch {
    return false
  }
})()

test.skipIf(!hasPsql)('a database’s last seven days are sent every night, exactly', async () => {
  const credential = await connectDeclared(readRecipe('days.json'))
  await writeFile(inFolder('authorization'), `Authorization: Bearer ${credential}\n`)
  await using database = await createDatabase(inject('acceptanceCluster').server)
  const client = new Client({ connectionString: database.url })
  await client.connect()
  try {
    await client.query(
      'create table orders (order_id bigint primary key, paid_at timestamptz, amount numeric not null)',
    )
    // 15 minutes after midnight in Stockholm is the evening before in UTC. Eight days ago is not asked for.
    await client.query(
      `insert into orders
       select id, (date_trunc('day', now() at time zone 'Europe/Stockholm') - days * interval '1 day' + interval '15 minutes')
         at time zone 'Europe/Stockholm', amount
       from (values (1, 2, 99999999999999999999.000000000000000001), (2, 2, -0.000000000000000002), (3, 8, 5), (4, 0, 6)) as o (id, days, amount)`,
    )
    const days = (await client.query(
      `select to_char(now() at time zone 'Europe/Stockholm' - n * interval '1 day', 'YYYY-MM-DD') as day from generate_series(7, 1, -1) as n`,
    )) as { rows: { day: string }[] }
    const week = Object.fromEntries(days.rows.map(({ day }) => [day, '0']))
    const send = () =>
      run(
        'sh',
        ['nightly.sh', service.url, 'authorization'],
        Object.fromEntries(
          ['host', 'port', 'user', 'password', 'database'].map((name) => [
            `PG${name.toUpperCase()}`,
            `${client[name as 'host'] ?? ''}`,
          ]),
        ),
      )
    await send()
    const dayBefore = days.rows[5]!.day
    await expect
      .poll(() => read(credential))
      .toEqual({ ...week, [dayBefore]: '99999999999999999998.999999999999999999' })

    // The orders of a day are deleted: the next night says so.
    await client.query('delete from orders')
    await utimes(inFolder('days.csv'), 0, 0)
    await send()
    await expect.poll(() => read(credential)).toEqual(week)

    // A query that fails sends nothing.
    await client.query('drop table orders')
    await expect(send()).rejects.toThrow(/^3: .*relation "orders" does not exist/s)
  } finally {
    await client.end()
  }
})

test('each file of a folder is a statement, sent once, and one that is still written waits', async () => {
  const credential = await connectDeclared(readPushFile('ledger.json'))
  const example = join(import.meta.dirname, '../testing/cases/example.se')
  const hour = new Date(Date.now() - 3_600_000)
  const put = async (name: string, from?: string): Promise<void> => {
    await (from === undefined ? writeFile(inFolder(name), 'no SIE') : copyFile(from, inFolder(name)))
    await utimes(inFolder(name), hour, hour)
  }
  await mkdir(inFolder('sie'))
  await put('sie/2026-04-02 Bokföring.SE', example)
  await put('sie/broken.se')
  await writeFile(inFolder('sie/growing.se'), '#FLAGGA 0\n')
  const send = () => run('node', ['sie-folder.ts', 'sie'], { NUMERA: service.url, CREDENTIAL: credential })
  await expect(send()).rejects.toThrow(/^1: broken\.se: /)
  expect((await readdir(inFolder('sie'))).toSorted()).toEqual(['broken.se', 'growing.se', 'sent'])
  const months = { '2026-01-01': '8000.5', '2026-02-01': '1499.75', '2026-03-01': '0.5' }
  await expect.poll(() => read(credential)).toEqual(months)

  await rm(inFolder('sie/broken.se'))
  await put('sie/2026-04-02 Bokföring.SE', example)
  expect(await send()).toBe('2026-04-02 Bokföring.SE was stored before\n')
})

test('a till’s sales arrive once, after it had no service, and what is refused is set aside', async () => {
  const made = (await shop.browser.post(`${shop.pages}/sources`, sourceBody({ channel: 'webhook' }))).body
  const { credential } = await shop.connect({ source_id: made.source_id, permissions: ['metrics.read'] })
  await writeFile(inFolder('secret'), `${made.signing_secret}\n`, { mode: 0o600 })
  // The loop's pauses are short, and each one is a line.
  await mkdir(inFolder('quick'))
  await writeFile(inFolder('quick/sleep'), `#!/bin/sh\necho "$1"\nexec /bin/sleep 0.02\n`, { mode: 0o755 })
  await mkdir(inFolder('spool'))
  const sell = async (receipt: string, amount: string): Promise<void> => {
    const part = inFolder(`spool/${receipt}.part`)
    await writeFile(part, JSON.stringify({ receipt, at: '2026-04-01', amount }))
    await rename(part, inFolder(`spool/${receipt}.json`))
  }
  const startTill = (url: string) =>
    start('sh', ['till.sh', `${url}/v1/webhooks/${made.source_id}`, 'secret', 'spool'], {
      PATH: `${inFolder('quick')}${delimiter}${path}`,
    })
  await sell('till-1', '39.00')
  const offline = startTill('http://127.0.0.1:1')
  const pauses: string[] = []
  for await (const pause of createInterface({ input: offline.stdout! })) {
    if (pauses.push(pause) === 3) break
  }
  expect(pauses).toEqual(['30', '60', '120'])
  offline.kill('SIGTERM')

  await sell('till-2', '78.50')
  await sell('till 3', '1.00')
  startTill(service.url)
  // Each attempt starts a hundred programs of the shell.
  const untilSent = () =>
    expect.poll(() => readdir(inFolder('spool')), { timeout: 60_000 }).toEqual(['refused'])
  await untilSent()
  expect(await readdir(inFolder('spool/refused'))).toEqual(['till 3.json'])
  await sell('till-1', '39.00')
  await untilSent()
  await expect.poll(() => read(credential)).toEqual({ '2026-04-01': '117.5' })
})
