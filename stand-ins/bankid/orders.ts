import { randomUUID } from 'node:crypto'
import type { Authority } from './authority.ts'
import type { Issued } from './certificate.ts'
import { InvalidParameters, type OrderRequest } from './check-request.ts'
import { type CompletionData, createCompletionData, type Tampering } from './completion.ts'
import { acceptsMobile, createOrder, type Lifetimes, type Order, type OrderStart, toKeptMs } from './order.ts'
import type { Person } from './person.ts'
import { toQrText, readQrText } from './qr-text.ts'

/** A person who signs, and how. */
export interface Signer extends Person {
  /** The letter of their bank; `A` by default. */
  bank?: string
  /** The phone's address as BankID sees it; the browser's by default. */
  ipAddress?: string
  /** BankID's estimate of the risk; `low` by default. */
  risk?: 'low' | 'moderate' | 'high'
  /** The fault in the answer. */
  tamper?: Tampering
}

/** An order in the person's app. */
export interface PhoneOrder {
  readonly orderRef: string
  readonly kind: 'auth' | 'sign'
  /** As the app shows it. */
  readonly relyingPartyName: string
  /** Undefined if the order has no text. */
  readonly visibleText: string | undefined
  readonly format: string
  /** Signed without being shown. */
  readonly nonVisibleData: Buffer | undefined
  readonly request: OrderRequest
  readonly status: 'pending' | 'failed' | 'complete'
  readonly hintCode: string | undefined
  /** Undefined while no app has it. */
  readonly startedBy: 'qr' | 'token' | undefined
  /** The address that the phone opens afterwards; only if the app was started by token. */
  readonly returnUrl: string | undefined
  /** The person enters their code. @throws Error if the order cannot be signed now */
  sign(signer: Signer): Promise<void>
  /** The person cancels. */
  refuse(): void
  /** Changes the hint of the pending order. @throws Error if an order in an app would go back to waiting for one */
  setHint(hintCode: string): void
  /** Ends the order with one of BankID's hints, or an unknown one. */
  failWith(hintCode: string): void
}

/** 400 `alreadyInProgress`. */
export class AlreadyInProgress extends Error {}

export interface OrdersOptions {
  authority: Authority
  now: () => number
  lifetimes: Lifetimes
  /** The greatest age of a QR code that a phone scans. */
  qrAgeSecondsMax: number
}

/** Hints of an order that no app has. */
const before = new Set(['outstandingTransaction', 'noClient'])
const riskLevels = ['low', 'moderate', 'high']

/** The stand-in's orders and their transitions. */
export class Orders {
  readonly #options: OrdersOptions
  readonly #orders = new Map<string, Order>()
  #earlier: Required<Pick<CompletionData, 'signature' | 'ocspResponse'>> | undefined

  constructor(options: OrdersOptions) {
    this.#options = options
  }

