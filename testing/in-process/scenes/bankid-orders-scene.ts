import { createHash } from 'node:crypto'
import { beforeEach } from 'vitest'
import type { Tampering } from '../../../stand-ins/bankid/completion.ts'
import type {
  OrderProgress,
  Presentation,
  StartedOrder,
} from '../../../src/people/identity/identity-provider.ts'
import { origin, startBankIdScene, tolvan } from './bankid-scene.ts'

export const recordSha256 = createHash('sha256').update('{"type":"test"}').digest()
const visibleText = 'I sign.\n\nCompany: Ekeby Handel (556016-0680)\nIt may:\n- read # * | + \\ all'
export const toSign = { ...origin, visibleText, recordSha256, personalNumber: tolvan.personalNumber }

/** The progress of an order between two orders at BankID. */
export const waiting = { state: 'pending', hint: 'outstandingTransaction', presentation: {} }

export const getPresentation = (progress: OrderProgress): Presentation => {
  if (progress.state !== 'pending') throw new Error(`the order is ${progress.state}`)
  return progress.presentation
}

export const getStartToken = ({ launchUrl }: Presentation): string =>
  /autostarttoken=([\w-]+)/.exec(launchUrl!)![1]!

/** BankID with a phone, for tests of its orders. To be called while the file is read, at its top. */
export const startBankIdOrdersScene = async () => {
  const scene = await startBankIdScene()
  const { standIn, bankid, database, context, collect, pass } = scene
  const { phone } = standIn
  beforeEach(scene.beginAnew)
  const scan = (started: { presentation: Presentation }) => phone.scan(started.presentation.qrText!)
  const getCalls = (path: string) => standIn.calls.filter((call) => call.path === path)
  const getLastCall = (path: string) => getCalls(path).at(-1)!
  /** An order that the person has signed, and that no page has collected. */
  const sign = async (person = tolvan, tamper?: Tampering): Promise<StartedOrder> => {
    const started = await bankid.startSigning(toSign)
    await scan(started).sign({ ...person, ...(tamper === undefined ? {} : { tamper }) })
    return started
  }

  return {
    scene,
    standIn,
    phone,
    bankid,
    database,
    context,
    collect,
    pass,
    scan,
    getCalls,
    getLastCall,
    sign,
  }
}
