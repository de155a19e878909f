import { quantile, slackMs } from '../deployment/calls.ts'
import { startDatabase } from '../deployment/database.ts'
import { openRates, startProcess } from '../deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../deployment/invariants.ts'
import type { Trial } from '../trial.ts'
import {
  checkMoving,
  moveCompanies,
  moveInvariants,
  movingInvariants,
  openMoving,
  readAsOneShard,
  startClients,
  startCompany,
} from './companies.ts'

const held = 'a company is held for less than 2 s'
const neighbour = 'the p99 of a company that does not move is at most twice that of before'

export const companyOrgnrs = ['559999-0024', '559999-0032', '559999-0040', '559999-0057', '559999-0065']
export const quietOrgnr = '559999-0073'
const holdMsMax = 2_000
const moves = { long: 30, short: 4 }
const quietMs = { long: 60_000, short: 2_000 }
/** What the p99 may grow by in any case, in milliseconds. */
export const p99Free = 20

export const companyMoves: Trial = {
  name: 'moves',
  about:
    'Companies move between two shards while they send; movers are killed with SIGKILL at random moments.',
  minutes: 15,
  invariants: [...movingInvariants, ...moveInvariants, held, ...ledgerInvariants],
  // In tests other programs have the processor most of the time.
  longInvariants: [neighbour],
  run: async (context) => {
    const kind = context.short ? 'short' : 'long'
    const database = context.use(await startDatabase())
    const service = await startProcess(context, { databaseUrl: database.url, environment: openRates })
    const quiet = await openMoving(context, service, quietOrgnr)
    const companies = []
    for (const orgnr of context.short ? companyOrgnrs.slice(0, 2) : companyOrgnrs)
      companies.push(await openMoving(context, service, orgnr))
    await service.command('shards add', { count: '1' })
    const everything = await readAsOneShard(database, [1, 2])
    const load = [
      ...companies.flatMap((company) => startCompany(context, company)),
      ...startClients(context, quiet),
    ]
    await context.sleep(quietMs[kind])
    const before = quantile(quiet.latencies.splice(0), 0.99)

    const holds = await moveCompanies(context, { service, database }, companies, moves[kind])
    const after = quantile(quiet.latencies, 0.99)
    for (const each of load) await each.stop()
    const longest = quantile(
      companies.flatMap(({ latencies }) => latencies),
      1,
    )
    context.measure('holds, ms, median and longest', `${quantile(holds, 0.5)}, ${quantile(holds, 1)}`)
    context.measure('longest delivery of a company that moves, ms', Math.round(longest))
    context.measure(
      'p99 of the other company before and during moves, ms',
      `${Math.round(before)}, ${Math.round(after)}`,
    )
    for (const ms of holds) context.check(held, ms < holdMsMax, `${ms} ms`)
    const isShort = context.short || longest < holdMsMax + slackMs
    context.check(held, isShort, `a delivery took ${longest} ms`)
    if (!context.short)
      context.check(neighbour, after <= 2 * before + p99Free, `${after} ms instead of ${before} ms`)
    const all = [...companies, quiet]
    const ledgers = all.map(({ ledger }) => ledger)
    await checkLedgers(context, ledgers, service, everything)
    await checkMoving(context, service.url, everything, all)
  },
}
