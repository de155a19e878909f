import type { AppContext } from '../app-context.ts'
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addMember } from '../../console/memberships/add-member.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/in-process/test-database.ts'
import { webhookSignature } from '../../engine/deliveries/webhooks/signature.ts'
import { buildApp } from '../app.ts'
import type { App } from '../../platform/http/contract.ts'
import { findMember } from '../../people/members/find-member.ts'
import { retireMasterKeys } from '../../platform/keys/retire-master-keys.ts'
import { unseal } from '../../platform/keys/seal.ts'
import { resealRowsMax } from '../../platform/keys/sealed-table.ts'
import { uuidv7 } from '../../formats/values/uuidv7.ts'
import { openContext } from '../open-context.ts'
import { rotateSigningSecret } from '../../company/sources/signing-secrets/rotate-signing-secret.ts'
import { sealSigningSecret } from '../../platform/keys/signing-secret.ts'
import { createConsoleClient, signInConsole } from '../../../testing/in-process/console-client.ts'
import { freePort } from '../../../testing/process/free-port.ts'
import { runMain } from '../../../testing/in-process/run-main.ts'
import {
  approveDemoOrder,
  seedCompany,
  seedConnection,
  seedSource,
  seedWebhookSource,
} from '../../../testing/in-process/seed.ts'
import type { CompanyCommandContext } from './add-command.ts'
import { reseal } from './reseal.ts'
import { sealedTables } from './sealed-tables.ts'

const newKey = (): string => randomBytes(32).toString('base64url')

let database: TestDatabase
let stack: AsyncDisposableStack
beforeEach(async () => {
  database = await createTestDatabase({ keyless: true })
  stack = new AsyncDisposableStack()
})
afterEach(async () => {
  await stack.disposeAsync()
  await database[Symbol.asyncDispose]()
})

const toEnvironment = (key: string, previous = ''): NodeJS.ProcessEnv => ({
  DATABASE_URL: database.url,
  NUMERA_MASTER_KEY: key,
  NUMERA_MASTER_KEY_PREVIOUS: previous,
  NUMERA_LOG_LEVEL: 'silent',
})

/** What a process of the deployment starts with, until the test ends. */
const start = async (key: string, previous?: string): Promise<CompanyCommandContext> => {
  const opened = await openContext({ name: 'test', environment: toEnvironment(key, previous) })
  stack.use(opened)
  const { identity, shards } = opened.context
  return { ...shards.get(1), identity }
}
const serve = async (context: AppContext): Promise<App> => {
  const app = await buildApp(context)
  stack.defer(() => app.close())
  return app
}

