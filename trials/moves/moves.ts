import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { entry as numera, toEnvironment } from '../../testing/process/run-operator-command.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { callRepeatedly, describe, isHonest503, quantile, slackMs } from '../deployment/calls.ts'
import { startDatabase, type TrialDatabase } from '../deployment/database.ts'
import { openRates, openScene, startProcess, type Scene } from '../deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../deployment/invariants.ts'
import { createLedger, ledgerWindow, type Ledger } from '../deployment/ledger.ts'
import type { TrialContext, Trial } from '../trial.ts'

const answered = 'every valid delivery gets 202 in time, also of a company that moves'
const numbersRise =
  'of two deliveries, one sent after the other was answered, it has the greater receive number'
const held = 'a company is held for less than 2 s'
const recovered = 'a move whose mover was killed is finished or undone'
const onePlace =
  'a company is in the shard that its last move left it in, and no other has rows of it after a day'
const neighbour = 'the p99 of a company that does not move is at most twice that of before'

const companyOrgnrs = ['559999-0024', '559999-0032', '559999-0040', '559999-0057', '559999-0065']
const quietOrgnr = '559999-0073'
const holdMsMax = 2_000
const moves = { long: 30, short: 4 }
/** A mover that died is given up after 15 s, and what it copied is deleted then. */
const recoveredMsMax = 60_000
const clientsOfCompany = 3
const pauseMs = 25
const quietMs = { long: 60_000, short: 2_000 }
/** What the p99 may grow by in any case, in milliseconds. */
const p99Free = 20

interface Moving {
  scene: Scene
  ledger: Ledger
  /** The entries of each client, in the order in which they were answered. */
  sequences: string[][]
}

/** The rows of each company in its shard, as if there were one. */
const oneShard = async (database: TrialDatabase): Promise<void> => {
  await database.query('create schema everything')
  for (const table of ['deliveries', 'backlog', 'projections']) {
    const ofShard = [1, 2].map(
      (shard) => `select ${table}.* from shard_${shard}.${table}
        join directory.companies using (company_id) where companies.shard = ${shard}`,
    )
    await database.query(`create view everything.${table} as ${ofShard.join(' union all ')}`)
  }
}

const inEverything = (database: TrialDatabase): Pick<TrialDatabase, 'query'> => ({
  query: (statement, params) =>
    database.query(
      statement.replaceAll(/\b(from|join) (deliveries|backlog|projections)\b/g, '$1 everything.$2'),
      params,
    ),
})

const startClients = (context: TrialContext, { ledger, sequences }: Moving, latencies: number[]) =>
  Array.from({ length: clientsOfCompany }, () => {
    const sequence: string[] = []
    sequences.push(sequence)
    return context.use(
      callRepeatedly(1, pauseMs, async () => {
        const outcome = await ledger.send(ledger.next(), { msMax: 10_000 })
        latencies.push(outcome.ms)
        context.check(answered, outcome.status === 202, describe(outcome))
        if (outcome.status === 202) sequence.push(JSON.parse(outcome.text).artifact_id)
      }),
    )
  })

/** What members do meanwhile: new secrets, rebuilds, reads. They may have to try again. */
const startMembers = (context: TrialContext, { scene, ledger }: Moving) => {
  const { shop, accounts } = scene
  let turn = 0
  return context.use(
    callRepeatedly(1, 400, async () => {
      const push = `${shop.pages}/sources/${accounts.push.sourceId}`
      const hook = `${shop.pages}/sources/${accounts.webhook.sourceId}`
      const kind = turn++ % 3
      if (kind === 0) await shop.browser.post(`${push}/rebuilds`)
      if (kind === 1) {
        const { body } = await shop.browser.post(`${hook}/rotate-signing-secret`)
        if (body?.signing_secret !== undefined) ledger.accounts.webhook!.signingSecret = body.signing_secret
      }
      if (kind === 2) {
        const query = new URLSearchParams(ledgerWindow)
        const answer = await fetch(`${shop.url}/v1/samples?${query}`, {
          headers: { authorization: `Bearer ${accounts.push.credential}` },
        })
        const outcome = { status: answer.status, headers: {}, text: await answer.text(), ms: 0 }
        context.check(answered, answer.status === 200 || isHonest503(outcome), `a read: ${describe(outcome)}`)
      }
    }),
  )
}

