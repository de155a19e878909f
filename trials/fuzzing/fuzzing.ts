import { startDatabase } from '../deployment/database.ts'
import { openRates, startProcess } from '../deployment/deployment.ts'
import { freePort } from '../../testing/process/free-port.ts'
import { createRawClient, type RawAnswer } from './raw-client.ts'
import { createFuzzRequests, type FuzzRequest } from './fuzz-requests.ts'
import { openFuzzScene } from './fuzz-scene.ts'
import {
  checkLedgers,
  ledgerInvariants,
  memoryBounded,
  processLives,
  watchMemory,
} from '../deployment/invariants.ts'
import { createLedger } from '../deployment/ledger.ts'
import { callOnce } from '../deployment/calls.ts'
import type { TrialContext, Trial } from '../trial.ts'

const no5xx = 'no input is answered with a 5xx'
const noHang = 'every input is answered, or its connection is closed, within 20 s'
const shaped = 'every error has the format of its API'
const knownAccepted = 'a valid delivery is accepted, regardless of earlier inputs'
const oneHost = 'a request with two Host headers is answered 400'
const loopFree = 'the event loop is never blocked for more than a second'

const inputs = { short: 4_000, long: 1_000_000 }
const clients = 24
const lagSecondsMax = 1
const sessionEveryMs = 2_000

/** Browsers open these, from an app or the OpenID Connect provider, so errors are pages. */
const pagePaths = /^\/(?:oauth\/authorize|sign-in\/callback)\b/

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** The fault of an error's body, if any. */
const findFormatFault = (request: FuzzRequest, { head, body }: RawAnswer): string | undefined => {
  if (request.method === 'HEAD') return undefined
  if (head.includes('content-type: text/html')) return pagePaths.test(request.path) ? undefined : 'a page'
  let parsed: Record<string, unknown>
  try {
    parsed = JSON.parse(body) as Record<string, unknown>
  } catch {
    return 'not JSON'
  }
  const isOauth = isText(parsed['error']) && isText(parsed['error_description'])
  const isApi = isText(parsed['code']) && isText(parsed['message'])
  // A broken head may address either API.
  if (request.isBroken) return isOauth || isApi ? undefined : 'neither format'
  const wanted = /^\/oauth\/(?:token|revoke|register)\b/.test(request.path) ? isOauth : isApi
  return wanted ? undefined : 'the other API’s format'
}

const checkAnswer = (context: TrialContext, request: FuzzRequest, answer: RawAnswer): void => {
  const describe = (): string =>
    [
      `${request.kind}, ${request.method} ${request.path.slice(0, 80)}:`,
      `${answer.status} ${answer.body.slice(0, 200)}`,
      `of ${JSON.stringify(request.bytes.toString('latin1').slice(0, 600))}`,
    ].join(' ')
  context.check(noHang, !answer.isHung, answer.isHung ? describe() : '')
  context.check(no5xx, answer.status < 500, answer.status >= 500 ? describe() : '')
  if (answer.status >= 400) {
    const fault = findFormatFault(request, answer)
    context.check(shaped, fault === undefined, fault === undefined ? '' : `${fault}: ${describe()}`)
  }
  if (request.hasTwoHosts === true) {
    context.check(oneHost, answer.status === 400, answer.status === 400 ? '' : describe())
  }
  if (request.entry !== undefined) {
    if (answer.status === 202) {
      request.entry.artifacts.push((JSON.parse(answer.body) as { artifact_id: string }).artifact_id)
    }
    context.check(knownAccepted, answer.status === 202, answer.status === 202 ? '' : describe())
  }
}

/** The longest delay of the event loop since the last call, in seconds. */
const readLongestLag = async (metricsUrl: string): Promise<number> => {
  const { text } = await callOnce(metricsUrl)
  return Number(/^numera_nodejs_eventloop_lag_max_seconds ([\d.e+-]+)/m.exec(text)?.[1] ?? Infinity)
}

export const fuzzing: Trial = {
  name: 'fuzzing',
  about:
    'Every endpoint is sent mutated requests: envelopes, documents, webhooks, queries, forms, and broken HTTP.',
  minutes: 30,
  invariants: [
    no5xx,
    noHang,
    shaped,
    knownAccepted,
    oneHost,
    loopFree,
    memoryBounded,
    processLives,
    ...ledgerInvariants,
  ],
  run: async (context) => {
    const database = context.use(await startDatabase())
    const metricsPort = await freePort()
    const service = await startProcess(context, {
      databaseUrl: database.url,
      environment: {
        ...openRates,
        NUMERA_TRUST_PROXY: 'loopback',
        NUMERA_METRICS_PORT: String(metricsPort),
        NUMERA_LOG_LEVEL: 'fatal',
      },
    })
    const scene = await openFuzzScene(service)
    const ledger = createLedger(service.url, { push: scene.known }, context.random('ledger'))
    const next = createFuzzRequests(scene, context.random('requests'))
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
    const checkMemory = await watchMemory(context, service)
    await readLongestLag(metricsUrl)

    const total = context.short ? inputs.short : inputs.long
    let sent = 0
    let renewedMs = 0
    let longestSeconds = 0
    const statuses = new Map<number, number>()
    const client = async (): Promise<void> => {
      using raw = createRawClient(service.url)
      while (sent < total) {
        sent++
        const request = next()
        context.inject(request.kind)
        if (request.entry !== undefined) ledger.entries.push(request.entry)
        const answer = await raw.exchange(request.bytes, {
          isBroken: request.isBroken,
          isHead: request.method === 'HEAD',
        })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        checkAnswer(context, request, answer)
        if (
          answer.status === 401 &&
          request.kind === 'pages' &&
          performance.now() > renewedMs + sessionEveryMs
        ) {
          renewedMs = performance.now()
          await scene.renewSession()
        }
        if (sent % 50_000 === 0) context.log(`${sent} inputs`)
      }
    }
    const startedMs = performance.now()
    const over = new AbortController()
    const watching = (async () => {
      while (!over.signal.aborted) {
        const seconds = await readLongestLag(metricsUrl)
        longestSeconds = Math.max(longestSeconds, seconds)
        context.check(loopFree, seconds <= lagSecondsMax, `it was blocked for ${seconds} s`)
        await context.sleep(1_000)
      }
    })()
    await Promise.all(Array.from({ length: clients }, client))
    over.abort()
    const seconds = (performance.now() - startedMs) / 1_000
    await watching
    context.measure('inputs', sent)
    context.measure('inputs per second', Math.round(sent / seconds))
    context.measure('event loop blocked at most, s', longestSeconds.toFixed(3))
    const byStatus = [...statuses].toSorted(([one], [other]) => one - other)
    context.measure(
      'answers',
      byStatus.map(([status, count]) => `${status || 'closed'}: ${count}`).join(', '),
    )
    await checkMemory()
    await checkLedgers(context, [ledger], service, database)
  },
}
