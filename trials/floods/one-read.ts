import { authorization, registerApp, exchange } from '../../testing/process/oauth-app.ts'
import { allowApp } from '../../testing/process/consent.ts'
import type { Service } from '../../testing/process/start-service.ts'
import { openShop, owner, revenue, type Shop } from '../../testing/process/shop.ts'
import {
  callMsMax,
  callOnce,
  isHonest503,
  callRepeatedly,
  type Outcome,
  slackMs,
  describe,
} from '../deployment/calls.ts'
import { startDatabase, type TrialDatabase } from '../deployment/database.ts'
import { addAccount, openRates, startProcess } from '../deployment/deployment.ts'
import { insertCells } from './insert-cells.ts'
import {
  checkLedgers,
  ledgerInvariants,
  memoryBounded,
  processLives,
  watchMemory,
} from '../deployment/invariants.ts'
import { createLedger, ledgerSource } from '../deployment/ledger.ts'
import type { TrialContext, Trial } from '../trial.ts'

const answered =
  'each read is answered within 15 s: in full, truncated and marked so, or refused as too large'
const bounded = 'an answer has at most 8 MiB of samples'
const othersServed = 'pushes of another company succeed in the meantime'
const databaseLives = 'the database survives'

const answerBytesMax = 8 * 1_048_576 + 4_096
const cellCount = 5_000
const labels = 12
const labelCharacters = 10_000
const roundsLong = 10

const createHeavySource = async (shop: Shop, database: TrialDatabase): Promise<string> => {
  const names = Array.from({ length: labels }, (_, index) => `label${index + 1}`)
  const sourceId = await shop.createSource({
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

const getAppToken = async (service: Service): Promise<string> => {
  const { url } = service
  const app = await registerApp(url, 'http://localhost:9/callback')
  const request = authorization(url, app)
  const code = (await allowApp(url, request.url, owner)).searchParams.get('code')!
  const { body } = await exchange(url, app, code, request.codeVerifier)
  return body.access_token
}

const checkAnswer = (context: TrialContext, what: string, outcome: Outcome): void => {
  const { status, text, ms } = outcome
  const isWhole = status === 200 && text.trimEnd().endsWith('}')
  const isRefusal = status === 400 || status === 413 || isHonest503(outcome)
  context.check(
    answered,
    (isWhole || isRefusal) && ms <= callMsMax + slackMs,
    `${what}: ${describe(outcome)}`,
  )
  const bytes = Buffer.byteLength(text)
  context.check(bounded, bytes <= answerBytesMax, `${what}: ${bytes} bytes`)
}

export const oneRead: Trial = {
  name: 'one-read',
  about:
    '5,000 cells with 12 labels of 10,000 characters are read by a connection and an app, one at a time and 20 at a time.',
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
  run: async (context) => {
    const database = context.use(await startDatabase())
    const service = await startProcess(context, { databaseUrl: database.url, environment: openRates })
    const shop = await openShop(service, { orgnr: '559999-0024' })
    const heavy = await createHeavySource(shop, database)
    const { credential } = await shop.connect({ source_id: heavy })
    const token = await getAppToken(service)
    const other = await openShop(service)
    const push = await addAccount(other, ledgerSource('push'))
    const ledger = createLedger(service.url, { push }, context.random('deliveries'))
    const [first] = await database.processes()
    const checkMemory = await watchMemory(context, service)

    const working = context.use(
      callRepeatedly(2, 50, async () => {
        const outcome = await ledger.send(ledger.next({ rows: 3 }))
        const isAccepted = outcome.status === 202 && outcome.ms <= callMsMax + slackMs
        context.check(othersServed, isAccepted || isHonest503(outcome), describe(outcome))
      }),
    )
    const read = (what: string, bearer: string, query: Record<string, string>) => async (): Promise<void> => {
      context.inject(what)
      const path = `${service.url}/v1/samples?${new URLSearchParams(query)}`
      checkAnswer(context, what, await callOnce(path, { headers: { authorization: `Bearer ${bearer}` } }))
    }
    const window = { from: '2025-01-01', to: '2026-01-01' }
    const byConnection = read('read by a connection', credential, window)
    const ofSource = { ...window, orgnr: shop.company.orgnr, source_id: heavy }
    const byApp = read('read by an app', token, ofSource)
    const earlier = read('read as of an instant', credential, { ...window, as_of: '2026-01-02T00:00:00Z' })
    const withLabel = read('read with a label', credential, { ...window, 'label.label1': 'none' })
    for (let round = 0; round < (context.short ? 1 : roundsLong); round++) {
      for (const one of [byConnection, byApp, earlier, withLabel]) await one()
      await Promise.all(
        Array.from({ length: 20 }, (_, index) => [byConnection, byApp, earlier][index % 3]!()),
      )
    }
    await working.stop()
    const [last] = await database.processes()
    context.check(
      databaseLives,
      first === last && first !== undefined,
      `its process was ${first} and is ${last}`,
    )
    await checkMemory()
    await checkLedgers(context, [ledger], service, database, other.company.orgnr)
  },
}
