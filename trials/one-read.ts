import { authorization, registerApp, exchange } from '../acceptance/app.ts'
import { allowApp } from '../acceptance/consent.ts'
import type { Service } from '../acceptance/service.ts'
import { openShop, owner, revenue, type Shop } from '../acceptance/shop.ts'
import { callMsMax, callOnce, isHonest503, keepCalling, type Outcome, slackMs, told } from './calls.ts'
import { startDatabase, type TrialDatabase } from './database.ts'
import { addAccount, openRates, startProcess } from './deployment.ts'
import { insertCells } from './heavy-rows.ts'
import { checkLedgers, ledgerInvariants, memoryBounded, processLives, watchMemory } from './invariants.ts'
import { createLedger, ledgerSource } from './ledger.ts'
import type { Course, Trial } from './trial.ts'

const answered = 'each read is answered within 15 s: whole, cut off and saying so, or refused as too much'
const bounded = 'an answer is at most 8 MiB, and what is around it'
const othersServed = 'pushes of another company are taken meanwhile'
const databaseLives = 'the database lives'

const answerBytesMax = 8 * 1_048_576 + 4_096
const cellCount = 5_000
const labels = 12
const labelCharacters = 10_000
const roundsLong = 10

const makeHeavySource = async (shop: Shop, database: TrialDatabase): Promise<string> => {
  const names = Array.from({ length: labels }, (_, index) => `label${index + 1}`)
  const sourceId = await shop.makeSource({
    name: 'Heavy',
    fields: [
      { name: 'at', type: 'timestamp', personal: false },
      { name: 'amount', type: 'number', personal: false },
      ...names.map((name) => ({ name, type: 'text', personal: false })),
    ],
    metrics: [revenue({ group_by: names })],
  })
  const source = { companyId: shop.company.companyId, sourceId }
  await insertCells(database, source, { cellCount, contributionsEach: 1, labels, labelCharacters })
  return sourceId
}

const appToken = async (service: Service): Promise<string> => {
  const { url } = service
  const app = await registerApp(url, 'http://localhost:9/callback')
  const asked = authorization(url, app)
  const code = (await allowApp(url, asked.url, owner)).searchParams.get('code')!
  const { body } = await exchange(url, app, code, asked.codeVerifier)
  return body.access_token
}

const checkAnswer = (course: Course, what: string, outcome: Outcome): void => {
  const { status, text, ms } = outcome
  const isWhole = status === 200 && text.trimEnd().endsWith('}')
  const isRefusal = status === 400 || status === 413 || isHonest503(outcome)
  course.check(answered, (isWhole || isRefusal) && ms <= callMsMax + slackMs, `${what}: ${told(outcome)}`)
  const bytes = Buffer.byteLength(text)
  course.check(bounded, bytes <= answerBytesMax, `${what}: ${bytes} bytes`)
}

export const oneRead: Trial = {
  name: 'one-read',
  about:
    '5,000 cells with 12 labels of 10,000 characters are read by a connection, an app and a page, and 20 times at once.',
  minutes: 5,
  invariants: [
    answered,
    bounded,
    othersServed,
    databaseLives,
    processLives,
    memoryBounded,
    ...ledgerInvariants,
  ],
  run: async (course) => {
    const database = course.use(await startDatabase())
    const service = await startProcess(course, { databaseUrl: database.url, environment: openRates })
    const shop = await openShop(service, { orgnr: '559999-0024' })
    const heavy = await makeHeavySource(shop, database)
    const { credential } = await shop.connect({ source_id: heavy })
    const token = await appToken(service)
    const other = await openShop(service)
    const push = await addAccount(other, ledgerSource('push'))
    const ledger = createLedger(service.url, { push }, course.random('deliveries'))
    const [first] = await database.processes()
    const checkMemory = await watchMemory(course, service)

    const working = course.use(
      keepCalling(2, 50, async () => {
        const outcome = await ledger.send(ledger.next({ rows: 3 }))
        const isTaken = outcome.status === 202 && outcome.ms <= callMsMax + slackMs
        course.check(othersServed, isTaken || isHonest503(outcome), told(outcome))
      }),
    )
    const read = (what: string, bearer: string, query: Record<string, string>) => async (): Promise<void> => {
      course.inject(what)
      const path = `${service.url}/v1/samples?${new URLSearchParams(query)}`
      checkAnswer(course, what, await callOnce(path, { headers: { authorization: `Bearer ${bearer}` } }))
    }
    const window = { from: '2025-01-01', to: '2026-01-01' }
    const byConnection = read('read by a connection', credential, window)
    const named = { ...window, orgnr: shop.company.orgnr, source_id: heavy }
    const byApp = read('read by an app', token, named)
    const earlier = read('read as of an instant', credential, { ...window, as_of: '2026-01-02T00:00:00Z' })
    const narrowed = read('read with a label', credential, { ...window, 'label.label1': 'none' })
    const byPage = async (): Promise<void> => {
      course.inject('read on a page')
      const page = `${shop.pages}/sources/${heavy}/samples?from=2025-01-01&to=2026-01-01`
      const startedMs = performance.now()
      const { status, text } = await shop.browser
        .get(page)
        .catch((error: Error) => ({ status: 0, text: String(error.cause ?? error) }))
      checkAnswer(course, 'page', { status, text, headers: {}, ms: performance.now() - startedMs })
    }
    for (let round = 0; round < (course.short ? 1 : roundsLong); round++) {
      for (const one of [byConnection, byApp, byPage, earlier, narrowed]) await one()
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => [byConnection, byApp, earlier][index % 3]!()),
      )
    }
    await working.stop()
    const [last] = await database.processes()
    course.check(databaseLives, first === last && first !== undefined, `it was ${first} and is ${last}`)
    await checkMemory()
    await checkLedgers(course, [ledger], service, database, other.company.orgnr)
  },
}
