import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSamples, type Receipt, waitUntilRead, webhookHeaders } from '../numera-api.ts'
import { type Service, startService } from '../service.ts'
import { type Connected, connectSource, makeCompany } from '../setup.ts'
import { seededRandom } from './seeded-random.ts'

export const victims = ['service', 'database', 'both'] as const
export type Victim = (typeof victims)[number]

/** Every third delivery is a webhook. */
const webhookShare = 1 / 3
type Door = 'push' | 'webhook'

interface Delivery {
  door: Door
  key: string
  body: string
  /** In hundredths. */
  amount: bigint
  rows: number
  /** Of every 202 that was seen, in order; all must be the same. */
  artifacts: string[]
}

export interface KillReport {
  rounds: number
  kills: Record<Victim, number>
  deliveries: number
  /** 202s seen before the kill of their round. */
  acceptedUnderLoad: number
  /** Sent without an answer, and again with the same key. */
  unanswered: number
  /** Of those, how many had been stored after all. */
  foundStored: number
}

const clients = 16
const days = ['2026-01-05', '2026-01-06', '2026-02-01']

const declaration = (door: Door) => ({
  name: `Kill test, ${door}`,
  system_kind: 'ledger',
  delivery_way: door,
  delivers: 'events',
  fields: [
    { name: 'at', type: 'timestamp', personal: false },
    { name: 'amount', type: 'number', personal: false },
  ],
  event_time: 'at',
  metrics: [
    { metric: 'revenue', aggregation: 'sum', field: 'amount', filters: [], group_by: [], period: 'month' },
    { metric: 'active_users', aggregation: 'count', filters: [], group_by: [], period: 'month' },
  ],
})

