import { randomUUID } from 'node:crypto'
import { type Authority, mobilePolicy, type Person } from './authority.ts'
import type { Issued } from './certificate.ts'
import { InvalidParameters, type OrderRequest } from './check-request.ts'
import { type CompletionData, makeCompletionData, type Tampering } from './completion.ts'
import { qrTextAt, readQrText } from './qr-text.ts'

/** The times of an order, in milliseconds. */
export interface Lifetimes {
  /** Until an app has it; then it has failed with `startFailed`. */
  startMs: number
  /** From then on until the person has signed; then it has failed with `expiredTransaction`. */
  finishMs: number
  /** How long a completed order can be collected. */
  completeKeptMs: number
  failedKeptMs: number
  /** Of one that no app took. */
  unstartedKeptMs: number
}

export const usualLifetimes: Lifetimes = {
  startMs: 30_000,
  finishMs: 180_000,
  completeKeptMs: 180_000,
  failedKeptMs: 300_000,
  unstartedKeptMs: 190_000,
}

/** How a person answers an order. */
export interface Signer extends Person {
  /** The letter of their bank: `A` unless said. */
  bank?: string
  /** Where their phone is, as BankID sees it; where the browser is unless said. */
  ipAddress?: string
  /** How risky BankID takes it to be: `low` unless said. */
  risk?: 'low' | 'moderate' | 'high'
  /** What is wrong with the answer. */
  tamper?: Tampering
}

/** An order as the person's app has it. */
export interface PhoneOrder {
  readonly orderRef: string
  readonly kind: 'auth' | 'sign'
  /** Who asks, as the app shows it. */
  readonly relyingPartyName: string
  /** What the person reads; undefined where there is nothing to read. */
  readonly visibleText: string | undefined
  readonly format: string
  /** What is signed without being shown. */
  readonly nonVisibleData: Buffer | undefined
  readonly request: OrderRequest
  readonly status: 'pending' | 'failed' | 'complete'
  readonly hintCode: string | undefined
  /** `qr`, `token`; undefined while no app has it. */
  readonly startedBy: 'qr' | 'token' | undefined
  /** Where the phone goes afterwards: only where it was started by token. */
  readonly returnUrl: string | undefined
  /** The person enters their code. @throws Error where the order is not one that can be signed now */
  sign(signer: Signer): Promise<void>
  /** The person says no. */
  refuse(): void
  /** The order goes on pending with another hint. @throws Error where it would go back */
  setHint(hintCode: string): void
  /** The order ends with a hint: any of BankID's, or one that nobody knows. */
  failWith(hintCode: string): void
}

interface Order {
  orderRef: string
  autoStartToken: string
  qrStartToken: string
  qrStartSecret: string
  kind: 'auth' | 'sign'
  request: OrderRequest
  relyingParty: Issued
  createdAtMs: number
  status: 'pending' | 'failed' | 'complete'
  hintCode: string | undefined
  startedBy: 'qr' | 'token' | undefined
  startedAtMs: number
  overAtMs: number
  completionData: CompletionData | undefined
  /** What the answer calls the order, where that is wrong. */
  answeredRef: string | undefined
  /** Delivered to the relying party in its last state. */
  isDelivered: boolean
}

/** What an order begins with at the relying party. */
export type OrderStart = Pick<Order, 'orderRef' | 'autoStartToken' | 'qrStartToken' | 'qrStartSecret'>

/** 400 `alreadyInProgress`. */
export class AlreadyInProgress extends Error {}

export interface OrdersOptions {
  authority: Authority
  now: () => number
  lifetimes: Lifetimes
  /** How old the second of a QR code may be when the phone reads it. */
  qrAgeSecondsMax: number
}

/** Hints of an order that no app has. */
const before = new Set(['outstandingTransaction', 'noClient'])
const riskLevels = ['low', 'moderate', 'high']

/** Milliseconds for which what is over can still be collected. */
function keptMs({ status, startedBy }: Order, lifetimes: Lifetimes): number {
  if (status === 'complete') return lifetimes.completeKeptMs
  return startedBy === undefined ? lifetimes.unstartedKeptMs : lifetimes.failedKeptMs
}

