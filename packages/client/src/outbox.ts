import { errorClasses, NumeraError } from './errors.ts'
import { checkKey } from './key.ts'
import type { Numera } from './numera.ts'
import { OutboxInUse } from './outbox-errors.ts'
import { OutboxFile } from './outbox-file.ts'
import { OutboxSender } from './outbox-sender.ts'
import { type Rows, writePush } from './rows.ts'
import type { PushOptions, Scope } from './scope.ts'
import { type Clock, systemClock } from './transport.ts'

export {
  OutboxDamaged,
  OutboxError,
  OutboxFull,
  OutboxInUse,
  OutboxLocked,
  OutboxVersion,
} from './outbox-errors.ts'

export interface OutboxOptions {
  /** Sends. A process that only puts needs none. */
  numera?: Numera
  /** Bytes of deliveries that the file keeps, failed ones included; 1 GiB by default. */
  bytesMax?: number
  clock?: Clock
}

export interface RunOptions {
  /** Waits while another process sends, and follows it when it ends. */
  standby?: boolean
  /** Returns when nothing is left but failed deliveries and those of paused sources. */
  untilEmpty?: boolean
}

/** Names the source, where a key is in several. */
export type DeliveryScope = Omit<Scope, 'signal'>

export interface FailedDelivery extends DeliveryScope {
  key: string
  /** The service's refusal, which is final. */
  error: NumeraError
  failedAt: Date
}

export interface OutboxStatus {
  /** Deliveries that are to be sent. */
  pending: number
  failed: number
  /** Of both. */
  bytes: number
  /** Sources that wait for `resume`; undefined is the one of the connection. */
  paused: (string | undefined)[]
}

/**
 * A file of deliveries to send. What was put in survives the end of the process and a loss of power, and is stored by the service once.
 *
 * @throws OutboxVersion, OutboxDamaged, OutboxLocked; the file stays as it is
 */
export class Outbox {
  readonly #file: OutboxFile
  readonly #numera: Numera | undefined
  readonly #bytesMax: number
  readonly #clock: Clock
  /** Until the last put to a source has its place, by source: they are stored in the sequence of their calls. */
  readonly #places = new Map<string, Promise<unknown>>()
  #sender: OutboxSender | undefined
  #run: Promise<void> | undefined

  constructor(path: string, { numera, bytesMax = 2 ** 30, clock = systemClock }: OutboxOptions = {}) {
    this.#file = new OutboxFile(path)
    this.#numera = numera
    this.#bytesMax = bytesMax
    this.#clock = clock
  }

  /**
   * Resolves when the delivery is on disk. The same key with the same rows is one delivery.
   *
   * @throws InvalidRow, InvalidKey; KeyReused if the outbox has the key with other rows; OutboxFull, OutboxLocked
   */
  async put(rows: Rows, options: PushOptions): Promise<void> {
    const { key, shapeVersion, sourceId = '', orgnr = '', signal } = options
    checkKey(key, this.#clock.now(), options)
    const source = `${orgnr} ${sourceId}`
    const writing = writePush(key, shapeVersion, rows, signal)
    const place = Promise.all([writing, this.#places.get(source)]).then(([body]) => ({
      stored: this.#file.write(() => this.#file.add({ sourceId, orgnr }, key, body, this.#bytesMax)),
    }))
    this.#places.set(
      source,
      place.catch(() => undefined),
    )
    await (
      await place
    ).stored
    this.#sender?.wake()
  }

  /**
   * Sends until the signal is aborted, or `close`. One process at a time sends from a file.
   *
   * @throws CredentialRefused; OutboxInUse without `standby`; OutboxDamaged. Everything is kept.
   */
  async run(signal?: AbortSignal, { standby = false, untilEmpty = false }: RunOptions = {}): Promise<void> {
    if (!this.#numera) throw new TypeError('An outbox that sends needs `numera`.')
    if (this.#sender) throw new OutboxInUse('This outbox is sending.')
    const sender = new OutboxSender({ file: this.#file, numera: this.#numera, clock: this.#clock })
    const stop = (): void => sender.stop()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    this.#sender = sender
    this.#run = sender.run(standby, untilEmpty).finally(() => {
      this.#sender = undefined
      signal?.removeEventListener('abort', stop)
    })
    await this.#run
  }

  /** Sends to a source again that was paused; without an id to all of them. */
  resume(sourceId?: string): void {
    this.#numera?.resume(sourceId)
    this.#sender?.resume(sourceId)
  }

  /** The deliveries that the service refused, first ones first. They stay until `retry` or `discard`. */
  failed(): FailedDelivery[] {
    return this.#file.failed().map(({ key, failure, sourceId, orgnr }) => {
      const { failedAt, message, ...details } = JSON.parse(failure)
      const error = new (errorClasses[details.code] ?? NumeraError)(message, details)
      const scope = { ...(sourceId && { sourceId }), ...(orgnr && { orgnr }) }
      return { key, ...scope, error, failedAt: new Date(failedAt) }
    })
  }

  /** Sends a failed delivery again, in its place. @returns false if there is none */
  async retry(key: string, scope: DeliveryScope = {}): Promise<boolean> {
    const found = await this.#file.write(() => this.#file.settleFailed('retry', key, scope))
    this.#sender?.wake()
    return found > 0
  }

  /** Deletes a failed delivery. @returns false if there is none */
  async discard(key: string, scope: DeliveryScope = {}): Promise<boolean> {
    return (await this.#file.write(() => this.#file.settleFailed('remove', key, scope))) > 0
  }

  status(): OutboxStatus {
    const { deliveries, bytes } = this.#file.totals()
    const failed = this.#file.failed().length
    const paused = this.#sender?.paused.map(({ sourceId }) => sourceId || undefined) ?? []
    return { pending: deliveries - failed, failed, bytes, paused }
  }

  /** Ends `run`, stores what was put, and closes the file. */
  async close(): Promise<void> {
    this.#sender?.stop()
    await Promise.allSettled([this.#run, ...this.#places.values()])
    await this.#file.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
