import { readFile, writeFile } from 'node:fs/promises'
import { type Service, type ServiceOptions, startService } from '../../testing/process/start-service.ts'
import { signIn } from '../../testing/process/console-client.ts'
import { openShop, openShopOf, owner, type Shop } from '../../testing/process/shop.ts'
import { type Account, type Channel, ledgerSource } from './ledger.ts'
import type { TrialContext } from '../trial.ts'

/** Shared by all processes of a deployment. */
const masterKey = '07'.repeat(32)

/** For trials that are not about rate limits. */
export const openRates = {
  NUMERA_RATE_PER_MINUTE: '10000000',
  NUMERA_RATE_BURST: '10000000',
  NUMERA_OAUTH_RATE_PER_MINUTE: '10000000',
  NUMERA_OAUTH_RATE_BURST: '10000000',
  NUMERA_WRITE_RATE_PER_MINUTE: '10000000',
  NUMERA_WRITE_RATE_BURST: '10000000',
}

export interface ProcessOptions extends ServiceOptions {
  /** Undefined for the built-in database. */
  databaseUrl?: string
}

/** Starts a process of the service that is killed when the trial ends. */
export const startProcess = async (context: TrialContext, options: ProcessOptions = {}): Promise<Service> => {
  const { databaseUrl, environment = {}, words = ['serve'], ...others } = options
  const service = await startService({
    ...others,
    words,
    environment: {
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, NUMERA_MASTER_KEY: masterKey }),
      // A million refused calls need no million lines.
      NUMERA_LOG_LEVEL: 'warn',
      ...environment,
    },
  })
  context.use({
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

/** Creates a source on the company's pages, and a signed connection for it. */
export const addAccount = async (shop: Shop, source: object, bound = true): Promise<Account> => {
  const created = await shop.browser.post(`${shop.pages}/sources`, source)
  if (created.status !== 201) throw new Error(`no source was created: ${created.status} ${created.text}`)
  const { source_id: sourceId, signing_secret: signingSecret } = created.body
  const { credential } = await shop.connect(bound ? { source_id: sourceId } : {})
  return { sourceId, credential, ...(signingSecret ? { signingSecret } : {}) }
}

const addAccounts = async (shop: Shop): Promise<Scene> => ({
  shop,
  accounts: {
    push: await addAccount(shop, ledgerSource('push')),
    webhook: await addAccount(shop, ledgerSource('webhook')),
  },
})

export const openScene = async (service: Service, orgnr?: string): Promise<Scene> =>
  addAccounts(await openShop(service, orgnr === undefined ? {} : { orgnr }))

/** The same with a company that a visitor of a demo creates, which starts no further process. */
export const openVisitorsScene = async (url: string, name: string): Promise<Scene> => {
  const browser = await signIn(url, owner)
  const { status, text, body } = await browser.post('/console/demo-companies', { name })
  if (status !== 201) throw new Error(`no company was created: ${status} ${text}`)
  return addAccounts(await openShopOf(url, { companyId: body.company_id, orgnr: body.orgnr }))
}

const mebibyte = 1_048_576

/** The peak resident memory since the last call, in MiB; undefined without Linux's /proc. */
export const readPeakMemoryMb = async (service: Service): Promise<number | undefined> => {
  const { pid } = service.process()
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1')
    // proc(5): 5 resets the peak to the current size.
    await writeFile(`/proc/${pid}/clear_refs`, '5')
    return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1_024) / mebibyte
  } catch {
    return undefined
  }
}
