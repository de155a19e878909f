import { createHmac } from 'node:crypto'

/**
 * The QR code's text in a second of an order's life. BankID's app accepts it for a moment only, so that a photograph is useless;
 * hence the secret never leaves this service, and no code is created before its time.
 *
 * @param seconds whole seconds since BankID answered with the order
 */
export function qrText(order: { qrStartToken: string; qrStartSecret: string }, seconds: number): string {
  const code = createHmac('sha256', order.qrStartSecret).update(String(seconds)).digest('hex')
  return `bankid.${order.qrStartToken}.${seconds}.${code}`
}