/** Every row of every table, as text. */
const everything = async (): Promise<Record<string, string>> => {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema in ('directory', 'access', 'shard_1') order by table_name`,
  )
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows: found } = await database.pool.query(
      `select string_agg(t::text, E'\n' order by t::text) as all from ${name} t`,
    )
    rows[name] = found[0].all
  }
  return rows
}
const recorded = async (): Promise<string[]> =>
  (
    await database.pool.query(
      `select encode(fingerprint, 'hex') as f from master_keys order by recorded_at, fingerprint`,
    )
  ).rows.map((row) => row.f)
const hex = ({ keys }: AppContext): string => keys.master.current.fingerprint.toString('hex')

const send = (app: App, source: { sourceId: string }, secret: string, id: string) => {
  const t = Math.floor(Date.now() / 1000)
  const payload = JSON.stringify([{ at: new Date().toISOString(), amount: '1', country: id }])
  return app
    .inject({
      method: 'POST',
      url: `/v1/webhooks/${source.sourceId}`,
      headers: {
        'content-type': 'application/json',
        'service-delivery-id': id,
        'service-signature': `t=${t},v1=${webhookSignature(secret, t, id, Buffer.from(payload))}`,
      },
      payload,
    })
    .then((answer) => answer.statusCode)
}

describe('the master key of a database', () => {
  test('is recorded at the first start, and every process with it starts', async () => {
    const key = newKey()
    const first = await start(key)
    expect(await recorded()).toEqual([hex(first)])
    const again = await start(key)
    expect(again.keys.personalNumbers.equals(first.keys.personalNumbers)).toBe(true)
    expect(await recorded()).toEqual([hex(first)])
  })

  test('is recorded once by processes that start concurrently, and one with another key is refused', async () => {
    const keys = [newKey(), newKey()]
    const started = await Promise.allSettled([0, 1, 0, 1, 0, 1].map((which) => start(keys[which]!)))
    const contexts = started.filter((each) => each.status === 'fulfilled').map((each) => each.value)
    expect(contexts).toHaveLength(3)
    expect(new Set(contexts.map(hex))).toEqual(new Set(await recorded()))
    for (const context of contexts) {
      expect(context.keys.personalNumbers.equals(contexts[0]!.keys.personalNumbers)).toBe(true)
    }
    for (const each of started) {
      if (each.status === 'rejected') expect(String(each.reason)).toContain('holds another master key')
    }
  })

  test.each([
    // In a line of the log, which is all that these two print.
    ['serve', 'out'],
    ['work', 'out'],
    ['migrate', 'err'],
    ['company list', 'err'],
    ['reseal', 'err'],
  ] as const)('is required by "%s", which says what to do and changes nothing', async (words, stream) => {
    const context = await start(newKey())
    await seedCompany(context)
    // As if this version had one more migration than the database: it is not applied either.
    await database.pool.query('delete from migrations where number = (select max(number) from migrations)')
    const before = await everything()
    const other = newKey()
    const ran = await runMain(words.split(' '), {
      ...toEnvironment(other),
      NUMERA_HTTP_PORT: String(await freePort()),
      NUMERA_METRICS_PORT: '0',
    })
    expect(ran).toMatchObject({ code: 1, [stream === 'out' ? 'err' : 'out']: '' })
    const said = ran[stream]
    expect(said).toMatch(
      /NUMERA_MASTER_KEY holds another master key \(fingerprint [\da-f]{16}\) than the one that this database is sealed/,
    )
    expect(said).toContain(hex(context))
    expect(said).toContain('set that one as NUMERA_MASTER_KEY_PREVIOUS. Nothing was changed')
    expect(said).not.toContain(other)
    expect(await everything()).toEqual(before)
  })
})

describe('changing the master key', () => {
  test('webhooks, sign-ins, signatures and evidence work before, during and after it', async () => {
    const [older, newer] = [newKey(), newKey()]
    const before = await start(older)
    const app = await serve(before)
    const seeded = await seedCompany(before)
    const { companyId } = seeded.company
    const first = await seedWebhookSource(before, companyId)
    const rotated = await seedWebhookSource(before, companyId)
    const { signingSecret } = await rotateSigningSecret(before, 'operator', companyId, rotated.sourceId)
    const source = await seedSource(before, companyId)
    const { connection } = await seedConnection(before, { ...seeded, source })
    const member = await signInConsole(app, before, seeded.owner)
    const session = (await member.get('/console/session')).body
    expect(await send(app, first, first.signingSecret, 'before')).toBe(202)

    // During: processes with both keys beside each other, with values under either one.
    const during = await start(newer, older)
    const duringApp = await serve(during)
    expect(await recorded()).toEqual([hex(before), hex(during)])
    const added = await seedWebhookSource(during, companyId)
    const begun = createConsoleClient(duringApp)
    const { body: order } = await begun.post('/console/sign-in')
    await approveDemoOrder(before, order.presentation.open_url, seeded.owner)
    const works = async (where: App, id: string): Promise<void> => {
      for (const [each, secret] of [
        [first, first.signingSecret],
        [rotated, rotated.signingSecret],
        [rotated, signingSecret],
        [added, added.signingSecret],
      ] as const) {
        expect(await send(where, each, secret, `${id}-${secret.slice(-5)}`)).toBe(202)
      }
    }
    await works(duringApp, 'during')

    const { resealed, retired } = await reseal(during)
    expect(resealed).toEqual({
      deployment_keys: 2,
      webhook_secrets: 3,
      signatures: 1,
      demo_identity_orders: 3,
      bankid_orders: 0,
      openid_connect_orders: 0,
      sessions: 1,
    })
    expect(retired).toEqual([hex(before)])
    expect(await recorded()).toEqual([hex(during)])
    await works(duringApp, 'resealed')
    const { body: collected } = await begun.post(`/console/sign-in/${order.order_id}/collect`)
    expect(collected.state).toBe('complete')

    // After: the old key is no longer needed, nor enough.
    const after = await start(newer)
    const afterApp = await serve(after)
    await works(afterApp, 'after')
    expect(await findMember(after, seeded.owner.personalNumber)).toMatchObject({
      memberId: seeded.owner.memberId,
    })
    const again = await signInConsole(afterApp, after, seeded.owner)
    const later = (await again.get('/console/session')).body
    expect(later).toMatchObject({ member_id: session.member_id, companies: session.companies })
    await expect(
      addMember(after, 'operator', companyId, {
        personalNumber: seeded.owner.personalNumber,
        role: 'reader',
      }),
    ).rejects.toMatchObject({ code: 'conflict' })
    // A page that was open all the while still works: its session and its CSRF token are the same.
    const cookie = `numera_session=${member.cookies.get('numera_session')}`
    const same = await afterApp.inject({ url: '/console/session', headers: { cookie } })
    expect(same.json().csrf_token).toBe(session.csrf_token)
    const { rows } = await database.pool.query(
      'select evidence_sealed from signatures where signature_id = $1',
      [connection.signatureId],
    )
    const evidence = unseal(after.keys.master, rows[0].evidence_sealed, `signature:${connection.signatureId}`)
    expect(JSON.parse(evidence.toString()).person.personalNumber).toBe(seeded.owner.personalNumber)

    await expect(start(older)).rejects.toThrow(/\(fingerprint [\da-f]{16}\) that was retired at 20/)
    await expect(start(older, newer)).rejects.toThrow('start with the one that replaced it')
    expect(await recorded()).toEqual([hex(during)])
  })

  test('needs both keys in every process while it is in progress', async () => {
    const [older, newer] = [newKey(), newKey()]
    await start(older)
    // Every process has both before the first one seals under the new one.
    const prepared = await start(older, newer)
    expect(await recorded()).toEqual([hex(prepared)])
    const during = await start(newer, older)
    await start(older, newer)
    const state = await everything()
    for (const key of [older, newer]) await expect(start(key)).rejects.toThrow('is being changed')
    await expect(start(newKey(), newer)).rejects.toThrow('is being changed')
    await expect(start(newKey())).rejects.toThrow('holds another master key')
    expect(await everything()).toEqual(state)
    const listKeys = async () =>
      JSON.parse((await runMain(['keys', 'list', '--json'], toEnvironment(newer, older))).out).keys
    const since = expect.stringMatching(/^20\d\d-/)
    expect(await listKeys()).toEqual([
      { fingerprint: hex(during), use: 'current', since, rows: 0, tables: {} },
      { fingerprint: hex(prepared), use: 'previous', since, rows: 2, tables: { deployment_keys: 2 } },
    ])
    const { out } = await runMain(['reseal', '--json'], toEnvironment(newer, older))
    expect(JSON.parse(out)).toEqual({
      resealed: {
        deployment_keys: 2,
        webhook_secrets: 0,
        signatures: 0,
        demo_identity_orders: 0,
        bankid_orders: 0,
        openid_connect_orders: 0,
        sessions: 0,
      },
      retired_fingerprints: [hex(prepared)],
    })
    expect(await listKeys()).toMatchObject([
      { use: 'current', rows: 2 },
      { fingerprint: hex(prepared), use: 'retired', rows: 0 },
    ])
    const { out: listed } = await runMain(['keys', 'list'], toEnvironment(newer))
    expect(listed).toMatch(new RegExp(`^fingerprint +use +since +rows\n${hex(during)} +current +20\\S+ +2\n`))
    await start(newer)
    expect(await recorded()).toEqual([hex(during)])
    expect((await runMain(['reseal'], toEnvironment(newer))).out).toContain('the only key already')
  })

  test('reseal works in parts, any number concurrently, and an interrupted one is repeated', async () => {
    const [older, newer] = [newKey(), newKey()]
    const before = await start(older)
    const { company } = await seedCompany(before)
    const { sourceId } = await seedSource(before, company.companyId)
    const count = 2 * resealRowsMax + 50
    for (let index = 0; index < count; index++) {
      await database.pool.query(
        `insert into webhook_secrets (company_id, source_id, secret_id, sealed, created_at, ends_at)
         values ($1, $2, $3, $4, now(), now() + '1 day')`,
        [
          company.companyId,
          sourceId,
          uuidv7(Date.now()),
          sealSigningSecret(before.keys.master, `nws_${index}`, sourceId),
        ],
      )
    }
    const during = [await start(newer, older), await start(newer, older)] as const
    // One part alone, as if the command had been killed after it.
    const ended = new Error('killed')
    let parts = 0
    const pool = new Proxy(during[0].pool, {
      get: (target, name) => {
        if (name === 'connect' && parts++ > 1) throw ended
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await expect(reseal({ ...during[0], pool })).rejects.toBe(ended)
    expect(await recorded()).toHaveLength(2)

    const both = await Promise.all(during.map(reseal))
    expect(both.flatMap(({ retired }) => retired)).toEqual([hex(before)])
    expect(await recorded()).toEqual([hex(during[0])])
    const { rows } = await database.pool.query('select sealed from webhook_secrets')
    const opened = rows.map((row) =>
      unseal(during[0].keys.master, row.sealed, `signing-secret:${sourceId}`).toString(),
    )
    expect(opened.toSorted()).toEqual(Array.from({ length: count }, (_, i) => `nws_${i}`).toSorted())
    expect((await reseal(during[0])).retired).toEqual([])
  })

  test('waits for a value that is locked by another transaction', async () => {
    const [older, newer] = [newKey(), newKey()]
    const before = await start(older)
    const { company } = await seedCompany(before)
    const source = await seedWebhookSource(before, company.companyId)
    const during = await start(newer, older)
    const holder = new Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('begin')
    await holder.query('select from shard_1.webhook_secrets where source_id = $1 for update', [
      source.sourceId,
    ])
    const resealing = reseal(during)
    const resealedKeys = () =>
      database.pool.query('select from deployment_keys where sealed_under = $1', [
        during.keys.master.current.fingerprint,
      ])
    await expect.poll(async () => (await resealedKeys()).rowCount).toBe(2)
    expect(await recorded()).toHaveLength(2)
    await holder.query('rollback')
    await holder.end()
    expect((await resealing).retired).toEqual([hex(before)])
    expect(await send(await serve(during), source, source.signingSecret, 'a')).toBe(202)
  })

  test('retires the old key only once nothing is sealed with it', async () => {
    const [older, newer] = [newKey(), newKey()]
    const before = await start(older)
    const { company } = await seedCompany(before)
    const source = await seedWebhookSource(before, company.companyId)
    const during = await start(newer, older)
    expect(await retireMasterKeys(during)).toBeUndefined()
    expect(await recorded()).toHaveLength(2)
    await reseal(during)
    // A process that was forgotten, with the old key alone.
    const state = await everything()
    await expect(seedWebhookSource(before, company.companyId)).rejects.toMatchObject({ code: '23503' })
    await expect(rotateSigningSecret(before, 'operator', company.companyId, source.sourceId)).rejects.toThrow(
      'sealed under another master key',
    )
    expect(await everything()).toEqual(state)
  })

  test('everything that is sealed is resealed', async () => {
    const { rows } = await database.pool.query(
      `select table_name from information_schema.columns
       where table_schema in ('directory', 'access', 'shard_1') and data_type = 'bytea' and column_name = 'sealed_under'`,
    )
    expect(sealedTables.map(({ table }) => table).toSorted()).toEqual(
      rows.map((row) => row.table_name).toSorted(),
    )
    const { rows: sealed } = await database.pool.query(
      `select table_name from information_schema.columns
       where table_schema in ('directory', 'access', 'shard_1') and (column_name = 'sealed' or column_name like '%_sealed')`,
    )
    expect(sealed.map((row) => row.table_name).toSorted()).toEqual(
      rows.map((row) => row.table_name).toSorted(),
    )
  })
})
