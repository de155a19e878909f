import { timingSafeEqual } from 'node:crypto'
import type { SigningSecrets } from './signing-secrets.ts'
import type { SentSignature } from './headers.ts'
import { beginWebhookSignature } from './signature.ts'

interface SignatureCheck {
  /** Takes the next piece of the body. */
  update(chunk: Uint8Array): void
  /** Whether the sender holds one of the secrets. Call it once, after the last piece. */
  passes(): boolean
}

/*
 * A failed check always computes two signatures and compares each in constant time, however many secrets there are
 * [hook.order].
 */

/** Verifies a signature while the body arrives, so that no body blocks the event loop at its end. */
export function startSignatureCheck(
  [current, previous]: SigningSecrets,
  sent: SentSignature,
  deliveryId: string,
): SignatureCheck {
  const byCurrent = beginWebhookSignature(current.secret, sent.t, deliveryId)
  const byPrevious = beginWebhookSignature(previous.secret, sent.t, deliveryId)
  return {
    update: (chunk) => {
      byCurrent.update(chunk)
      byPrevious.update(chunk)
    },
    passes: () => {
      const isCurrent = timingSafeEqual(byCurrent.digest(), sent.mac)
      const isPrevious = timingSafeEqual(byPrevious.digest(), sent.mac)
      return (isCurrent && current.works) || (isPrevious && previous.works)
    },
  }
}

/** The same for a small body that has arrived: nearly every body, signed with the current secret. */
export function isSigned(
  secrets: SigningSecrets,
  sent: SentSignature,
  deliveryId: string,
  body: Uint8Array,
): boolean {
  return secrets.some(({ secret, works }) => {
    const mac = beginWebhookSignature(secret, sent.t, deliveryId).update(body).digest()
    return timingSafeEqual(mac, sent.mac) && works
  })
}
