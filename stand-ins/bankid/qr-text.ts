import { createHmac, timingSafeEqual } from 'node:crypto'

/** What an order's code is made of. */
export interface QrSource {
  qrStartToken: string
  qrStartSecret: string
}

function codeAt(secret: string, second: string): string {
  return createHmac('sha256', secret).update(second).digest('hex')
}

/**
 * What a moving code says at a moment.
 *
 * @param second whole seconds since the relying party got the order
 */
export function qrTextAt({ qrStartToken, qrStartSecret }: QrSource, second: number): string {
  return `bankid.${qrStartToken}.${second}.${codeAt(qrStartSecret, String(second))}`
}

export interface QrReading {
  token: string
  second: number
  /** Whether the code is that of its second. */
  isSignedWith: (secret: string) => boolean
}

/** Takes a code apart; undefined where it is no code of BankID's. */
export function readQrText(text: string): QrReading | undefined {
  const [, token, second, code] =
    /^bankid\.([0-9a-f-]{36})\.(0|[1-9]\d{0,9})\.([0-9a-f]{64})$/.exec(text) ?? []
  if (token === undefined || second === undefined || code === undefined) return undefined
  return {
    token,
    second: Number(second),
    isSignedWith: (secret) => timingSafeEqual(Buffer.from(codeAt(secret, second)), Buffer.from(code)),
  }
}
