import { Writable } from 'node:stream'
import { afterAll } from 'vitest'
import { readConfig } from '../../../src/platform/config/read-config.ts'
import { openBankId } from '../../../src/people/identity/bankid/open-bankid.ts'
import type {
  OrderProgress,
  SigningProvider,
  SignInProvider,
} from '../../../src/people/identity/identity-provider.ts'
import { createLog } from '../../../src/platform/telemetry/log.ts'
import { startBankIdStandIn, type BankIdStandIn } from '../../../stand-ins/bankid/start-bankid-stand-in.ts'
import { createTestContext, type TestContext } from '../test-context.ts'
import { earlier } from '../earlier.ts'
import { createTestDatabase, type TestDatabase } from '../test-database.ts'

type BankId = SignInProvider & SigningProvider & AsyncDisposable

export interface BankIdScene {
  standIn: BankIdStandIn
  database: TestDatabase
  context: TestContext
  /** Lines of the log, as they were written. */
  logged: string[]
  bankid: BankId
  /** Another process of the deployment. */
  openBankId(options?: { callTimeoutMs?: number; collectWaitMs?: number }, context?: TestContext): BankId
  /** Ends what a test before has left under way, so that it is the present again at BankID. */
  beginAnew(): void
  /** Lets time pass for the orders and at BankID, in milliseconds. */
  pass(ms: number): Promise<void>
  /** Collects an order once it is time to ask BankID again. @param hasReturned the return page has brought its nonce */
  collect(reference: string, hasReturned?: boolean): Promise<OrderProgress>
}

/** Two of the numbers that the Swedish Tax Agency publishes for tests. */
export const tolvan = { personalNumber: '191212121212', name: 'Tolvan Tolvansson' }
export const elin = { personalNumber: '189001019802', name: 'Elin Exempel' }

/** The user agent of a browser in which BankID's app opens the page again. */
export const iPhoneSafari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

/** A browser on a computer, whose person has the app on another device. */
export const origin = {
  endUserIp: '192.0.2.7',
  returnTo: '/sign-in',
  returnUrl: `https://numera.example.com/bankid/return#nonce=${'N'.repeat(43)}`,
  returnHash: null,
  keepsPage: false,
  device: 'other',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  language: 'en',
} as const

/**
 * BankID's provider on a database of its own, and the stand-in that it talks to, for the tests of one file. To be called
 * while the file is read, at its top. The stand-in does not mind the pace, since time passes there by `pass` alone.
 */
export const startBankIdScene = async (
  standInOptions: Parameters<typeof startBankIdStandIn>[0] = { collectMsMin: 0 },
): Promise<BankIdScene> => {
  let passedMs = 0
  const standIn = await startBankIdStandIn({ now: () => Date.now() + passedMs, ...standInOptions })
  const database = await createTestDatabase()
  const logged: string[] = []
  const destination = new Writable({
    write: (chunk, _, done) => {
      logged.push(String(chunk))
      done()
    },
  })
  const environment = { ...standIn.environment, NUMERA_IDENTITY: 'bankid' }
  const { config, secrets } = readConfig(environment)
  const context: TestContext = {
    ...createTestContext(database.pool, { environment }),
    log: createLog({ level: 'trace', destination }),
  }
  const opened = new AsyncDisposableStack()
  opened.use(context.identity)
  const open: BankIdScene['openBankId'] = (options = {}, of = context) =>
    opened.use(openBankId(config.bankid!, secrets, of, { collectWaitMs: 20_000, ...options }))
  const bankid = open()
  afterAll(async () => {
    await opened.disposeAsync()
    await database[Symbol.asyncDispose]()
    await standIn[Symbol.asyncDispose]()
  })

  const shift = async (ms: number, columns: readonly string[]): Promise<void> => {
    const set = columns.map((column) => `${column} = ${earlier(column, '$1')}`)
    await database.pool.query(`update bankid_orders set ${set.join()}`, [ms])
  }
  return {
    standIn,
    database,
    context,
    logged,
    bankid,
    openBankId: open,
    beginAnew: () => {
      standIn.answerAsUsual()
      for (const order of standIn.orders.all()) if (order.status === 'pending') order.failWith('userCancel')
      passedMs = 0
      logged.length = 0
    },
    pass: async (ms) => {
      passedMs += ms
      await shift(ms, ['started_at', 'next_collect_at', 'created_at', 'expires_at'])
    },
    collect: async (reference, hasReturned = false) => {
      await database.pool.query(
        'update bankid_orders set next_collect_at = least(next_collect_at, now()) where reference = $1',
        [reference],
      )
      return bankid.collect(reference, hasReturned)
    },
  }
}
