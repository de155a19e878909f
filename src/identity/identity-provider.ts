/**
 * Electronic identity, as every provider of it is used here [eid.provider]. The shape fits BankID's relying-party API
 * 6.0 (start, then collect every other second; autostart token and moving QR code) and an OpenID Connect broker (start
 * gives an address to send the browser to; the answer arrives at a callback that the provider keeps for collect).
 */

/** Where the order comes from. */
export interface OrderOrigin {
  /** The person's address, as the proxy configuration has it; BankID asks for it. Empty on the command line. */
  endUserIp: string
  /** Where the provider sends the browser back to: an address of this service. */
  returnUrl: string
}

interface SigningRequest extends OrderOrigin {
  /** What the person reads before signing: plain text. */
  visibleText: string
  /** SHA-256 of the canonical record, so that the signature covers what the text only sums up. */
  recordSha256: Uint8Array
}

/** How the person goes on. All are absent when there is nothing to show any more. */
export interface Presentation {
  /** An address that a person opens in the same browser: the demo's page, an OpenID Connect broker. */
  openUrl?: string
  /** Starts the app on the same device (`bankid:///?autostarttoken=…`). */
  launchUrl?: string
  /** The text of the QR code at this moment; it moves every second, so that a photograph of it is of no use. */
  qrText?: string
}

export interface StartedOrder {
  /** The provider's name for the order: hard to guess, at most 200 characters. */
  reference: string
  /**
   * What the provider needs to go on, such as BankID's QR secret. Kept sealed, given back at each collect and never
   * shown to anyone.
   */
  providerState?: string
  presentation: Presentation
}

/** An order as the provider knows it. */
export interface OrderHandle {
  reference: string
  providerState: string | undefined
  /** Milliseconds since 1970: moving QR codes count from it. */
  startedAtMs: number
}

/** Who a person turned out to be. */
export interface IdentifiedPerson {
  /** Twelve digits. */
  personalNumber: string
  name: string
}

export type OrderProgress =
  | {
      state: 'pending'
      /** A short machine-readable word for what is waited for, such as BankID's `hintCode`. */
      hint: string
      presentation: Presentation
    }
  | {
      state: 'failed'
      /** `refused` (by the person), `expired`, or the provider's own word. */
      reason: string
    }
  | {
      state: 'complete'
      person: IdentifiedPerson
      /** The provider's proof as it came (BankID: signature and OCSP answer). Holds personal data: kept sealed. */
      evidence: string
    }

export interface IdentityProvider {
  /** Kept with every signature: `demo`, `bankid`, the broker's name. */
  readonly name: string
  /** Anyone may claim to be anyone: every page and answer it touches says so. */
  readonly demo: boolean
  /** An OpenID Connect broker may only sign people in; then signing is refused before an order is started. */
  readonly signs: boolean
  startSignIn(origin: OrderOrigin): Promise<StartedOrder>
  startSigning(request: SigningRequest): Promise<StartedOrder>
  /** Called repeatedly while it is pending; a completed order gives the same for some minutes at least. */
  collect(order: OrderHandle): Promise<OrderProgress>
  /** Ends a pending order. Does nothing where it is over already. */
  cancel(order: OrderHandle): Promise<void>
}
