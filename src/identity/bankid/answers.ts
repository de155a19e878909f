import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'

/** What BankID answers, as far as it is needed: further members are ignored. */

const Token = Type.String({ pattern: '^[\\w-]{1,100}$' })

const Order = Type.Object({
  orderRef: Token,
  autoStartToken: Token,
  qrStartToken: Token,
  qrStartSecret: Token,
})

const Collected = Type.Object({
  orderRef: Type.String(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('failed'), Type.Literal('complete')]),
  hintCode: Type.Optional(Type.Unknown()),
  completionData: Type.Optional(Type.Unknown()),
})

const compiledOrder = Compile(Order)
const compiledCollected = Compile(Collected)

/** An order that BankID has begun. The secret never leaves this service. */
export type Order = Static<typeof Order>

/** The answer to `auth` and `sign`; undefined where it is anything else. */
export function readOrder(body: unknown): Order | undefined {
  if (!compiledOrder.Check(body)) return undefined
  const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = body
  return { orderRef, autoStartToken, qrStartToken, qrStartSecret }
}

/** The answer to `collect`; undefined where it is anything else. */
export function readCollected(body: unknown): Static<typeof Collected> | undefined {
  return compiledCollected.Check(body) ? body : undefined
}

/** The answer to `cancel`, of which nothing is needed. */
export function readCancelled(): true {
  return true
}
