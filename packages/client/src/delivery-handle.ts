import type { NumeraApi } from './api-types.ts'
import type { CamelCase } from './camel-case.ts'
import { NotParsedYet, UnreadableDelivery } from './errors.ts'
import type { Clock } from './transport.ts'

export type DeliveryReport = CamelCase<NumeraApi['GET /v1/deliveries/{artifact_id}']['answer']>

export interface DeliveryQuery {
  sourceId?: string
  orgnr?: string
  /** `cursor` of the page before; `now`: only what happens from now on. Unset: from the first delivery. */
  after?: string
  state?: DeliveryReport['state']
  limit?: number
  /** 0 to 20. */
  waitSeconds?: number
  signal?: AbortSignal
}

/** Deliveries, those whose state has changed once more, and where to read on; `more`: without a wait. */
export type DeliveryPage = CamelCase<NumeraApi['GET /v1/deliveries']['answer']>

/** What a push would do. */
export type CheckReport = CamelCase<NumeraApi['POST /v1/ingest/check']['answer']>

const pausesMs = [200, 500, 1000, 2000, 4000, 8000, 15_000]

/** One delivery, to ask what became of it. */
export class DeliveryHandle {
  readonly #clock: Clock
  readonly #read: (signal?: AbortSignal) => Promise<DeliveryReport>

  constructor(clock: Clock, read: (signal?: AbortSignal) => Promise<DeliveryReport>) {
    this.#clock = clock
    this.#read = read
  }

  report(signal?: AbortSignal): Promise<DeliveryReport> {
    return this.#read(signal)
  }

  /**
   * Waits until it is parsed; a minute by default. Refused rows are in `refusals`, and do not throw.
   *
   * @throws UnreadableDelivery if its content has no rows; NotParsedYet
   */
  async parsed({
    timeoutMs = 60_000,
    signal,
  }: { timeoutMs?: number; signal?: AbortSignal } = {}): Promise<DeliveryReport> {
    const endMs = this.#clock.now() + timeoutMs
    for (let looks = 0; ; looks++) {
      const report = await this.#read(signal)
      if (report.state === 'parsed') return report
      if (report.state === 'unreadable') {
        throw new UnreadableDelivery(report.reason ?? 'The content of the delivery cannot be read.')
      }
      const pauseMs = pausesMs[looks] ?? 15_000
      const leftMs = endMs - this.#clock.now()
      if (leftMs <= 0) throw new NotParsedYet(`The delivery was not parsed within ${timeoutMs / 1000} s.`)
      await this.#clock.sleep(Math.min(pauseMs, leftMs), signal)
    }
  }
}
