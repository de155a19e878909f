/** The stand-in for BankID in a process of its own: `acceptance/bankid-apart.ts` starts it and tells it what to do. */
import { constants, setPriority } from 'node:os'
import { madeUpPeople } from '../stand-ins/bankid/made-up-people.ts'
import { startBankIdStandIn } from '../stand-ins/bankid/start-bankid-stand-in.ts'

/** What was asked about one order. */
export interface OrderRecord {
  /** When each question came, in milliseconds since 1970. */
  collectsMs: number[]
  /** How many of them were refused. */
  refused: number
}

export type Ask = 'environment' | 'sign-all' | 'record'

// BankID and its apps run on machines of their own: here they take what is left.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)

// However long a slow machine takes to begin all orders, none of them begins anew.
await using standIn = await startBankIdStandIn({ collectMsMin: 1_900, lifetimes: { startMs: 10 * 60_000 } })

/** Each order that waits is opened in its person's app and signed. */
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
