import { type IncomingMessage, request } from 'node:http'
import { authorization, exchange, registerApp } from '../../testing/process/oauth-app.ts'
import { allowApp } from '../../testing/process/consent.ts'
import { owner } from '../../testing/process/shop.ts'
import { callOnce, callRepeatedly, describe, isHonest503, type Outcome } from '../deployment/calls.ts'
import type { Scene } from '../deployment/deployment.ts'
import { type Ledger, ledgerWindow } from '../deployment/ledger.ts'
import type { TrialContext } from '../trial.ts'

export const noFailure = 'no call fails but with 503 and Retry-After'

const senders = 4
const readers = 2
const members = 2
const pauseMs = 50
/** One delivery in so many is large enough for the queue of large ones. */
const largeEvery = 100
const largeRows = 6_000
/** Below the 60 a minute of a client, so that its bucket refuses none. */
const refreshEveryMs = 1_500
const sendAttemptsMax = 30

export interface Load {
  /** Calls by what they were and how they ended, for the report. */
  measure(): void
  stop(): Promise<void>
}

/** A page's stream of events. */
export interface Stream extends Disposable {
  /** Everything received. */
  text(): string
  /** Settles when the stream has ended, for any reason. */
  readonly ended: Promise<void>
}

/** Opens the stream of a company's deliveries as the owner's page does, or gives the answer that refused it. */
export const openStream = (url: string, { shop }: Scene): Promise<Stream | Outcome> => {
  const startedMs = performance.now()
  const { promise, resolve } = Promise.withResolvers<Stream | Outcome>()
  const cookie = [...shop.browser.cookies].map((pair) => pair.join('=')).join('; ')
  const refuse = (status: number, headers: Outcome['headers'], text: string, fault?: string): void =>
    resolve({ status, headers, text, ms: performance.now() - startedMs, ...(fault ? { fault } : {}) })
  const sent = request(`${url}${shop.pages}/deliveries/events`, {
    agent: false,
    headers: { accept: 'text/event-stream', cookie },
  })
  sent.once('response', (answer: IncomingMessage) => {
    let text = ''
    const ended = Promise.withResolvers<void>()
    answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    answer.on('error', () => {})
    answer.once('close', () => {
      ended.resolve()
      refuse(answer.statusCode!, answer.headers, text)
    })
    if (answer.statusCode !== 200) return
    resolve({ text: () => text, ended: ended.promise, [Symbol.dispose]: () => void sent.destroy() })
  })
  sent.on('error', (error) => refuse(0, {}, '', error.message))
  sent.end()
  return promise
}

export const isStream = (opened: Stream | Outcome): opened is Stream => 'ended' in opened

/** An app with tokens of its own, which it renews by their refresh token. */
const createRefresher = async (url: string): Promise<() => Promise<Outcome>> => {
  const app = await registerApp(url, 'http://localhost:9/callback')
  const asked = authorization(url, app)
  const code = (await allowApp(url, asked.url, owner)).searchParams.get('code')!
  let { refresh_token: token } = (await exchange(url, app, code, asked.codeVerifier)).body
  return async () => {
    const form = { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: token }
    const outcome = await callOnce(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    })
    if (outcome.status === 200) token = JSON.parse(outcome.text).refresh_token
    return outcome
  }
}

/** Everything that a deployment does all day, through its balancer, until stopped. */
export const startLoad = async (
  context: TrialContext,
  url: string,
  scene: Scene,
  ledger: Ledger,
): Promise<Load> => {
  const { shop, accounts } = scene
  const counts = new Map<string, number>()
  let longestMs = 0
  const judge = (what: string, outcome: Outcome, expected: number): boolean => {
    const key = `${what}: ${outcome.fault ?? outcome.status}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
    longestMs = Math.max(longestMs, outcome.ms)
    const isDone = outcome.status === expected
    context.check(noFailure, isDone || isHonest503(outcome), `${what}: ${describe(outcome)}`)
    return isDone
  }
  const cookie = [...shop.browser.cookies].map((pair) => pair.join('=')).join('; ')
  const samples = `${url}/v1/samples?${new URLSearchParams(ledgerWindow)}`
  const refresh = await createRefresher(url)
  let stream: Stream | undefined
  let isStopping = false
  const loads = [
    callRepeatedly(senders, pauseMs, async () => {
      const isLarge = ledger.entries.length % largeEvery === 0
      const entry = ledger.next({ rows: isLarge ? largeRows : 3 })
      for (let attempt = 0; attempt < sendAttemptsMax; attempt++) {
        if (judge(entry.channel, await ledger.send(entry), 202)) return
        await context.sleep(500)
      }
    }),
    callRepeatedly(readers, pauseMs, async () => {
      const headers = { authorization: `Bearer ${accounts.push.credential}` }
      judge('read', await callOnce(samples, { headers }), 200)
    }),
    callRepeatedly(members, pauseMs, async () => {
      const page = await callOnce(`${url}${shop.pages}/deliveries?limit=20`, { headers: { cookie } })
      judge('page call', page, 200)
    }),
    callRepeatedly(1, refreshEveryMs, async () => void judge('refresh', await refresh(), 200)),
    callRepeatedly(1, 100, async () => {
      const opened = await openStream(url, scene)
      if (!isStream(opened)) return void judge('stream', opened, 200)
      stream = opened
      if (isStopping) opened[Symbol.dispose]()
      judge('stream', { status: 200, headers: {}, text: '', ms: 0 }, 200)
      await opened.ended
    }),
  ]
  for (const load of loads) context.use(load)
  return {
    measure: () => {
      for (const [key, count] of [...counts].toSorted()) context.measure(key, count)
      context.measure('longest call, s', (longestMs / 1_000).toFixed(1))
    },
    stop: async () => {
      isStopping = true
      const stopped = Promise.all(loads.map((load) => load.stop()))
      stream?.[Symbol.dispose]()
      await stopped
    },
  }
}