/** Moves a company by a command, which is killed after `killAfterMs`. @returns how long the company was held */
const moveOnce = async (
  context: TrialContext,
  service: Service,
  words: string[],
  killAfterMs: number | undefined,
): Promise<number | undefined> => {
  const mover = spawn(process.execPath, [numera, 'shards', 'move-company', ...words, '--json'], {
    env: toEnvironment(service.environment),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = text(mover.stdout)
  const errors = text(mover.stderr)
  const ended = once(mover, 'exit')
  if (killAfterMs !== undefined) {
    await Promise.race([ended, context.sleep(killAfterMs)])
    if (mover.exitCode === null) {
      mover.kill('SIGKILL')
      context.inject('SIGKILL: mover')
    }
  }
  await ended
  if (mover.exitCode === 0) return (JSON.parse(await output) as { held_ms: number }).held_ms
  if (mover.exitCode !== null) context.log(`a move failed: ${(await errors).trim()}`)
  return undefined
}

const waitUntilRecovered = async (
  context: TrialContext,
  database: TrialDatabase,
  companyId: string,
): Promise<void> => {
  for (const untilMs = performance.now() + recoveredMsMax; ;) {
    const [move] = await database.query<{ phase: string }>(
      'select phase from directory.company_moves where company_id = $1',
      [companyId],
    )
    const isOver = move === undefined || move.phase === 'moved'
    if (isOver || performance.now() > untilMs) {
      context.check(recovered, isOver, `${move?.phase} after ${recoveredMsMax} ms`)
      return
    }
    await context.sleep(50)
  }
}

const checkNumbers = async (
  context: TrialContext,
  database: Pick<TrialDatabase, 'query'>,
  { sequences }: Moving,
): Promise<void> => {
  for (const sequence of sequences) {
    const rows = await database.query<{ artifact_id: string; receive_number: string }>(
      'select artifact_id, receive_number from deliveries where artifact_id = any ($1::uuid[])',
      [sequence],
    )
    const numbers = new Map(rows.map((row) => [row.artifact_id, BigInt(row.receive_number)]))
    for (const [index, artifact] of sequence.entries()) {
      const before = index === 0 ? -1n : (numbers.get(sequence[index - 1]!) ?? -1n)
      const number = numbers.get(artifact)
      context.check(numbersRise, number !== undefined && number > before, `${number} after ${before}`)
    }
  }
}

export const companyMoves: Trial = {
  name: 'moves',
  about:
    'Companies move between two shards while they send; movers are killed with SIGKILL at random moments.',
  minutes: 15,
  invariants: [answered, numbersRise, held, recovered, onePlace, ...ledgerInvariants],
  // In tests other programs have the processor most of the time.
  longInvariants: [neighbour],
  run: async (context) => {
    const kind = context.short ? 'short' : 'long'
    const database = context.use(await startDatabase())
    const service = await startProcess(context, { databaseUrl: database.url, environment: openRates })
    const quiet = await openScene(service, quietOrgnr)
    const companies: Moving[] = []
    for (const orgnr of context.short ? companyOrgnrs.slice(0, 2) : companyOrgnrs) {
      const scene = await openScene(service, orgnr)
      const ledger = createLedger(service.url, scene.accounts, context.random(orgnr), orgnr)
      companies.push({ scene, ledger, sequences: [] })
    }
    await service.command('shards add', { count: '1' })
    await oneShard(database)
    const quietLedger = createLedger(service.url, quiet.accounts, context.random('quiet'), 'quiet')
    const quietCompany: Moving = { scene: quiet, ledger: quietLedger, sequences: [] }
    const latencies: number[] = []
    const ofQuiet: number[] = []
    const load = [
      ...companies.flatMap((company) => startClients(context, company, latencies)),
      ...companies.map((company) => startMembers(context, company)),
      ...startClients(context, quietCompany, ofQuiet),
    ]
    await context.sleep(quietMs[kind])
    const before = quantile(ofQuiet.splice(0), 0.99)

    const random = context.random('moves')
    const places = new Map<Moving, number>()
    const holds: number[] = []
    for (let move = 0; move < moves[kind]; move++) {
      const company = companies[move % companies.length]!
      const { companyId, orgnr } = company.scene.shop.company
      const to = (places.get(company) ?? 1) === 1 ? 2 : 1
      // The process takes a second to start, and a move one or two.
      const killAfterMs = move % 2 === 1 ? 500 + random() * 2_500 : undefined
      const heldMs = await moveOnce(context, service, ['--company', orgnr, '--to', String(to)], killAfterMs)
      if (heldMs !== undefined) {
        holds.push(heldMs)
        context.check(held, heldMs < holdMsMax, `${heldMs} ms`)
      }
      await waitUntilRecovered(context, database, companyId)
      const [row] = await database.query<{ shard: number }>(
        'select shard from directory.companies where company_id = $1',
        [companyId],
      )
      context.check(onePlace, heldMs === undefined || row!.shard === to, `in ${row!.shard} instead of ${to}`)
      places.set(company, row!.shard)
      context.log(`move ${move + 1}: ${heldMs ?? 'not finished'}, in shard ${row!.shard}`)
    }
    const after = quantile(ofQuiet, 0.99)
    for (const each of load) await each.stop()
    context.measure('holds, ms, median and longest', `${quantile(holds, 0.5)}, ${quantile(holds, 1)}`)
    context.measure('longest delivery of a company that moves, ms', Math.round(quantile(latencies, 1)))
    context.measure(
      'p99 of the other company before and during moves, ms',
      `${Math.round(before)}, ${Math.round(after)}`,
    )
    context.check(
      held,
      context.short || quantile(latencies, 1) < holdMsMax + slackMs,
      `a delivery took ${quantile(latencies, 1)} ms`,
    )
    if (!context.short)
      context.check(neighbour, after <= 2 * before + p99Free, `${after} ms instead of ${before} ms`)
    const all = [...companies, quietCompany]
    for (const company of all) await checkNumbers(context, inEverything(database), company)
    await checkLedgers(
      context,
      all.map(({ ledger }) => ledger),
      service,
      inEverything(database),
    )
  },
}
