import { createHmac } from 'node:crypto'

/**
 * What the QR code says in a second of an order's life: BankID's app takes it for a moment only, so that a photograph of it is
 * of no use. The secret stays here, and codes are not made ahead of their time.
 *
 * @param seconds whole seconds since BankID answered with the order
 */
export function qrText(order: { qrStartToken: string; qrStartSecret: string }, seconds: number): string {
  const code = createHmac('sha256', order.qrStartSecret).update(String(seconds)).digest('hex')
  return `bankid.${order.qrStartToken}.${seconds}.${code}`
}