function takesMobile({ request }: Order): boolean {
  const policies = request.requirement?.certificatePolicies ?? [mobilePolicy]
  return policies.some((policy) =>
    policy.endsWith('*') ? mobilePolicy.startsWith(policy.slice(0, -1)) : policy === mobilePolicy,
  )
}

function fromBase64(data: string | undefined): Buffer | undefined {
  return data === undefined ? undefined : Buffer.from(data, 'base64')
}

/** All orders of the stand-in, and what becomes of them. */
export class Orders {
  readonly #options: OrdersOptions
  readonly #orders = new Map<string, Order>()
  #earlier: Required<Pick<CompletionData, 'signature' | 'ocspResponse'>> | undefined

  constructor(options: OrdersOptions) {
    this.#options = options
  }

  /** Begins an order. @throws AlreadyInProgress where one with the same personal number is pending: it ends too */
  begin(kind: Order['kind'], request: OrderRequest, relyingParty: Issued): OrderStart {
    const asked = request.requirement?.personalNumber
    const other = this.#pending().find((each) => each.request.requirement?.personalNumber === asked)
    if (asked !== undefined && other !== undefined) {
      this.#end(other, 'cancelled')
      throw new AlreadyInProgress()
    }
    const order: Order = {
      orderRef: randomUUID(),
      autoStartToken: randomUUID(),
      qrStartToken: randomUUID(),
      qrStartSecret: randomUUID(),
      kind,
      request,
      relyingParty,
      createdAtMs: this.#options.now(),
      status: 'pending',
      hintCode: 'outstandingTransaction',
      startedBy: undefined,
      startedAtMs: 0,
      overAtMs: 0,
      completionData: undefined,
      answeredRef: undefined,
      isDelivered: false,
    }
    this.#orders.set(order.orderRef, order)
    const { orderRef, autoStartToken, qrStartToken, qrStartSecret } = order
    return { orderRef, autoStartToken, qrStartToken, qrStartSecret }
  }

  /** @throws InvalidParameters where it is nobody's, another relying party's, delivered, or too old */
  collect(orderRef: string, relyingParty: Issued): Record<string, unknown> {
    const order = this.#own(orderRef, relyingParty)
    const { status, hintCode, completionData } = order
    if (status === 'pending') return { orderRef, status, hintCode }
    order.isDelivered = true
    if (status === 'failed') return { orderRef, status, hintCode }
    return { orderRef: order.answeredRef ?? orderRef, status, completionData }
  }

  /** @throws InvalidParameters as `collect`, and where it is over */
  cancel(orderRef: string, relyingParty: Issued): void {
    const order = this.#own(orderRef, relyingParty)
    if (order.status !== 'pending') throw new InvalidParameters('The order is over')
    this.#end(order, 'cancelled')
    order.isDelivered = true
  }

