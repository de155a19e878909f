import { createHmac, timingSafeEqual } from 'node:crypto'

export interface QrSource {
  qrStartToken: string
  qrStartSecret: string
}

function toCode(secret: string, second: string): string {
  return createHmac('sha256', secret).update(second).digest('hex')
}

/**
 * The text of the animated QR code.
 *
 * @param second whole seconds since the relying party received the order
 */
export function toQrText({ qrStartToken, qrStartSecret }: QrSource, second: number): string {
  return `bankid.${qrStartToken}.${second}.${toCode(qrStartSecret, String(second))}`
}

export interface QrCode {
  token: string
  second: number
  isSignedWith: (secret: string) => boolean
}

/** Undefined if the text is not a BankID QR code. */
export function readQrText(text: string): QrCode | undefined {
  const [, token, second, code] =
    /^bankid\.([0-9a-f-]{36})\.(0|[1-9]\d{0,9})\.([0-9a-f]{64})$/.exec(text) ?? []
  if (token === undefined || second === undefined || code === undefined) return undefined
  return {
    token,
    second: Number(second),
    isSignedWith: (secret) => timingSafeEqual(Buffer.from(toCode(secret, second)), Buffer.from(code)),
  }
}
