/** Companies that send while they, or the shards that they are in, move. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { readSamples } from '../../testing/process/numera-api.ts'
import { entry as numera, toEnvironment } from '../../testing/process/run-operator-command.ts'
import type { Service } from '../../testing/process/start-service.ts'
import {
  callOnce,
  callRepeatedly,
  describe,
  isHonest503,
  type Outcome,
  quantile,
} from '../deployment/calls.ts'
import type { TrialDatabase } from '../deployment/database.ts'
import { addAccount, openScene, type Scene } from '../deployment/deployment.ts'
import { checkLedgers, ledgerInvariants } from '../deployment/invariants.ts'
import {
  type Account,
  createLedger,
  decimalText,
  type Ledger,
  ledgerSource,
  ledgerWindow,
  toHundredths,
} from '../deployment/ledger.ts'
import type { TrialContext } from '../trial.ts'

const answered = 'every valid delivery gets 202 in time, also of a company that moves'
const numbersRise =
  'of two deliveries, one sent after the other was answered, it has the greater receive number'
const lastStands = 'a statements source shows what was stated last'
const recovered = 'a move whose mover was killed is finished or undone'
const inItsPlace = 'a company is in the shard that its last move left it in'

const held = 'a company that moves is held for less than 2 s'

/** Checked by what is here. */
export const companyInvariants = [
  answered,
  numbersRise,
  lastStands,
  recovered,
  inItsPlace,
  held,
  ...ledgerInvariants,
] as const

/** In long trials: in tests other programs have the processor most of the time. */
export const neighbour = 'the p99 of a company that does not move is at most twice that of before'
/** What the p99 may grow by in any case, in milliseconds. */
const p99Free = 20

export const holdMsMax = 2_000
const companyOrgnrs = ['559999-0024', '559999-0032', '559999-0040', '559999-0057', '559999-0065']
const quietOrgnr = '559999-0073'

/** A mover that died is given up after 15 s, and what it copied is deleted then. */
const recoveredMsMax = 60_000
const clientsOfCompany = 3
const pauseMs = 25

/** A source that states one month’s revenue again and again. */
interface Stated {
  account: Account
  /** What was sent last, in hundredths. */
  sent: bigint
  /** What was sent last of all that was answered. */
  answered: bigint
}

export interface Moving {
  scene: Scene
  ledger: Ledger
  stated: Stated
  /** The artifacts of each client, in the order in which they were answered. */
  sequences: string[][]
  /** Of its deliveries, in milliseconds. */
  latencies: number[]
  /** When a delivery was last accepted, as `performance.now()`. */
  acceptedMs: number
  shard: number
}

const openMoving = async (context: TrialContext, service: Service, orgnr: string): Promise<Moving> => {
  const scene = await openScene(service, orgnr)
  const source = { ...ledgerSource('push', 'Stated'), delivers: 'statements' }
  return {
    scene,
    ledger: createLedger(service.url, scene.accounts, context.random(orgnr), orgnr),
    stated: { account: await addAccount(scene.shop, source), sent: 0n, answered: 0n },
    sequences: [],
    latencies: [],
    acceptedMs: 0,
    shard: 1,
  }
}

export interface Companies {
  moving: Moving[]
  /** One that does not move. */
  quiet: Moving
}

export const openCompanies = async (context: TrialContext, service: Service): Promise<Companies> => {
  const moving: Moving[] = []
  for (const orgnr of context.short ? companyOrgnrs.slice(0, 2) : companyOrgnrs)
    moving.push(await openMoving(context, service, orgnr))
  return { moving, quiet: await openMoving(context, service, quietOrgnr) }
}

/** Makes the rows of each company in its shard readable as if there were one. */
const readAsOneShard = async (
  database: TrialDatabase,
  shards: readonly number[],
): Promise<Pick<TrialDatabase, 'query'>> => {
  await database.query('create schema everything')
  for (const table of ['deliveries', 'backlog', 'projections']) {
    const ofShards = shards.map(
      (shard) => `select ${table}.* from shard_${shard}.${table}
        join directory.companies using (company_id) where companies.shard = ${shard}`,
    )
    await database.query(`create view everything.${table} as ${ofShards.join(' union all ')}`)
  }
  return {
    query: (statement, params) =>
      database.query(
        statement.replaceAll(/\b(from|join) (deliveries|backlog|projections)\b/g, '$1 everything.$2'),
        params,
      ),
  }
}

interface Clients {
  stop(): Promise<void>
}

/** @param isExpected which answers but 202 are right */
const startClient = (
  context: TrialContext,
  moving: Moving,
  send: () => Promise<Outcome>,
  isExpected: (outcome: Outcome) => boolean,
): Clients => {
  const sequence: string[] = []
  moving.sequences.push(sequence)
  return context.use(
    callRepeatedly(1, pauseMs, async () => {
      const outcome = await send()
      moving.latencies.push(outcome.ms)
      const isStored = outcome.status === 202
      context.check(answered, isStored || isExpected(outcome), describe(outcome))
      if (!isStored) return
      sequence.push(JSON.parse(outcome.text).artifact_id)
      moving.acceptedMs = performance.now()
    }),
  )
}