  /** All that are known, the newest first, as a phone has them. */
  all(): PhoneOrder[] {
    return [...this.#orders.values()].toReversed().map((order) => this.#asPhone(order))
  }

  /** @throws Error where there is none */
  find(orderRef: string): PhoneOrder {
    return this.#asPhone(this.#known(orderRef))
  }

  /** What the QR code of an order says now: what a page of the relying party should show. @throws Error as `find` */
  qrText(orderRef: string): string {
    const order = this.#known(orderRef)
    return qrTextAt(order, this.#secondOf(order))
  }

  /** What starts the app on the same device. @throws Error as `find` */
  autoStartToken(orderRef: string): string {
    return this.#known(orderRef).autoStartToken
  }

  /**
   * The person's app reads a QR code.
   *
   * @throws Error where it is none, is not signed with the order's secret, is too old or too new, or another app has the order
   */
  scan(text: string): PhoneOrder {
    const reading = readQrText(text)
    if (reading === undefined) throw new Error('This is no QR code of BankID.')
    const order = this.#pending().find(({ qrStartToken }) => qrStartToken === reading.token)
    if (order === undefined) throw new Error('The order of this QR code is over, or there was none.')
    if (!reading.isSignedWith(order.qrStartSecret)) throw new Error('The QR code does not hold.')
    const age = this.#secondOf(order) - reading.second
    if (age > this.#options.qrAgeSecondsMax) throw new Error(`The QR code is ${age} s old.`)
    // The relying party has the order after the stand-in made it: its seconds are never ahead but for rounding.
    if (age < -1) throw new Error(`The QR code is ${-age} s ahead.`)
    return this.#start(order, 'qr')
  }

  /** The app is started on the same device, by an address that holds the token. @throws Error as `scan` */
  open(autoStartToken: string): PhoneOrder {
    const order = this.#pending().find((each) => each.autoStartToken === autoStartToken)
    if (order === undefined) throw new Error('The order of this token is over, or there was none.')
    return this.#start(order, 'token')
  }

  #start(order: Order, startedBy: 'qr' | 'token'): PhoneOrder {
    if (order.startedBy !== undefined) throw new Error('An app has this order already.')
    order.startedBy = startedBy
    order.startedAtMs = this.#options.now()
    // Without a BankID that the relying party takes, the app goes on looking for one.
    order.hintCode = takesMobile(order) ? 'userSign' : 'started'
    return this.#asPhone(order)
  }

  #known(orderRef: string): Order {
    const order = this.#orders.get(orderRef)
    if (order === undefined) throw new Error('There is no such order.')
    return order
  }

  #secondOf({ createdAtMs }: Order): number {
    return Math.floor((this.#options.now() - createdAtMs) / 1000)
  }

  #pending(): Order[] {
    return [...this.#orders.values()].filter((order) => {
      this.#age(order)
      return order.status === 'pending'
    })
  }

  #own(orderRef: string, relyingParty: Issued): Order {
    const order = this.#orders.get(orderRef)
    if (order !== undefined) this.#age(order)
    const { fingerprint256 } = relyingParty.certificate
    const isOver = order !== undefined && order.status !== 'pending'
    const isTooOld = isOver && this.#options.now() - order.overAtMs > keptMs(order, this.#options.lifetimes)
    if (order?.relyingParty.certificate.fingerprint256 !== fingerprint256 || isTooOld) {
      throw new InvalidParameters('No such order')
    }
    if (order.isDelivered) throw new InvalidParameters('The order cannot be collected twice')
    return order
  }

  /** Ends an order whose time is over. */
  #age(order: Order): void {
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
    this.#age(order)
    this.#requirePending(order)
    if (order.hintCode !== 'userSign') {
      throw new Error(`A person signs at userSign, and the order is at ${order.hintCode}.`)
    }
    const { requirement = {}, returnRisk, endUserIp } = order.request
    const { risk = 'low', tamper, bank } = signer
    const asked = requirement.personalNumber
    const highest = requirement.risk?.toLowerCase() ?? 'high'
    if (riskLevels.indexOf(risk) > riskLevels.indexOf(highest)) {
      return this.#end(order, 'transactionRiskBlocked')
    }
    if (asked !== undefined && asked !== signer.personalNumber) return this.#end(order, 'certificateErr')
    const completionData = await makeCompletionData(
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
    // It may have been cancelled meanwhile.
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
    this.#age(order)
    this.#requirePending(order)
    const isBefore = before.has(hintCode)
    if (isBefore && order.startedBy !== undefined) throw new Error('An app has the order already.')
    if (!isBefore && order.startedBy === undefined) throw new Error('No app has the order yet.')
    order.hintCode = hintCode
  }

  #asPhone(order: Order): PhoneOrder {
    const { userVisibleData, userNonVisibleData, userVisibleDataFormat = 'plaintext' } = order.request
    this.#age(order)
    return {
      orderRef: order.orderRef,
      kind: order.kind,
      relyingPartyName: order.relyingParty.name.find(([type]) => type === 'name')?.[1] ?? '',
      visibleText: fromBase64(userVisibleData)?.toString(),
      format: userVisibleDataFormat,
      nonVisibleData: fromBase64(userNonVisibleData),
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
