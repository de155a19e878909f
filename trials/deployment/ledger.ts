import { webhookHeaders } from '../../testing/process/numera-api.ts'
import { callOnce, type Outcome } from './calls.ts'
import type { Random } from '../random.ts'

export type Channel = 'push' | 'webhook'

/** A generated delivery, its meaning, and its receipts. */
export interface Entry {
  channel: Channel
  key: string
  body: string
  /** In hundredths. */
  amount: bigint
  rows: number
  /** From each 202 that arrived. */
  artifacts: string[]
}

export interface Account {
  sourceId: string
  /** For pushing to the source and reading it. */
  credential: string
  /** For a webhook source. */
  signingSecret?: string
}

/** All deliveries that were sent, with each 202 that arrived. */
export interface Ledger {
  readonly entries: Entry[]
  readonly accounts: Readonly<Partial<Record<Channel, Account>>>
  /** Generates the next delivery, by default mostly with few rows. */
  next(options?: { channel?: Channel; rows?: number }): Entry
  /** Sends it once and records a 202. */
  send(
    entry: Entry,
    options?: { url?: string; msMax?: number; headers?: Record<string, string> },
  ): Promise<Outcome>
  acknowledged(): Entry[]
}

const days = ['2026-01-05', '2026-01-06', '2026-02-01']
/** Some are large enough for the queue of large deliveries. */
const largeShare = 0.02
const largeRows = 6_000

/** Contains all rows. */
export const ledgerWindow = { from: '2026-01-01', to: '2026-03-01' }

/** The declaration of its deliveries. */
export const ledgerSource = (channel: Channel, name = `Ledger, ${channel}`) => ({
  name,
  system_kind: 'ledger',
  channel: channel,
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

export const decimalText = (hundredths: bigint): string => {
  const text = String(hundredths < 0n ? -hundredths : hundredths).padStart(3, '0')
  return `${hundredths < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`
}

/** @param text with at most two decimals */
export const toHundredths = (text: string): bigint => {
  const [whole, fraction = ''] = text.split('.')
  return BigInt(whole! + fraction.padEnd(2, '0'))
}

export const createLedger = (
  url: string,
  accounts: Partial<Record<Channel, Account>>,
  random: Random,
  name = 'trial',
): Ledger => {
  const channels = Object.keys(accounts) as Channel[]
  const entries: Entry[] = []

  const next: Ledger['next'] = (options = {}) => {
    const channel = options.channel ?? random.pick(channels)
    const count = options.rows ?? (random() < largeShare ? largeRows : random.integer(1, 5))
    const number = entries.length
    let amount = 0n
    const payload = Array.from({ length: count }, (_, index) => {
      const hundredths = BigInt(random.integer(-200_000, 1_000_000))
      amount += hundredths
      return {
        at: `${days[(number + index) % days.length]}T12:00:00+01:00`,
        amount: decimalText(hundredths),
        // Webhooks with the same bytes would count as one.
        ...(channel === 'webhook' ? { event: `${name}:${number}:${index}` } : {}),
      }
    })
    const key = `${name}:${number}`
    const body = JSON.stringify(
      channel === 'webhook' ? payload : { idempotency_key: key, shape_version: 1, payload },
    )
    const entry: Entry = { channel, key, body, amount, rows: count, artifacts: [] }
    entries.push(entry)
    return entry
  }

  const send: Ledger['send'] = async (entry, options = {}) => {
    const { sourceId, credential, signingSecret } = accounts[entry.channel]!
    const json = 'application/json'
    const [path, headers] =
      entry.channel === 'push'
        ? ['ingest', { authorization: `Bearer ${credential}`, 'content-type': json }]
        : [`webhooks/${sourceId}`, webhookHeaders(signingSecret!, entry.key, json, entry.body)]
    const outcome = await callOnce(`${options.url ?? url}/v1/${path}`, {
      method: 'POST',
      headers: { ...(headers as Record<string, string>), ...options.headers },
      body: entry.body,
      ...(options.msMax === undefined ? {} : { msMax: options.msMax }),
    })
    if (outcome.status === 202) {
      entry.artifacts.push((JSON.parse(outcome.text) as { artifact_id: string }).artifact_id)
    }
    return outcome
  }
  return {
    entries,
    accounts,
    next,
    send,
    acknowledged: () => entries.filter(({ artifacts }) => artifacts.length > 0),
  }
}