const decimal = (hundredths: bigint): string => {
  const text = String(hundredths).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`
}

const makeDelivery = (random: () => number, number: number): Delivery => {
  // Mostly small, now and then one that takes the way of the large ones.
  const door = random() < webhookShare ? 'webhook' : 'push'
  const rows = random() < 0.02 ? 6_000 : 1 + Math.floor(random() * 5)
  let amount = 0n
  const payload = Array.from({ length: rows }, (_, index) => {
    const hundredths = BigInt(Math.floor(random() * 1_000_000))
    amount += hundredths
    return {
      at: `${days[(number + index) % days.length]}T12:00:00+01:00`,
      amount: decimal(hundredths),
      // Two webhooks with the same bytes would be one.
      ...(door === 'webhook' ? { event: `${number}:${index}` } : {}),
    }
  })
  const key = `kill:${number}`
  return {
    door,
    key,
    body: JSON.stringify(door === 'webhook' ? payload : { idempotency_key: key, shape_version: 1, payload }),
    amount,
    rows,
    artifacts: [],
  }
}

/** One try; true when it was answered with 202. A refusal that must not happen throws. */
const tryOnce = async (
  url: string,
  sources: Record<Door, Connected>,
  delivery: Delivery,
): Promise<'new' | 'replayed' | 'none'> => {
  const { sourceId, credential, signingSecret } = sources[delivery.door]
  const [path, headers] =
    delivery.door === 'push'
      ? ['ingest', { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }]
      : [
          `webhooks/${sourceId}`,
          webhookHeaders(signingSecret!, delivery.key, 'application/json', delivery.body),
        ]
  let answer: Response
  let body: string
  try {
    answer = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers,
      body: delivery.body,
      signal: AbortSignal.timeout(10_000),
    })
    body = await answer.text()
  } catch {
    return 'none'
  }
  if (answer.status >= 500) return 'none'
  if (answer.status !== 202) throw new Error(`${answer.status} ${body}`)
  delivery.artifacts.push((JSON.parse(body) as Receipt).artifact_id)
  return answer.headers.get('idempotent-replayed') === 'true' ? 'replayed' : 'new'
}

const databaseProcess = async (dataFolder: string): Promise<number> =>
  Number((await readFile(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

const kill = async (service: Service, victim: Victim): Promise<void> => {
  if (victim !== 'service') process.kill(await databaseProcess(service.dataFolder), 'SIGKILL')
  if (victim !== 'database') service.process().kill('SIGKILL')
}

const hasEnded = (service: Service): boolean =>
  service.process().exitCode !== null || service.process().signalCode !== null

/** After a kill: the service is up again, by itself where only the database went away, else started anew. */
const bringBack = async (service: Service): Promise<void> => {
  const deadline = Date.now() + 5_000
  while (!hasEnded(service)) {
    const ready = await fetch(`${service.url}/health/ready`, { signal: AbortSignal.timeout(1_000) })
      .then(async (answer) => {
        await answer.arrayBuffer()
        return answer.ok
      })
      .catch(() => false)
    if (ready) return
    if (Date.now() > deadline) {
      service.process().kill('SIGKILL')
    }
    await sleep(50)
  }
  await service.start()
}

/**
 * Kills the service, its database or both with SIGKILL at a random moment under load, `rounds` times, brings them back,
 * sends what was not answered again, and holds what is read against what was sent. Throws at the first thing that is
 * lost, doubled or different.
 */
export const runKillTest = async (options: {
  rounds: number
  seed: number
  say?: (line: string) => void
}): Promise<KillReport> => {
  const say = options.say ?? (() => undefined)
  const random = seededRandom(options.seed)
  const folder = await mkdtemp(join(tmpdir(), 'numera-kill-'))
  const report: KillReport = {
    rounds: options.rounds,
    kills: { service: 0, database: 0, both: 0 },
    deliveries: 0,
    acceptedUnderLoad: 0,
    unanswered: 0,
    foundStored: 0,
  }
  try {
    await using service = await startService({
      words: ['serve'],
      environment: { NUMERA_RATE_PER_MINUTE: '1000000', NUMERA_RATE_BURST: '1000000' },
    })
    const company = await makeCompany(service)
    const connect = async (door: Door): Promise<Connected> => {
      const file = join(folder, `${door}.json`)
      await writeFile(file, JSON.stringify(declaration(door)))
      return connectSource(service, company, file)
    }
    const sources = { push: await connect('push'), webhook: await connect('webhook') }

    // A server that `DATABASE_URL` names is not ours to kill.
    const mortal = service.isDatabaseOwn ? victims : (['service'] as const)
    const all: Delivery[] = []
    for (let round = 0; round < options.rounds; round++) {
      const victim = mortal[round % mortal.length]!
      const killAtMs = Date.now() + 100 + random() * 900
      const killed = new AbortController()
      const unanswered: Delivery[] = []

      const client = async (): Promise<void> => {
        while (!killed.signal.aborted) {
          const delivery = makeDelivery(random, all.length)
          all.push(delivery)
          if ((await tryOnce(service.url, sources, delivery)) === 'none') unanswered.push(delivery)
          else report.acceptedUnderLoad++
        }
      }
      const load = Promise.all(Array.from({ length: clients }, client))
      await sleep(killAtMs - Date.now())
      await kill(service, victim)
      killed.abort()
      report.kills[victim]++
      await load
      await bringBack(service)

      for (const delivery of unanswered) {
        report.unanswered++
        let outcome = await tryOnce(service.url, sources, delivery)
        for (let attempt = 0; outcome === 'none' && attempt < 100; attempt++) {
          await sleep(100)
          outcome = await tryOnce(service.url, sources, delivery)
        }
        if (outcome === 'none') throw new Error(`round ${round}: ${delivery.key} is not taken after the kill`)
        if (outcome === 'replayed') report.foundStored++
      }
      say(`round ${round + 1}: killed ${victim}, ${all.length} deliveries, ${unanswered.length} unanswered`)
    }

    // Every delivery once more: each must answer as a replay with the artifact that its first receipt named.
    for (let from = 0; from < all.length; from += clients) {
      await Promise.all(
        all.slice(from, from + clients).map(async (delivery) => {
          const outcome = await tryOnce(service.url, sources, delivery)
          if (outcome !== 'replayed')
            throw new Error(`${delivery.key} was answered with 202 and is ${outcome}`)
          if (new Set(delivery.artifacts).size !== 1) throw new Error(`${delivery.key} is stored twice`)
        }),
      )
    }
    for (const delivery of all) {
      const { credential } = sources[delivery.door]
      const { state, rows_accepted } = await waitUntilRead(service.url, credential, delivery.artifacts[0]!)
      if (state !== 'parsed' || rows_accepted !== delivery.rows)
        throw new Error(`${delivery.key} reads as ${state}`)
    }
    report.deliveries = all.length

    const window = { from: '2026-01-01', to: '2026-03-01' }
    const read = Object.values(sources).map(({ credential }) => readSamples(service.url, credential, window))
    const samples = (await Promise.all(read)).flatMap((answer) => answer.samples)
    const total = (metric: string): bigint =>
      samples
        .filter((sample) => sample.metric === metric)
        .reduce((sum, sample) => {
          const [whole, fraction = ''] = sample.value.split('.')
          return sum + BigInt(whole! + fraction.padEnd(2, '0'))
        }, 0n)
    const amount = all.reduce((sum, delivery) => sum + delivery.amount, 0n)
    const rows = all.reduce((sum, delivery) => sum + delivery.rows, 0)
    if (total('revenue') !== amount) throw new Error(`revenue is ${total('revenue')}, sent were ${amount}`)
    if (total('active_users') !== 100n * BigInt(rows))
      throw new Error(`rows are ${total('active_users')}, sent were ${rows}`)
    say(`samples equal the independent sum: ${decimal(amount)} in ${rows} rows`)
    return report
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
