import { readFile, writeFile } from 'node:fs/promises'
import { type Service, type ServiceOptions, startService } from '../acceptance/service.ts'
import { openShop, type Shop } from '../acceptance/shop.ts'
import { type Account, type Channel, ledgerSource } from './ledger.ts'
import type { Course } from './trial.ts'

/** The same for every process of a trial's deployment. */
const masterKey = '07'.repeat(32)

/** Rates that hold up no trial which is not about rates. */
export const openRates = {
  NUMERA_RATE_PER_MINUTE: '10000000',
  NUMERA_RATE_BURST: '10000000',
  NUMERA_OAUTH_RATE_PER_MINUTE: '10000000',
  NUMERA_OAUTH_RATE_BURST: '10000000',
  NUMERA_WRITE_RATE_PER_MINUTE: '10000000',
  NUMERA_WRITE_RATE_BURST: '10000000',
}

export interface ProcessOptions extends ServiceOptions {
  /** Where its database is, when it is not the built-in one. */
  databaseUrl?: string
}

/** Starts a process of the service, which is killed when the trial ends. */
export const startProcess = async (course: Course, options: ProcessOptions = {}): Promise<Service> => {
  const { databaseUrl, environment = {}, words = ['serve'] } = options
  const service = await startService({
    words,
    environment: {
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, NUMERA_MASTER_KEY: masterKey }),
      // What is refused a million times is not told a million times.
      NUMERA_LOG_LEVEL: 'warn',
      ...environment,
    },
  })
  course.use({
    [Symbol.asyncDispose]: async () => {
      service.process().kill('SIGKILL')
      await service[Symbol.asyncDispose]()
    },
  })
  return service
}

export const hasEnded = (service: Service): boolean =>
  service.process().exitCode !== null || service.process().signalCode !== null

/** A company with a source for each channel, and a connection that pushes and reads. */
export interface Scene {
  shop: Shop
  accounts: Record<Channel, Account>
}

/** Makes a source on the company's pages, and a signed connection for it. */
export const addAccount = async (shop: Shop, source: object, bound = true): Promise<Account> => {
  const made = await shop.browser.post(`${shop.pages}/sources`, source)
  if (made.status !== 201) throw new Error(`no source was made: ${made.status} ${made.text}`)
  const { source_id: sourceId, signing_secret: signingSecret } = made.body
  const { credential } = await shop.connect(bound ? { source_id: sourceId } : {})
  return { sourceId, credential, ...(signingSecret ? { signingSecret } : {}) }
}

export const openScene = async (service: Service, orgnr?: string): Promise<Scene> => {
  const shop = await openShop(service, orgnr === undefined ? {} : { orgnr })
  return {
    shop,
    accounts: {
      push: await addAccount(shop, ledgerSource('push')),
      webhook: await addAccount(shop, ledgerSource('webhook')),
    },
  }
}

const mebibyte = 1_048_576

/** The most memory that a process held since it was asked last, in MiB; undefined where the machine does not tell. */
export const peakMemoryMb = async (service: Service): Promise<number | undefined> => {
  const { pid } = service.process()
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1')
    // proc(5): 5 sets the highest resident size back to the present one.
    await writeFile(`/proc/${pid}/clear_refs`, '5')
    return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1_024) / mebibyte
  } catch {
    return undefined
  }
}
