/**
 * GET /v1/samples with the token of an app, which names the company with `orgnr`, beside the same read with a service
 * connection: in turns, by 64 clients at once and by one alone. Every call of the app is recorded while it runs.
 *
 *   node bench/oauth/delegated-read.ts [rounds] [seconds]
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildApp } from '../../src/http/app.ts'
import { seedApp, seedAppConnection, seedAppToken, seedMember } from '../../src/testing/seed.ts'
import { sayInShort } from '../in-short.ts'
import { fillRead, openShop, startDeployment } from '../samples/deployment.ts'
import type { GetJob, GetResult } from '../samples/get-load.ts'

const [rounds = 7, seconds = 3] = process.argv.slice(2).map(Number)
const windows = { '30 days': 'from=2026-01-01&to=2026-01-31', '731 days': 'from=2025-06-01&to=2027-06-02' }
const daysMax = 731
const clientsMax = 64

const execute = promisify(execFile)
const load = async (job: GetJob): Promise<GetResult> => {
  const { stdout } = await execute(process.execPath, [
    join(import.meta.dirname, '../samples/get-load.ts'),
    JSON.stringify(job),
  ])
  const result = JSON.parse(stdout) as GetResult
  if (result.refused > 0) throw new Error(`${result.refused} reads were refused`)
  return result
}
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!
const print = (line: string): unknown => process.stdout.write(`${line}\n`)

await using deployment = await startDeployment()
const { pool, context } = deployment
const shop = await openShop(context, {}, clientsMax)
await fillRead(pool, shop, 2_000, daysMax)
const { rows } = await pool.query<{ orgnr: string }>('select orgnr from companies where company_id = $1', [
  shop.companyId,
])
const orgnr = rows[0]!.orgnr

// As many apps as service connections, each let in by its member for one company of theirs.
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
await pool.query('analyze')

const app = await buildApp(context)
await app.listen({ port: 0, host: '127.0.0.1' })
const port = (app.server.address() as { port: number }).port

const service = (query: string, clients: number): Promise<GetResult> =>
  load({ port, path: `/v1/samples?${query}`, clients, seconds, credentials: shop.credentials })
const delegated = (query: string, clients: number): Promise<GetResult> =>
  load({ port, path: `/v1/samples?orgnr=${orgnr}&${query}`, clients, seconds, credentials: tokens })

/** The time that a read takes, of the app's against the service connection's, round by round. */
const measure = async (name: string, query: string, clients: number): Promise<number> => {
  const apps: GetResult[] = []
  const services: GetResult[] = []
  for (let round = 0; round < rounds; round++) {
    // Who comes second finds the machine as the first one left it.
    const turns = [
      async () => void apps.push(await delegated(query, clients)),
      async () => void services.push(await service(query, clients)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn()
  }
  const ratios = apps.map((result, round) => services[round]!.perSecond / result.perSecond)
  const told = (results: GetResult[]): string =>
    `${median(results.map((result) => result.perSecond)).toFixed(0)}/s ` +
    `(p50 ${median(results.map((result) => result.p50Ms)).toFixed(2)} ms, ` +
    `p99 ${median(results.map((result) => result.p99Ms)).toFixed(1)} ms)`
  print(
    `  ${name}, ${clients} clients: app ${told(apps)}, service connection ${told(services)}; ` +
      `time ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')})`,
  )
  return median(ratios)
}

print(`${rounds} rounds of ${seconds} s in turns, medians`)
await service(windows['30 days'], clientsMax)
await delegated(windows['30 days'], clientsMax)
for (const [name, query] of Object.entries(windows)) {
  for (const clients of [clientsMax, 1]) {
    const ratio = await measure(name, query, clients)
    const who = clients === 1 ? 'one client' : `${clients} clients`
    sayInShort(`time of an app's read of ${name} by ${who} : a service connection's`, ratio, { atMost: 1.15 })
  }
}
await app.close()
const { rows: recorded } = await pool.query<{ calls: string }>('select count(*) as calls from app_calls')
const unrecorded = (await context.figures.appCallsUnrecorded.get()).values[0]!.value
print(`  ${recorded[0]!.calls} calls of apps on record, ${unrecorded} lost`)
