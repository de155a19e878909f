/**
 * Electronic identity as the service uses any provider of it [eid.provider]. The interface fits BankID's relying-party API
 * 6.0 (start, then collect every other second; autostart token and animated QR code) and an OpenID Connect provider (start
 * gives an address for the browser; the answer arrives at a callback, and the provider keeps it for collect).
 */
import type { Language } from '../../platform/http/requests/preferred-language.ts'
import type { NamedSignIn } from '../sessions/provider-logout.ts'

/** The devices that an order may be for: the one on which it begins, or another. */
export const devices = ['this', 'other'] as const
export type Device = (typeof devices)[number]

/** Where an order comes from. */
export interface OrderOrigin {
  /** The person's address, by the proxy configuration: BankID requires it. */
  endUserIp: string
  /** Path of the page that the person returns to. */
  returnTo: string
  /** What an app on the same device opens: the return page, with a nonce in its fragment that is shown nowhere before. */
  returnUrl: string
  /** SHA-256 of that nonce; null if no browser began the order. */
  returnHash: Buffer | null
  /** The page must stay open: nothing may navigate it, if the provider can avoid that. */
  keepsPage: boolean
  /** Where the person has BankID's app. Other providers ignore it. */
  device: Device
  userAgent: string
  /** Of what the person reads. */
  language: Language
}

/** Without a page: for the command line, which only the demo identity answers, and for tests. */
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
  /** SHA-256 of the canonical record: the signature covers the record, which the text only summarises. */
  recordSha256: Uint8Array
  /** Who must sign, as twelve digits, if known: a provider that can restricts the order to that person. */
  personalNumber: string | undefined
}

/** How the person continues. All are absent once there is nothing more to show. */
export interface Presentation {
  /** An address to open in the same browser: the demo's page, or that of an OpenID Connect provider. */
  openUrl?: string
  /** Starts the app on the same device (`bankid:///?autostarttoken=…`); absent from an order for another device. */
  launchUrl?: string
  /** The QR code at this moment; it changes every second, so that a photograph is useless. Absent from an order for this device. */
  qrText?: string
}

export interface StartedOrder {
  /** The provider's name for the order: hard to guess, at most 200 characters. */
  reference: string
  /** As of the moment when it is read: read it when it is shown, after the order was stored. */
  readonly presentation: Presentation
  /** How long the person has to start to answer, in milliseconds, if the provider waits less than an order lasts. */
  answerWithinMs?: number
}

/** Who the provider found the person to be. */
export interface IdentifiedPerson {
  /** Twelve digits. */
  personalNumber: string
  name: string
}

export type OrderProgress =
  | {
      state: 'pending'
      /** What the order waits for, in a machine-readable word such as BankID's `hintCode`. */
      hint: string
      presentation: Presentation
    }
  | {
      state: 'failed'
      /**
       * `refused` (by the person), `expired`, `unavailable`, `not_verified`, `other_network` (apparently answered on another
       * device than the order is for), `no_public_address` (the service does not see the person's), or the provider's own word.
       */
      reason: string
    }
  | {
      state: 'complete'
      person: IdentifiedPerson
      /** The provider's proof as received (BankID: signature and OCSP response). Personal data. Empty if it only signs people in. */
      evidence: string
      /** By which the provider can end the session (OpenID Connect Back-Channel Logout 1.0). */
      logoutNames?: NamedSignIn
      /** The provider did not say when the person authenticated, which may have been long ago. Absent if they have just done so. */
      isTimeUnknown?: boolean
    }

/** Finds its orders by their references; any process of the deployment can continue an order of another. */
interface OrderProvider {
  /** Stored with every order and signature: `demo`, `bankid`, `oidc`. */
  readonly name: string
  /**
   * Called repeatedly while the order is pending, at any rate; a completed order gives the same result for some minutes.
   *
   * @param hasReturned the browser that began has brought the nonce of `returnUrl`
   */
  collect(reference: string, hasReturned?: boolean): Promise<OrderProgress>
  /** Ends a pending order. Does nothing if it is over. */
  cancel(reference: string): Promise<void>
}

/** `startSignIn` and `startSigning` do not throw if the provider refuses or is unavailable: the order has then failed. */
export interface SignInProvider extends OrderProvider {
  startSignIn(origin: OrderOrigin): Promise<StartedOrder>
}

export interface SigningProvider extends OrderProvider {
  startSigning(request: SigningRequest): Promise<StartedOrder>
}

/** For code that signs people in or lets them sign; everything else gets only a `Context`. */
export interface WithIdentity {
  identity: ElectronicIdentity
}

/** The electronic identity of a deployment. One provider may do both. */
export interface ElectronicIdentity extends AsyncDisposable {
  /** Anyone may claim to be anyone: every page and answer that it affects says so. */
  readonly demo: boolean
  readonly signIn: SignInProvider
  /** Undefined if people can only sign in; then signing is refused before an order starts. */
  readonly signing: SigningProvider | undefined
}