  /** Begins an order. @throws AlreadyInProgress if one for the same personal number is pending, which fails too */
  begin(kind: Order['kind'], request: OrderRequest, relyingParty: Issued): OrderStart {
    const required = request.requirement?.personalNumber
    const other = this.#pending().find((each) => each.request.requirement?.personalNumber === required)
    if (required !== undefined && other !== undefined) {
      this.#end(other, 'cancelled')
      throw new AlreadyInProgress()
    }
    const order = createOrder({ kind, request, relyingParty, createdAtMs: this.#options.now() })
    this.#orders.set(order.orderRef, order)
    const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = order
    return { orderRef, autoStartToken, qrStartToken, qrStartSecret }
  }

  /** @throws InvalidParameters if it is unknown, another relying party's, delivered, or too old */
  collect(orderRef: string, relyingParty: Issued): Record<string, unknown> {
    const order = this.#own(orderRef, relyingParty)
    const { status, hintCode, completionData } = order
    if (status === 'pending') return { orderRef, status, hintCode }
    order.isDelivered = true
    if (status === 'failed') return { orderRef, status, hintCode }
    return { orderRef: order.answeredRef ?? orderRef, status, completionData }
  }

  /** @throws InvalidParameters as `collect`, and if it is over */
  cancel(orderRef: string, relyingParty: Issued): void {
    const order = this.#own(orderRef, relyingParty)
    if (order.status !== 'pending') throw new InvalidParameters('The order is over')
    this.#end(order, 'cancelled')
    order.isDelivered = true
  }

  /** The newest first. */
  all(): PhoneOrder[] {
    return [...this.#orders.values()].toReversed().map((order) => this.#asPhone(order))
  }

  /** @throws Error if there is none */
  find(orderRef: string): PhoneOrder {
    return this.#asPhone(this.#known(orderRef))
  }

  /** The QR code that the relying party should show now. @throws Error as `find` */
  qrText(orderRef: string): string {
    const order = this.#known(orderRef)
    return toQrText(order, this.#toSecond(order))
  }

  /** @throws Error as `find` */
  autoStartToken(orderRef: string): string {
    return this.#known(orderRef).autoStartToken
  }

  /** @throws Error if it is not a QR code, has the wrong code, is too old or too new, or an app has the order already */
  scan(text: string): PhoneOrder {
    const code = readQrText(text)
    if (code === undefined) throw new Error('This is not a BankID QR code.')
    const order = this.#pending().find(({ qrStartToken }) => qrStartToken === code.token)
    if (order === undefined) throw new Error('The order of this QR code is over, or there was none.')
    if (!code.isSignedWith(order.qrStartSecret))
      throw new Error('The QR code is not signed with the order’s secret.')
    const age = this.#toSecond(order) - code.second
    if (age > this.#options.qrAgeSecondsMax) throw new Error(`The QR code is ${age} s old.`)
    // The relying party receives the order after the stand-in created it, so its seconds are ahead only by rounding.
    if (age < -1) throw new Error(`The QR code is ${-age} s ahead.`)
    return this.#start(order, 'qr')
  }

  /** Starts the app on the same device, as the link with the token does. @throws Error as `scan` */
  open(autoStartToken: string): PhoneOrder {
    const order = this.#pending().find((each) => each.autoStartToken === autoStartToken)
    if (order === undefined) throw new Error('The order of this token is over, or there was none.')
    return this.#start(order, 'token')
  }

  #start(order: Order, startedBy: 'qr' | 'token'): PhoneOrder {
    if (order.startedBy !== undefined) throw new Error('An app has this order already.')
    order.startedBy = startedBy
    order.startedAtMs = this.#options.now()
    // Without a BankID that the relying party accepts, the app keeps searching for one.
    order.hintCode = acceptsMobile(order) ? 'userSign' : 'started'
    return this.#asPhone(order)
  }

  #known(orderRef: string): Order {
    const order = this.#orders.get(orderRef)
    if (order === undefined) throw new Error('There is no such order.')
    return order
  }

  #toSecond({ createdAtMs }: Order): number {
    return Math.floor((this.#options.now() - createdAtMs) / 1000)
  }

  #pending(): Order[] {
    return [...this.#orders.values()].filter((order) => {
      this.#expire(order)
      return order.status === 'pending'
    })
  }

  #own(orderRef: string, relyingParty: Issued): Order {
    const order = this.#orders.get(orderRef)
    if (order !== undefined) this.#expire(order)
    const { fingerprint256 } = relyingParty.certificate
    const isOver = order !== undefined && order.status !== 'pending'
    const isTooOld = isOver && this.#options.now() - order.overAtMs > toKeptMs(order, this.#options.lifetimes)
    if (order?.relyingParty.certificate.fingerprint256 !== fingerprint256 || isTooOld) {
      throw new InvalidParameters('No such order')
    }
    if (order.isDelivered) throw new InvalidParameters('The order cannot be collected twice')
    return order
  }

  /** Ends an order whose time is over. */
  #expire(order: Order): void {
    if (order.status !== 'pending') return
    const { startMs, finishMs } = this.#options.lifetimes
    const isStarted = order.startedBy !== undefined
    const endsAtMs = isStarted ? order.startedAtMs + finishMs : order.createdAtMs + startMs
    if (this.#options.now() < endsAtMs) return
    this.#end(order, isStarted ? 'expiredTransaction' : 'startFailed')
    order.overAtMs = endsAtMs
  }

  #end(order: Order, hintCode: string): void {
    this.#requirePending(order)
    order.status = 'failed'
    order.hintCode = hintCode
    order.overAtMs = this.#options.now()
  }

