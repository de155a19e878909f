/** The process of `testing/process/bankid-apart.ts`, which sends it requests. */
import { constants, setPriority } from 'node:os'
import { madeUpPeople } from '../../stand-ins/bankid/made-up-people.ts'
import { startBankIdStandIn } from '../../stand-ins/bankid/start-bankid-stand-in.ts'

/** The calls about one order. */
export interface OrderRecord {
  /** The time of each collect, in milliseconds since 1970. */
  collectsMs: number[]
  /** The number of collects that were refused. */
  refused: number
}

export type Ask = 'environment' | 'sign-all' | 'record'

// BankID and its apps run on other machines, and must not compete with the service.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

// No order expires, even if a slow machine takes minutes to start them all.
await using standIn = await startBankIdStandIn({ collectMsMin: 1_900, lifetimes: { startMs: 10 * 60_000 } })

/** Opens each pending order in the app of a made-up person and signs it. */
const signAll = async (): Promise<number> => {
  const waiting = standIn.orders.all().filter(({ status }) => status === 'pending')
  for (const [index, { orderRef }] of waiting.entries()) {
    const order = standIn.phone.open(standIn.orders.autoStartToken(orderRef))
    await order.sign(madeUpPeople[index % madeUpPeople.length]!)
  }
  return waiting.length
}

const record = (): OrderRecord[] => {
  const orders = new Map<string, OrderRecord>()
  for (const { path, orderRef, atMs, status } of standIn.calls) {
    if (path !== '/collect' || orderRef === undefined) continue
    const order = orders.get(orderRef) ?? { collectsMs: [], refused: 0 }
    order.collectsMs.push(atMs)
    if (status !== 200) order.refused++
    orders.set(orderRef, order)
  }
  return [...orders.values()]
}

const answers = { environment: () => standIn.environment, 'sign-all': signAll, record }
process.on('message', (ask: Ask) => {
  void (async () => process.send!(await answers[ask]()))()
})
await new Promise((resolve) => process.once('disconnect', resolve))
