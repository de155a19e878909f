import { startDatabase } from './database.ts'
import { openRates, startProcess } from './deployment.ts'
import { freePort } from '../acceptance/free-port.ts'
import { createRawClient, type RawAnswer } from './fuzz-client.ts'
import { createFuzzRequests, type FuzzRequest } from './fuzz-requests.ts'
import { openFuzzScene } from './fuzz-scene.ts'
import { checkLedgers, ledgerInvariants, memoryBounded, processLives, watchMemory } from './invariants.ts'
import { createLedger } from './ledger.ts'
import { callOnce } from './calls.ts'
import type { Course, Trial } from './trial.ts'

const no5xx = 'no input is answered with a 5xx'
const noHang = 'every input is answered, or its connection closed, within 20 s'
const shaped = 'every error has the body of its kind'
const knownTaken = 'a delivery in good form is taken, whatever came before it'
const oneHost = 'a request with two Host lines is 400'
const loopFree = 'the event loop is never held for more than a second'

const inputs = { short: 4_000, long: 1_000_000 }
const clients = 24
const lagSecondsMax = 1
const sessionEveryMs = 2_000

/** People come to these, from an app or from the OpenID Connect provider: errors are told on the service's own page. */
const peoplesPaths = /^\/(?:oauth\/authorize|sign-in\/callback)\b/

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

/** What is wrong with the body of an error; undefined where nothing is. */
const shapeFault = (request: FuzzRequest, { head, body }: RawAnswer): string | undefined => {
  if (request.method === 'HEAD') return undefined
  if (head.includes('content-type: text/html')) return peoplesPaths.test(request.path) ? undefined : 'a page'
  let parsed: Record<string, unknown>
  try {
    parsed = JSON.parse(body) as Record<string, unknown>
  } catch {
    return 'no JSON'
  }
  const isOauth = isText(parsed['error']) && isText(parsed['error_description'])
  const isApi = isText(parsed['code']) && isText(parsed['message'])
  // Where the head was broken, nobody can say what it was meant for.
  if (request.isBroken) return isOauth || isApi ? undefined : 'neither shape'
  const wanted = /^\/oauth\/(?:token|revoke|register)\b/.test(request.path) ? isOauth : isApi
  return wanted ? undefined : 'another shape'
}

const checkAnswer = (course: Course, request: FuzzRequest, answer: RawAnswer): void => {
  const told = (): string =>
    [
      `${request.kind}, ${request.method} ${request.path.slice(0, 80)}:`,
      `${answer.status} ${answer.body.slice(0, 200)}`,
      `of ${JSON.stringify(request.bytes.toString('latin1').slice(0, 600))}`,
    ].join(' ')
  course.check(noHang, !answer.isHung, answer.isHung ? told() : '')
  course.check(no5xx, answer.status < 500, answer.status >= 500 ? told() : '')
  if (answer.status >= 400) {
    const fault = shapeFault(request, answer)
    course.check(shaped, fault === undefined, fault === undefined ? '' : `${fault}: ${told()}`)
  }
  if (request.hasTwoHosts === true) {
    course.check(oneHost, answer.status === 400, answer.status === 400 ? '' : told())
  }
  if (request.entry !== undefined) {
    if (answer.status === 202) {
      request.entry.artifacts.push((JSON.parse(answer.body) as { artifact_id: string }).artifact_id)
    }
    course.check(knownTaken, answer.status === 202, answer.status === 202 ? '' : told())
  }
}

/** The longest that the event loop was held since it was asked last, in seconds. */
const longestLag = async (metricsUrl: string): Promise<number> => {
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
    knownTaken,
    oneHost,
    loopFree,
    memoryBounded,
    processLives,
    ...ledgerInvariants,
  ],
  run: async (course) => {
    const database = course.use(await startDatabase())
    const metricsPort = await freePort()
    const service = await startProcess(course, {
      databaseUrl: database.url,
      environment: {
        ...openRates,
        NUMERA_TRUST_PROXY: 'loopback',
        NUMERA_METRICS_PORT: String(metricsPort),
        NUMERA_LOG_LEVEL: 'fatal',
      },
    })
    const scene = await openFuzzScene(service)
    const ledger = createLedger(service.url, { push: scene.known }, course.random('ledger'))
    const next = createFuzzRequests(scene, course.random('requests'))
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
    const checkMemory = await watchMemory(course, service)
    await longestLag(metricsUrl)

    const total = course.short ? inputs.short : inputs.long
    let sent = 0
    let renewedMs = 0
    let longestSeconds = 0
    const statuses = new Map<number, number>()
    const client = async (): Promise<void> => {
      using raw = createRawClient(service.url)
      while (sent < total) {
        sent++
        const request = next()
        course.inject(request.kind)
        if (request.entry !== undefined) ledger.entries.push(request.entry)
        const answer = await raw.exchange(request.bytes, {
          isBroken: request.isBroken,
          isHead: request.method === 'HEAD',
        })
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        checkAnswer(course, request, answer)
        if (
          answer.status === 401 &&
          request.kind === 'pages' &&
          performance.now() > renewedMs + sessionEveryMs
        ) {
          renewedMs = performance.now()
          await scene.renewSession()
        }
        if (sent % 50_000 === 0) course.say(`${sent} inputs`)
      }
    }
    const startedMs = performance.now()
    const over = new AbortController()
    const watching = (async () => {
      while (!over.signal.aborted) {
        const seconds = await longestLag(metricsUrl)
        longestSeconds = Math.max(longestSeconds, seconds)
        course.check(loopFree, seconds <= lagSecondsMax, `it was held for ${seconds} s`)
        await course.sleep(1_000)
      }
    })()
    await Promise.all(Array.from({ length: clients }, client))
    over.abort()
    const seconds = (performance.now() - startedMs) / 1_000
    await watching
    course.figure('inputs', sent)
    course.figure('inputs a second', Math.round(sent / seconds))
    course.figure('event loop held at most, s', longestSeconds.toFixed(3))
    const byStatus = [...statuses].toSorted(([one], [other]) => one - other)
    course.figure('answers', byStatus.map(([status, count]) => `${status || 'closed'}: ${count}`).join(', '))
    await checkMemory()
    await checkLedgers(course, [ledger], service, database)
  },
}
