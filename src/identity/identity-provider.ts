/**
 * Electronic identity, as every provider of it is used here [eid.provider]. The shape fits BankID's relying-party API
 * 6.0 (start, then collect every other second; autostart token and moving QR code) and an OpenID Connect provider (start
 * gives an address to send the browser to; the answer arrives at a callback that the provider keeps for collect).
 */
import type { Language } from '../http/preferred-language.ts'
import type { NamedSignIn } from '../sessions/logout-names.ts'

/** The devices that an order may be for: the one that it was begun on, or another. */
export const devices = ['this', 'other'] as const
export type Device = (typeof devices)[number]

/** Where the order comes from. */
export interface OrderOrigin {
  /** The person's address, as the proxy configuration has it; BankID asks for it. Empty on the command line. */
  endUserIp: string
  /** The page that the person comes back to: a path of this service. */
  returnTo: string
  /** What an app on the same device opens: the return page, with a nonce in its fragment that nothing shows before. */
  returnUrl: string
  /** SHA-256 of that nonce; null where no browser began. */
  returnHash: Buffer | null
  /** The page must stay as it is: nothing may open its address, if the provider can do without. */
  keepsPage: boolean
  /** Where the person has the app. BankID's alone; others have no app of their own. */
  device: Device
  /** As the browser says it. Empty on the command line. */
  userAgent: string
  /** What the person reads. */
  language: Language
}

/** Where no person is at a page: the command line, which only the demo identity answers, and tests. */
export const pagelessOrigin: OrderOrigin = {
  endUserIp: '127.0.0.1',
  returnTo: '/',
  returnUrl: '',
  returnHash: null,
  keepsPage: true,
  device: 'other',
  userAgent: '',
  language: 'en',
}

export interface SigningRequest extends OrderOrigin {
  /** What the person reads before signing: plain text. */
  visibleText: string
  /** SHA-256 of the canonical record, so that the signature covers what the text only sums up. */
  recordSha256: Uint8Array
  /** Who must sign, as twelve digits, where it is known: a provider that can asks for nobody else. */
  personalNumber: string | undefined
}

/** How the person goes on. All are absent when there is nothing to show any more. */
export interface Presentation {
  /** An address to go to in the same browser: the demo's page, the page of an OpenID Connect provider. */
  openUrl?: string
  /** Starts the app on the same device (`bankid:///?autostarttoken=…`); absent from an order for another device. */
  launchUrl?: string
  /**
   * The text of the QR code at this moment; it moves every second, so that a photograph of it is of no use. Absent from an
   * order for this device.
   */
  qrText?: string
}

export interface StartedOrder {
  /** The provider's name for the order: hard to guess, at most 200 characters. */
  reference: string
  /** As of when it is read, which is when it is shown: after the order was stored. */
  readonly presentation: Presentation
  /** How long the person has to begin to answer, in milliseconds, where the provider waits less than an order lasts. */
  answerWithinMs?: number
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
      /**
       * `refused` (by the person), `expired`, `unavailable`, `not_verified`, `other_network` (answered on another device than
       * the one that the order is for, for all that can be told), `no_public_address` (of the person, as the service sees it), or
       * the provider's own word.
       */
      reason: string
    }
  | {
      state: 'complete'
      person: IdentifiedPerson
      /**
       * The provider's proof as it came (BankID: signature and OCSP answer). Holds personal data: kept sealed. Empty where the
       * provider only signs people in: of that none is kept.
       */
      evidence: string
      /** What ends the session when the provider says so (OpenID Connect Back-Channel Logout 1.0). */
      logoutNames?: NamedSignIn
      /**
       * The provider did not say when the person identified themselves: it may have been long ago, in spite of what was requested.
       * Absent where they have just done so.
       */
      isTimeUnknown?: boolean
    }

/** Knows its orders by their references; any process of the deployment can go on with an order of another. */
interface OrderProvider {
  /** Kept with every order and signature: `demo`, `bankid`, `oidc`. */
  readonly name: string
  /**
   * Called repeatedly while it is pending, as often as a page likes; a completed order gives the same for some minutes at least.
   *
   * @param hasReturned the browser that began has brought the nonce of `returnUrl`
   */
  collect(reference: string, hasReturned?: boolean): Promise<OrderProgress>
  /** Ends a pending order. Does nothing where it is over already. */
  cancel(reference: string): Promise<void>
}

/**
 * Signs people in. `startSignIn` and `startSigning` do not throw because the provider refuses or is away: the order is then
 * one that has failed, so that there is one way to say so.
 */
export interface SignInProvider extends OrderProvider {
  startSignIn(origin: OrderOrigin): Promise<StartedOrder>
}

/** Lets people sign. */
export interface SigningProvider extends OrderProvider {
  startSigning(request: SigningRequest): Promise<StartedOrder>
}

/** The electronic identity of a deployment. One provider may do both. */
export interface ElectronicIdentity extends AsyncDisposable {
  /** Anyone may claim to be anyone: every page and answer it touches says so. */
  readonly demo: boolean
  readonly signIn: SignInProvider
  /** Undefined where people are only signed in; then signing is refused before an order is started. */
  readonly signing: SigningProvider | undefined
}
