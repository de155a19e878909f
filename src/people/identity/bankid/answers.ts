/** BankID's answers, as far as they are needed: further members are ignored. */
import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const Token = Type.String({ pattern: '^[\\w-]{1,100}$' })

const Order = Type.Object({
  orderRef: Token,
  autoStartToken: Token,
  qrStartToken: Token,
  qrStartSecret: Token,
})

const Collected = Type.Object({
  orderRef: Type.String(),
  status: Type.Enum(['pending', 'failed', 'complete']),
  hintCode: Type.Optional(Type.Unknown()),
  completionData: Type.Optional(Type.Unknown()),
})

const compiledOrder = Compile(Order)
const compiledCollected = Compile(Collected)

/** An order that BankID has begun. The secret never leaves this service. */
export type Order = Static<typeof Order>

/** The answer to `auth` and `sign`; undefined if it is anything else. */
export function readOrder(body: unknown): Order | undefined {
  if (!compiledOrder.Check(body)) return undefined
  const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = body
  return { orderRef, autoStartToken, qrStartToken, qrStartSecret }
}

/** The answer to `collect`; undefined if it is anything else. */
export function readCollected(body: unknown): Static<typeof Collected> | undefined {
  return compiledCollected.Check(body) ? body : undefined
}
