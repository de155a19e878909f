import { quantile, slackMs } from '../deployment/calls.ts'
import { startDatabase } from '../deployment/database.ts'
import { openRates, startProcess } from '../deployment/deployment.ts'
import type { Trial } from '../trial.ts'
import {
  checkCompanies,
  companyInvariants,
  compareNeighbour,
  holdMsMax,
  moveCompanies,
  neighbour,
  openCompanies,
  startLoad,
} from './companies.ts'

const soon = 'no delivery of a company that moves takes longer than a hold'

const moves = { long: 30, short: 4 }
const quietMs = { long: 60_000, short: 2_000 }

export const companyMoves: Trial = {
  name: 'moves',
  about:
    'Companies move between two shards while they send; movers are killed with SIGKILL at random moments.',
  minutes: 15,
  invariants: companyInvariants,
  // In tests other programs have the processor most of the time.
  longInvariants: [neighbour, soon],
  run: async (context) => {
    const kind = context.short ? 'short' : 'long'
    const database = context.use(await startDatabase())
    const service = await startProcess(context, { databaseUrl: database.url, environment: openRates })
    const companies = await openCompanies(context, service)
    const { moving, quiet } = companies
    await service.command('shards add', { count: '1' })
    const load = startLoad(context, companies)
    await context.sleep(quietMs[kind])
    const before = quantile(quiet.latencies.splice(0), 0.99)

    await moveCompanies(context, { service, database }, moving, moves[kind])
    const after = quantile(quiet.latencies, 0.99)
    for (const each of load) await each.stop()
    const longest = quantile(
      moving.flatMap(({ latencies }) => latencies),
      1,
    )
    context.measure('longest delivery of a company that moves, ms', Math.round(longest))
    compareNeighbour(context, before, after)
    if (!context.short) context.check(soon, longest < holdMsMax + slackMs, `${longest} ms`)
    await checkCompanies(context, { service, database }, [1, 2], companies)
  },
}