  #requirePending(order: Order): void {
    if (order.status !== 'pending') throw new Error('The order is over.')
  }

  async #sign(order: Order, signer: Signer): Promise<void> {
    this.#expire(order)
    this.#requirePending(order)
    if (order.hintCode !== 'userSign') {
      throw new Error(`Only an order at userSign can be signed, and this one is at ${order.hintCode}.`)
    }
    const { requirement = {}, returnRisk, endUserIp } = order.request
    const { risk = 'low', tamper, bank } = signer
    const required = requirement.personalNumber
    const highest = requirement.risk?.toLowerCase() ?? 'high'
    if (riskLevels.indexOf(risk) > riskLevels.indexOf(highest)) {
      return this.#end(order, 'transactionRiskBlocked')
    }
    if (required !== undefined && required !== signer.personalNumber)
      return this.#end(order, 'certificateErr')
    const completionData = await createCompletionData(
      this.#options.authority,
      {
        kind: order.kind,
        visible: order.request.userVisibleData,
        format: order.request.userVisibleDataFormat,
        nonVisible: order.request.userNonVisibleData,
        relyingParty: order.relyingParty,
        policies: requirement.certificatePolicies,
        person: signer,
        ipAddress: signer.ipAddress ?? endUserIp,
        at: this.#options.now(),
        risk: returnRisk === true || requirement.risk !== undefined ? risk : undefined,
        bank,
        tamper,
      },
      this.#earlier,
    )
    // It may have been cancelled in the meantime.
    this.#requirePending(order)
    order.status = 'complete'
    order.hintCode = undefined
    order.overAtMs = this.#options.now()
    order.completionData = completionData
    if (tamper === 'other-order') order.answeredRef = randomUUID()
    const { signature, ocspResponse } = completionData
    if (tamper === undefined) this.#earlier = { signature: signature!, ocspResponse: ocspResponse! }
  }

  #setHint(order: Order, hintCode: string): void {
    this.#expire(order)
    this.#requirePending(order)
    const isBefore = before.has(hintCode)
    if (isBefore && order.startedBy !== undefined) throw new Error('An app has the order already.')
    if (!isBefore && order.startedBy === undefined) throw new Error('No app has the order yet.')
    order.hintCode = hintCode
  }

  #asPhone(order: Order): PhoneOrder {
    const { userVisibleData, userNonVisibleData, userVisibleDataFormat = 'plaintext' } = order.request
    this.#expire(order)
    return {
      orderRef: order.orderRef,
      kind: order.kind,
      relyingPartyName: order.relyingParty.name.find(([type]) => type === 'name')?.[1] ?? '',
      visibleText: userVisibleData && Buffer.from(userVisibleData, 'base64').toString(),
      format: userVisibleDataFormat,
      nonVisibleData:
        userNonVisibleData === undefined ? undefined : Buffer.from(userNonVisibleData, 'base64'),
      request: order.request,
      get status() {
        return order.status
      },
      get hintCode() {
        return order.hintCode
      },
      get startedBy() {
        return order.startedBy
      },
      get returnUrl() {
        return order.startedBy === 'token' ? order.request.returnUrl : undefined
      },
      sign: (signer) => this.#sign(order, signer),
      refuse: () => {
        if (order.startedBy === undefined) throw new Error('No app has the order yet.')
        this.#end(order, 'userCancel')
      },
      setHint: (hintCode) => this.#setHint(order, hintCode),
      failWith: (hintCode) => this.#end(order, hintCode),
    }
  }
}
