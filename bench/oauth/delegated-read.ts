/**
 * GET /v1/samples with an app's token, compared with the same read by a service connection; both name the company and the
 * source. In turns, by 64 clients and by one. Each call of the app is recorded.
 *
 *   node bench/oauth/delegated-read.ts [rounds] [seconds]
 */
import { buildApp } from '../../src/app/app.ts'
import { seedApp, seedAppConnection, seedAppToken, seedMember } from '../../testing/in-process/seed.ts'
import { median, print, printTarget } from '../figures.ts'
import { fillParsed, openShop, startDeployment } from '../samples/deployment.ts'
import { type GetResult, loadReads } from '../samples/get-load.ts'

const [rounds = 7, seconds = 3] = process.argv.slice(2).map(Number)
const windows = { '30 days': 'from=2026-01-01&to=2026-01-31', '731 days': 'from=2025-06-01&to=2027-06-02' }
const daysMax = 731
const clientsMax = 64

await using deployment = await startDeployment()
const { pool, context } = deployment
const shop = await openShop(context, {}, clientsMax)
await fillParsed(pool, shop, 2_000, daysMax)
const { rows } = await pool.query<{ orgnr: string }>('select orgnr from companies where company_id = $1', [
  shop.companyId,
])
const orgnr = rows[0]!.orgnr

// As many app connections as service connections, each of another member for this company.
const tokens: string[] = []
while (tokens.length < clientsMax) {
  const member = await seedMember(context, shop.companyId, { role: 'reader' })
  const connection = await seedAppConnection(context, {
    app: await seedApp(context),
    member,
    companyIds: [shop.companyId],
  })
  tokens.push((await seedAppToken(context, connection)).accessToken)
}
// Other connections of both kinds, so that the tables exceed a page.
const others = 20_000
await pool.query(
  `with others as materialized (
    select gen_random_uuid() as connection_id, gen_random_uuid() as member_id, n from generate_series(1, $1::int) n
  ), connected as (
    insert into connections (company_id, connection_id, source_id, name, kind, credential_kind, permissions, created_at)
    select $2::uuid, connection_id, $3::uuid, 'Other', 'production', 'static', '{metrics.read}', now() from others
  ), opened as (
    insert into credentials (credential_hash, connection_id, kind, created_at)
    select sha256(convert_to('credential ' || n, 'utf8')), connection_id, 'static', now() from others
  ), people as (
    insert into members (member_id, personal_number_mac, created_at)
    select member_id, sha256(convert_to('member ' || n, 'utf8')), now() from others
  ), members as (
    insert into memberships (company_id, member_id, role, added_at)
    select $2::uuid, member_id, 'reader', now() from others
  ), allowed as (
    insert into app_connections (connection_id, client_id, member_id, client_name, redirect_host, permissions,
      every_company, resources, consented_at, expires_at)
    select connection_id, 'app_other', member_id, 'Other', 'app.example.com', '{metrics.read}', false, '{}', now(),
      now() + interval '90 days'
    from others
  ), chosen as (
    insert into app_connection_companies (company_id, connection_id) select $2::uuid, connection_id from others
  )
  insert into app_tokens (token_hash, kind, token_family_id, connection_id, client_id, permissions, resources, issued_at, expires_at)
  select sha256(convert_to('token ' || n, 'utf8')), 'access', connection_id, connection_id, 'app_other',
    '{metrics.read}', '{}', now(), now() + interval '1 hour'
  from others`,
  [others, shop.companyId, shop.sourceId],
)
await pool.query('vacuum analyze')

const app = await buildApp(context)
await app.listen({ port: 0, host: '127.0.0.1' })
const port = (app.server.address() as { port: number }).port

const read = async (query: string, clients: number, credentials: string[]): Promise<GetResult> => {
  const path = `/v1/samples?orgnr=${orgnr}&source_id=${shop.sourceId}&${query}`
  const result = await loadReads({ port, path, clients, seconds, credentials })
  if (result.refused > 0) throw new Error(`${result.refused} reads were refused`)
  return result
}

const describe = (results: GetResult[]): string =>
  `${median(results.map((result) => result.perSecond)).toFixed(0)}/s ` +
  `(p50 ${median(results.map((result) => result.p50Ms)).toFixed(2)} ms, ` +
  `p99 ${median(results.map((result) => result.p99Ms)).toFixed(1)} ms)`

/** @returns the median ratio of an app's time per read to a service connection's */
const measure = async (name: string, query: string, clients: number): Promise<number> => {
  const apps: GetResult[] = []
  const services: GetResult[] = []
  for (let round = 0; round < rounds; round++) {
    // The order alternates, in case the first one affects the second.
    const turns = [
      async () => void apps.push(await read(query, clients, tokens)),
      async () => void services.push(await read(query, clients, shop.credentials)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  const ratios = apps.map((result, round) => services[round]!.perSecond / result.perSecond)
  print(
    `  ${name}, ${clients} clients: app ${describe(apps)}, service connection ${describe(services)}; ` +
      `time ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`,
  )
  return median(ratios)
}

print(`${rounds} rounds of ${seconds} s in turns, medians`)
for (const credentials of [tokens, shop.credentials]) await read(windows['30 days'], clientsMax, credentials)
for (const [name, query] of Object.entries(windows)) {
  for (const clients of [clientsMax, 1]) {
    const ratio = await measure(name, query, clients)
    const who = clients === 1 ? 'one client' : `${clients} clients`
    printTarget(`time of an app's read of ${name} by ${who} : a service connection's`, ratio, {
      atMost: 1.15,
    })
  }
}
await app.close()
const { rows: recorded } = await pool.query<{ calls: string }>('select count(*) as calls from app_calls')
const unrecorded = (await context.telemetry.appCallsUnrecorded.get()).values[0]!.value
print(`  ${recorded[0]!.calls} calls of apps recorded, ${unrecorded} lost`)