const sendStatement = async (url: string, stated: Stated): Promise<Outcome> => {
  const amount = ++stated.sent
  const outcome = await callOnce(`${url}/v1/ingest`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stated.account.credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      idempotency_key: String(amount),
      shape_version: 1,
      payload: [{ at: '2026-01-05T12:00:00+01:00', amount: decimalText(amount) }],
    }),
    msMax: 10_000,
  })
  if (outcome.status === 202) stated.answered = amount
  return outcome
}

/** What members do meanwhile: new secrets, rebuilds, reads. They may have to try again. */
const startMembers = (context: TrialContext, { scene, ledger }: Moving): Clients => {
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
        const headers = { authorization: `Bearer ${accounts.push.credential}` }
        const outcome = await callOnce(`${shop.url}/v1/samples?${new URLSearchParams(ledgerWindow)}`, {
          headers,
        })
        const isRight = outcome.status === 200 || isHonest503(outcome)
        context.check(answered, isRight, `a read: ${describe(outcome)}`)
      }
    }),
  )
}

/** Pushes, webhooks and statements of a company, until stopped. */
const startClients = (
  context: TrialContext,
  moving: Moving,
  isExpected: (outcome: Outcome) => boolean,
): Clients[] => {
  const { ledger, scene, stated } = moving
  const sendEntry = (): Promise<Outcome> => ledger.send(ledger.next(), { msMax: 10_000 })
  const states = (): Promise<Outcome> => sendStatement(scene.shop.url, stated)
  const sends = [...Array.from({ length: clientsOfCompany }, () => sendEntry), states]
  return sends.map((send) => startClient(context, moving, send, isExpected))
}

/** Starts what all companies send, and what members of those that move do. @param isExpected which answers but 202 are right */
export const startLoad = (
  context: TrialContext,
  { moving, quiet }: Companies,
  isExpected: (company: Moving, outcome: Outcome) => boolean = () => false,
): Clients[] => [
  ...[...moving, quiet].flatMap((company) =>
    startClients(context, company, (outcome) => isExpected(company, outcome)),
  ),
  ...moving.map((company) => startMembers(context, company)),
]

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

/** Moves companies to and fro between two shards, one after the other; every other mover is killed at a random moment. */
export const moveCompanies = async (
  context: TrialContext,
  { service, database }: { service: Service; database: TrialDatabase },
  companies: readonly Moving[],
  moves: number,
): Promise<void> => {
  const random = context.random('moves')
  const holds: number[] = []
  for (let move = 0; move < moves; move++) {
    const company = companies[move % companies.length]!
    const { companyId, orgnr } = company.scene.shop.company
    const to = company.shard === 1 ? 2 : 1
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
    context.check(inItsPlace, heldMs === undefined || row!.shard === to, `in ${row!.shard} instead of ${to}`)
    company.shard = row!.shard
    context.log(`move ${move + 1}: ${heldMs ?? 'not finished'}, in shard ${row!.shard}`)
  }
  context.measure('holds, ms, median and longest', `${quantile(holds, 0.5)}, ${quantile(holds, 1)}`)
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

/** A statement without an answer may have been stored too. */
const checkStated = async (context: TrialContext, url: string, { stated }: Moving): Promise<void> => {
  const { account, sent, answered: last } = stated
  const { samples } = await readSamples(url, account.credential, ledgerWindow)
  const revenue = toHundredths(samples.find(({ metric }) => metric === 'revenue')?.value ?? '0')
  const isRight = revenue === last || (last < sent && revenue > last && revenue <= sent)
  context.check(lastStands, isRight, `${revenue} instead of ${last}, of ${sent}`)
}

/** Compares the p99 of the company that does not move, in milliseconds. */
export const compareNeighbour = (context: TrialContext, before: number, during: number): void => {
  const measured = `${Math.round(before)}, ${Math.round(during)}`
  context.measure('p99 of the other company before and during moves, ms', measured)
  if (!context.short) context.check(neighbour, during <= 2 * before + p99Free, measured)
}

/** Checks everything once the load has stopped. */
export const checkCompanies = async (
  context: TrialContext,
  { service, database }: { service: Service; database: TrialDatabase },
  shards: readonly number[],
  { moving, quiet }: Companies,
): Promise<void> => {
  const all = [...moving, quiet]
  const everything = await readAsOneShard(database, shards)
  await checkLedgers(
    context,
    all.map(({ ledger }) => ledger),
    service,
    everything,
  )
  for (const company of all) {
    await checkNumbers(context, everything, company)
    await checkStated(context, service.url, company)
  }
}
